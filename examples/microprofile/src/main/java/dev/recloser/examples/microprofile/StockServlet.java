package dev.recloser.examples.microprofile;

import dev.recloser.Policies;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /stock?sku=...}, {@code GET /later?sku=...} and {@code GET /explain}; {@code
 * POST /warehouse?down=...} makes the dependency fail.
 */
@ApplicationScoped
public class StockServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject private transient @Nullable Inventory inventory;
  @Inject private transient @Nullable Warehouse warehouse;
  @Inject private transient @Nullable Policies policies;

  @Override
  @SuppressWarnings("NullAway") // The container injects before it hands out.
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (request.getServletPath()) {
      case "/stock" -> response.getWriter().print(inventory.stock(request.getParameter("sku")));
      case "/later" ->
          response
              .getWriter()
              .print(
                  inventory.stockLater(request.getParameter("sku")).toCompletableFuture().join());
      case "/explain" ->
          policies.circuitBreakers().all().forEach(breaker -> print(response, breaker.explain()));
      default -> response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }
  }

  @Override
  @SuppressWarnings("NullAway") // As above.
  protected void doPost(HttpServletRequest request, HttpServletResponse response) {
    warehouse.setDown(Boolean.parseBoolean(request.getParameter("down")));
  }

  private static void print(HttpServletResponse response, String line) {
    try {
      response.getWriter().println(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
