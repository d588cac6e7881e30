package dev.recloser.http;

import static dev.recloser.http.GuardedClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallRejectedException;
import dev.recloser.CircuitBreaker;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a servlet container answers when a call inside was refused. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RefusalFilterTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final CircuitBreaker inventory = CircuitBreaker.create("inventory");
  private Function<CallRejectedException, RefusalResponse> answers = RefusalResponse::of;
  private final RefusalFilter filter = new RefusalFilter(refused -> answers.apply(refused));
  private ServletContainer.Running container;
  private volatile boolean isBroken;

  /** Asks inventory in the way that the path says. */
  private final class Orders extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      response.setHeader("X-Outer", "kept");
      switch (request.getPathInfo()) {
        case "/plain" -> response.getWriter().print(inventory.call(() -> "17 left"));
        case "/encoded" -> {
          response.setHeader("Content-Encoding", "gzip");
          response.setHeader("ETag", "\"17\"");
          response.addHeader("Set-Cookie", "shelf=4");
          response.addHeader("Set-Cookie", "box=2");
          response.getOutputStream().write(0x1f);
          inventory.run(() -> {});
        }
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
        case "/dispatched" -> {
          if (request.getDispatcherType() == DispatcherType.ASYNC) {
            inventory.run(() -> {});
          }
          AsyncContext async = request.startAsync();
          async.start(async::dispatch);
        }
        case "/stage" -> {
          AsyncContext async = request.startAsync();
          var unused =
              inventory
                  .callAsync(() -> CompletableFuture.supplyAsync(this::stock))
                  .whenComplete((stock, thrown) -> show(async, stock, thrown));
        }
        case "/begun-and-thrown" -> {
          request.startAsync();
          inventory.run(() -> {});
        }
        default -> throw new IllegalStateException("a bug");
      }
    }

    private String stock() {
      if (isBroken) {
        throw new IllegalStateException("a bug");
      }
      return "17 left";
    }

    private void show(AsyncContext async, String stock, Throwable thrown) {
      if (thrown == null || !filter.answer(async, thrown)) {
        try {
          async.getResponse().getWriter().print(thrown == null ? stock : "a bug");
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        async.complete();
      }
    }
  }

  @AfterEach
  void stop() throws Exception {
    container.stop();
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_is_a_503_that_says_whose(ServletContainer kind) throws Exception {
    start(kind);
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

  @ParameterizedTest
  @EnumSource
  void what_describes_the_other_answer_is_dropped_with_it(ServletContainer kind) throws Exception {
    start(kind);
    inventory.transitionTo(CircuitBreaker.State.FORCED_OPEN, Duration.ofMinutes(1));

    HttpResponse<String> response = ask("/encoded");

    assertThat(response.headers().map()).doesNotContainKeys("Content-Encoding", "ETag");
    assertThat(response.headers().allValues("X-Outer")).containsExactly("kept");
    assertThat(response.headers().allValues("Set-Cookie")).containsExactly("shelf=4", "box=2");
    assertThat(response.headers().allValues("Date")).hasSizeLessThan(2);
    assertThat(response.body()).startsWith("{").contains("\"dependency\":\"inventory\"");
  }

  @ParameterizedTest
  @CsvSource({
    "JETTY, /dispatched",
    "JETTY, /stage",
    "JETTY, /begun-and-thrown",
    "TOMCAT, /dispatched",
    "TOMCAT, /stage",
    "TOMCAT, /begun-and-thrown"
  })
  void so_it_is_of_an_asynchronous_request(ServletContainer kind, String path) throws Exception {
    start(kind);
    inventory.transitionTo(CircuitBreaker.State.FORCED_OPEN, Duration.ofMinutes(1));

    HttpResponse<String> response = ask(path);

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).contains("60");
    assertThat(response.body()).contains("\"dependency\":\"inventory\"");
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_that_cannot_be_made_is_the_usual_one(ServletContainer kind) throws Exception {
    start(kind);
    inventory.transitionTo(CircuitBreaker.State.FORCED_OPEN);
    answers =
        refused -> {
          throw new IllegalStateException("answers");
        };
    assertThat(ask("/plain").statusCode()).isEqualTo(503);
    answers = refused -> null;
    assertThat(ask("/plain").body()).contains("\"dependency\":\"inventory\"");
  }

  @ParameterizedTest
  @EnumSource
  void what_went_out_already_is_not_taken_back(ServletContainer kind) throws Exception {
    start(kind);
    inventory.transitionTo(CircuitBreaker.State.FORCED_OPEN);

    assertThatThrownBy(() -> ask("/sent")).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @EnumSource
  void everything_else_is_left_alone(ServletContainer kind) throws Exception {
    start(kind);
    assertThat(ask("/plain").body()).isEqualTo("17 left");
    assertThat(ask("/stage").body()).isEqualTo("17 left");
    isBroken = true;
    assertThat(ask("/stage").body()).isEqualTo("a bug");
    assertThat(ask("/bug").statusCode()).isEqualTo(500);
  }

  private void start(ServletContainer kind) throws Exception {
    container = kind.start(new Orders(), filter);
  }

  private HttpResponse<String> ask(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + container.port() + path);
    return CLIENT.send(get(uri), BodyHandlers.ofString());
  }
}
