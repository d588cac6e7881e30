package dev.recloser.cli;

import com.sun.net.httpserver.HttpExchange;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Permit;
import dev.recloser.Policies;
import dev.recloser.console.Console;
import dev.recloser.console.ConsoleAnswer;
import dev.recloser.console.ConsoleHandler;
import dev.recloser.console.ConsoleRequest;
import dev.recloser.console.ConsoleSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Breakers in states that a test wants to see, and the panel that shows them. */
final class WatchedApplication {
  final Policies policies = Policies.create();
  private final List<AutoCloseable> open = new ArrayList<>();

  Console start() throws IOException {
    return start(settings -> {});
  }

  Console start(Consumer<ConsoleSettings> settings) throws IOException {
    Console console =
        Console.start(
            policies,
            s -> {
              s.refreshInterval(Duration.ofMillis(200));
              settings.accept(s);
            });
    return closing(console);
  }

  <T extends AutoCloseable> T closing(T closeable) {
    open.add(closeable);
    return closeable;
  }

  void makeOneOfEachState() {
    breaker("new", c -> {});
    for (State state : State.values()) {
      CircuitBreaker breaker = small(state.name().toLowerCase(Locale.ROOT));
      if (state == State.OPEN) {
        fail(breaker, 5);
      } else if (state == State.FORCED_OPEN) {
        breaker.transitionTo(state, Duration.ofMinutes(30));
      } else if (state != State.CLOSED) {
        breaker.transitionTo(state);
      }
      if (state == State.HALF_OPEN) {
        closing(breaker.acquire());
      }
    }
  }

  CircuitBreaker small(String name) {
    return breaker(name, c -> c.slidingWindowSize(10).minimumNumberOfCalls(5));
  }

  CircuitBreaker breaker(String name, Consumer<CircuitBreakerConfig.Builder> settings) {
    return policies.circuitBreakers().circuitBreaker(name, CircuitBreakerConfig.of(settings));
  }

  static void succeed(CircuitBreaker breaker, int times) {
    for (int i = 0; i < times; i++) {
      breaker.run(() -> {});
    }
  }

  static void fail(CircuitBreaker breaker, int times) {
    fail(breaker, times, "no stock");
  }

  static void fail(CircuitBreaker breaker, int times, String message) {
    for (int i = 0; i < times; i++) {
      try (Permit permit = breaker.acquire()) {
        permit.fail(new IllegalStateException(message));
      }
    }
  }

  /** Has a request answered by a panel that is at the place of the exchange's context. */
  static void carry(ConsoleHandler panel, HttpExchange exchange) throws IOException {
    String place = exchange.getHttpContext().getPath();
    String path = exchange.getRequestURI().toString();
    try (exchange;
        ConsoleAnswer answer =
            panel.answer(
                new ConsoleRequest(
                    exchange.getRequestMethod(),
                    place.equals("/") ? path : path.substring(place.length()),
                    exchange.getRequestHeaders(),
                    exchange.getRequestBody()))) {
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(answer.status(), Math.max(0, answer.length()));
      answer.writeTo(exchange.getResponseBody());
    } catch (IOException e) {
      // The browser has gone to another page, or has given up.
    }
  }

  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }
}
