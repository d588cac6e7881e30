package dev.recloser.examples.microprofile;

import dev.recloser.Policies;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /stock?sku=...}, {@code GET /later?sku=...}, {@code GET /explain} and {@code
 * GET /warehouse}, which is how often the dependency has been asked; {@code POST
 * /warehouse?down=...&millis=...} makes it fail, or take its time.
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
      case "/stock" -> response.getWriter().print(stock(request.getParameter("sku")));
      case "/later" -> later(request.getParameter("sku"), response);
      case "/warehouse" -> response.getWriter().print(warehouse.asked());
      case "/explain" ->
          policies.circuitBreakers().all().forEach(breaker -> print(response, breaker.explain()));
      default -> response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }
  }

  @Override
  @SuppressWarnings("NullAway") // As above.
  protected void doPost(HttpServletRequest request, HttpServletResponse response) {
    String millis = Objects.requireNonNullElse(request.getParameter("millis"), "0");
    warehouse.set(Boolean.parseBoolean(request.getParameter("down")), Long.parseLong(millis));
  }

  @SuppressWarnings("NullAway") // As above.
  private String stock(String sku) throws IOException {
    try {
      return inventory.stock(sku);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The service is ending");
    }
  }

  /** One that finds the bulkhead and its queue full is told to come again. */
  @SuppressWarnings("NullAway") // As above.
  private void later(String sku, HttpServletResponse response) throws IOException {
    try {
      response.getWriter().print(inventory.stockLater(sku).toCompletableFuture().get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The service is ending");
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof BulkheadException)) {
        throw new IOException(e.getCause());
      }
      response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    }
  }

  private static void print(HttpServletResponse response, String line) {
    try {
      response.getWriter().println(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
