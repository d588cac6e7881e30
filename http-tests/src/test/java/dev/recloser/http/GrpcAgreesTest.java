package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.CallRefused;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.grpc.GuardClientInterceptor;
import dev.recloser.test.FakeTime;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that do the same by HTTP and by gRPC make the same history in a breaker. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class GrpcAgreesTest {
  private static final List<String> HISTORY =
      List.of(
          "ok: SUCCESS",
          "not found: SUCCESS",
          "wrong: IGNORED",
          "given up: CANCELLED",
          "unavailable: FAILURE",
          "too late: FAILURE",
          "exhausted: FAILURE",
          "exhausted: CLOSED to OPEN by FAILURE_RATE for PT2M",
          "ok: refused by OPEN",
          "nobody there: OPEN to HALF_OPEN by WAIT_ELAPSED for null",
          "nobody there: FAILURE",
          "nobody there: HALF_OPEN to OPEN by PROBES_FAILED for PT30S");

  private final FakeTime time = FakeTime.create();
  private final CircuitBreaker breaker =
      CircuitBreaker.create(
          "inventory",
          config ->
              config
                  .slidingWindowSize(5)
                  .waitDurationInOpenState(Duration.ofSeconds(30))
                  .permittedNumberOfCallsInHalfOpenState(1)
                  .ticker(time));
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final List<String> history = new ArrayList<>();

  @Test
  void by_http() throws Exception {
    try (Http inventory = new Http()) {
      assertThat(historyOf(inventory)).isEqualTo(HISTORY);
    }
  }

  @Test
  void by_grpc() throws Exception {
    try (Grpc inventory = new Grpc()) {
      assertThat(historyOf(inventory)).isEqualTo(HISTORY);
    }
  }

  /** Calls of one kind; what they throw is no matter. */
  private interface Inventory extends AutoCloseable {
    void call(String what) throws Exception;

    @Override
    void close() throws IOException;
  }

  private List<String> historyOf(Inventory inventory) throws Exception {
    breaker.on(CallFinished.class, end -> events.add(end.outcome().toString()));
    breaker.on(CallRefused.class, refused -> events.add("refused by " + refused.reason()));
    breaker.on(
        StateTransition.class,
        change ->
            events.add(
                change.from()
                    + " to "
                    + change.to()
                    + " by "
                    + change.cause()
                    + " for "
                    + change.waitDuration()));
    for (String what :
        List.of("ok", "not found", "wrong", "given up", "unavailable", "too late", "exhausted")) {
      call(inventory, what, what.equals("exhausted") ? 2 : 1);
    }
    call(inventory, "ok", 1);
    time.advance(Duration.ofMinutes(2));
    call(inventory, "nobody there", 3);
    assertThat(events).as("further events").isEmpty();
    return history;
  }

  private void call(Inventory inventory, String what, int expected) throws Exception {
    try {
      inventory.call(what);
    } catch (Exception e) {
      // What the breaker makes of it is what matters.
    }
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < expected; i++) {
      String event = events.poll(30, TimeUnit.SECONDS);
      assertThat(event).as("an event of " + what).isNotNull();
      seen.add(what + ": " + event);
    }
    history.addAll(seen);
  }

  private final class Http implements Inventory {
    private final RawServer server = RawServer.start(Http::serve);
    private final HttpClient client =
        HttpGuard.create(calls -> calls.circuitBreakers(name -> breaker))
            .client(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());

    Http() throws IOException {}

    @Override
    public void call(String what) throws Exception {
      URI uri =
          what.equals("nobody there")
              ? RawServer.refusing()
              : server.uri().resolve("/" + what.replace(' ', '-'));
      HttpRequest.Builder request = HttpRequest.newBuilder(uri);
      if (what.equals("too late")) {
        request.timeout(Duration.ofMillis(200));
      }
      var response = client.sendAsync(request.build(), BodyHandlers.ofString());
      if (what.equals("given up")) {
        server.awaitHanging();
        response.cancel(true);
      }
      response.get(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
      server.close();
    }

    private static void serve(RawServer.Exchange exchange) throws IOException {
      switch (exchange.path()) {
        case "/not-found" -> exchange.write(RawServer.answer(404, "none"));
        case "/wrong" -> exchange.write(RawServer.answer(400, "what?"));
        case "/unavailable" -> exchange.write(RawServer.answer(503, "down"));
        case "/exhausted" -> exchange.write(RawServer.answer(429, "busy", "Retry-After: 120"));
        case "/given-up", "/too-late" -> exchange.hang();
        default -> exchange.write(RawServer.answer(200, "17 left"));
      }
    }
  }

  private final class Grpc implements Inventory {
    private final GrpcInventory server = GrpcInventory.start();
    private final ManagedChannel channel =
        server.channel(
            GuardClientInterceptor.create(calls -> calls.circuitBreakers(name -> breaker)));

    Grpc() throws IOException {}

    @Override
    public void call(String what) throws Exception {
      if (what.equals("nobody there")) {
        server.close();
      }
      CallOptions options =
          what.equals("too late")
              ? CallOptions.DEFAULT.withDeadlineAfter(200, TimeUnit.MILLISECONDS)
              : CallOptions.DEFAULT;
      Future<String> response =
          ClientCalls.futureUnaryCall(channel.newCall(GrpcInventory.GET, options), message(what));
      if (what.equals("given up")) {
        server.awaitHanging();
        response.cancel(true);
      }
      response.get(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      channel.shutdownNow();
      server.close();
    }

    private static String message(String what) {
      return switch (what) {
        case "not found" -> "NOT_FOUND";
        case "wrong" -> "INVALID_ARGUMENT";
        case "unavailable" -> "UNAVAILABLE";
        case "exhausted" -> "RESOURCE_EXHAUSTED pushback 120000";
        case "given up", "too late" -> "hang";
        default -> "OK";
      };
    }
  }
}
