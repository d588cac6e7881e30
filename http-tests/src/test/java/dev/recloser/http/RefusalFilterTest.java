package dev.recloser.http;

import static dev.recloser.http.GuardedClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a servlet container answers when a call inside was refused. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RefusalFilterTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final CircuitBreaker inventory = CircuitBreaker.create("inventory");
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  /** Asks inventory in the way that the path says. */
  private final class Orders extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      response.setHeader("X-Outer", "kept");
      switch (request.getPathInfo()) {
        case "/plain" -> response.getWriter().print(inventory.call(() -> "17 left"));
        case "/begun" -> {
          response.setContentType("text/html");
          response.getWriter().print("<p>");
          inventory.run(() -> {});
        }
        case "/nested" -> {
          try {
            inventory.run(() -> {});
          } catch (RuntimeException e) {
            throw new ServletException(e);
          }
        }
        case "/sent" -> {
          response.getWriter().print("<p>");
          response.flushBuffer();
          inventory.run(() -> {});
        }
        default -> throw new IllegalStateException("a bug");
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    context.addServlet(new ServletHolder(new Orders()), "/orders/*");
    context.addFilter(
        new FilterHolder(new RefusalFilter()), "/*", EnumSet.of(DispatcherType.REQUEST));
    server.setHandler(context);
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  @Test
  void a_refusal_is_a_503_that_says_whose() throws Exception {
    inventory.transitionTo(CircuitBreaker.State.FORCED_OPEN, Duration.ofMinutes(1));

    for (String path : new String[] {"/plain", "/begun", "/nested"}) {
      HttpResponse<String> response = ask(path);

      assertThat(response.statusCode()).as(path).isEqualTo(503);
      assertThat(response.headers().firstValue("Content-Type"))
          .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
      assertThat(response.headers().firstValue("Retry-After")).contains("60");
      assertThat(response.headers().firstValue("X-Outer")).contains("kept");
      assertThat(response.body())
          .startsWith("{")
          .contains("\"dependency\":\"inventory\"")
          .contains("\"refusedBy\":\"circuit breaker\"")
          .doesNotContain("<p>");
    }
  }

  @Test
  void what_went_out_already_is_not_taken_back() {
    inventory.transitionTo(CircuitBreaker.State.FORCED_OPEN);

    assertThatThrownBy(() -> ask("/sent")).isInstanceOf(IOException.class);
  }

  @Test
  void everything_else_is_left_alone() throws Exception {
    assertThat(ask("/plain").body()).isEqualTo("17 left");
    assertThat(ask("/bug").statusCode()).isEqualTo(500);
  }

  private HttpResponse<String> ask(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/orders" + path);
    return CLIENT.send(get(uri), BodyHandlers.ofString());
  }
}
