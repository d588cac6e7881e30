package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.CallRefused;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.FailureSample;
import dev.recloser.Outcome;
import dev.recloser.http.ClientUnderTest.Guarded;
import dev.recloser.test.FakeTime;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One server, every client: the breaker learns the same, whichever it is. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ClientsAgreeTest {
  /** What the server does, and what a breaker shall make of it. */
  private static final List<String> SCRIPT =
      List.of(
          "/200 SUCCESS",
          "/204 SUCCESS",
          "/chunked SUCCESS",
          "/302 SUCCESS",
          "/404 SUCCESS",
          "/409 SUCCESS",
          "/400 IGNORED",
          "/403 IGNORED",
          "/501 IGNORED",
          "/429 FAILURE",
          "/500 FAILURE",
          "/503 FAILURE",
          "/reset FAILURE",
          "/nothing FAILURE",
          "/garbage FAILURE",
          "/hang FAILURE",
          "/hang-in-body FAILURE",
          "/broken-body FAILURE",
          "/slow SUCCESS slow",
          "/slow-body SUCCESS slow",
          "/slow-503 FAILURE slow",
          "/error-in-body FAILURE",
          "/degraded FAILURE");

  private final FakeTime time = FakeTime.create();

  @ParameterizedTest
  @EnumSource
  void every_end_of_a_call_is_the_same(ClientUnderTest kind) throws Exception {
    HttpGuard guard =
        guard(
            config -> config.slowCallDurationThreshold(Duration.ofSeconds(1)),
            calls ->
                calls.outcomes(
                    rows ->
                        rows.body(text -> text.contains("error"), Outcome.FAILURE)
                            .header("X-Degraded", value -> true, Outcome.FAILURE)));
    BlockingQueue<CallFinished> ends = ends(guard);
    List<String> seen = new ArrayList<>();
    try (RawServer server = RawServer.start(this::serve);
        Guarded client = kind.guard(guard, Duration.ofSeconds(1))) {
      for (int i = 0; i < 3; i++) { // The first call loads classes, and can take its second.
        attempt(client, server.uri().resolve("/200"));
        ends.poll(30, TimeUnit.SECONDS);
      }
      for (String line : SCRIPT) {
        String path = line.substring(0, line.indexOf(' '));
        attempt(client, server.uri().resolve(path));
        seen.add(path + " " + next(ends));
      }
      attempt(client, RawServer.refusing());
      seen.add("refused " + next(ends));
    }
    List<String> expected = new ArrayList<>(SCRIPT);
    expected.add("refused FAILURE");
    assertThat(seen).isEqualTo(expected);
    assertThat(breaker(guard).snapshot().callsInFlight()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void a_breaker_opens_on_the_same_call_says_the_same_and_waits_as_long(ClientUnderTest kind)
      throws Exception {
    HttpGuard guard =
        guard(
            config -> config.slidingWindowSize(4).waitDurationInOpenState(Duration.ofSeconds(30)),
            calls -> {});
    RecordingListener events = RecordingListener.on(breaker(guard));
    try (RawServer server = RawServer.start(this::serve);
        Guarded client = kind.guard(guard, Duration.ofSeconds(30))) {
      for (String path : new String[] {"/200", "/400", "/503", "/404", "/busy-until", "/200"}) {
        attempt(client, server.uri().resolve(path));
      }
      assertThat(server.requests()).hasSize(5);
      assertThatThrownBy(() -> client.get(server.uri().resolve("/200")))
          .satisfies(
              thrown ->
                  assertThat(RefusalResponse.refusalIn(thrown))
                      .containsInstanceOf(CallNotPermittedException.class));
    }
    StateTransition opened = events.transitions().get(0);
    assertThat(opened.to()).isEqualTo(CircuitBreaker.State.OPEN);
    assertThat(opened.failures())
        .extracting(FailureSample::type)
        .containsExactly("HTTP 503", "HTTP 503");
    assertThat(breaker(guard).snapshot().remaining()).isEqualTo(Duration.ofMinutes(2));
    assertThat(events.of(CallRefused.class)).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void giving_up_is_no_evidence(ClientUnderTest kind) throws Exception {
    HttpGuard guard = guard(config -> {}, calls -> {});
    BlockingQueue<CallFinished> ends = ends(guard);
    for (String path : new String[] {"/hang", "/hang-in-body"}) {
      try (RawServer server = RawServer.start(this::serve);
          Guarded client = kind.guard(guard, Duration.ofSeconds(30))) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Runnable giveUp = client.begin(server.uri().resolve(path), end);
        server.awaitHanging();
        giveUp.run();
        end.get(30, TimeUnit.SECONDS);
        server.awaitLeft();

        assertThat(next(ends)).as(path).isEqualTo("CANCELLED");
        assertThat(breaker(guard).snapshot().callsInFlight()).isZero();
      }
    }
  }

  private void serve(RawServer.Exchange exchange) throws IOException {
    switch (exchange.path()) {
      case "/204" -> exchange.write("HTTP/1.1 204 No Content\nConnection: close\n\n");
      case "/302" -> exchange.write(RawServer.answer(302, ""));
      case "/chunked" ->
          exchange.write(
              """
              HTTP/1.1 200 OK
              Transfer-Encoding: chunked
              Connection: close

              7
              17 left
              0

              """);
      case "/reset" -> exchange.reset();
      case "/nothing" -> {}
      case "/garbage" -> exchange.write("220 mail.example ESMTP\n");
      case "/hang" -> exchange.hang();
      case "/hang-in-body" -> {
        exchange.write(RawServer.head(200, 1_000) + "17 ");
        exchange.hang();
      }
      case "/broken-body" -> exchange.write(RawServer.head(200, 1_000) + "17 ");
      case "/slow" -> {
        time.advance(Duration.ofSeconds(2));
        exchange.write(RawServer.answer(200, "17 left"));
      }
      case "/slow-body" -> {
        exchange.write(RawServer.head(200, 7) + "17 ");
        time.advance(Duration.ofSeconds(2));
        exchange.write("left");
      }
      case "/slow-503" -> {
        time.advance(Duration.ofSeconds(2));
        exchange.write(RawServer.answer(503, "busy"));
      }
      case "/error-in-body" -> exchange.write(RawServer.answer(200, "{\"error\":1}"));
      case "/degraded" -> exchange.write(RawServer.answer(200, "17 left", "X-Degraded: yes"));
      case "/busy-until" ->
          exchange.write(
              RawServer.answer(
                  503,
                  "busy",
                  "Date: Sun, 06 Nov 1994 08:49:37 GMT",
                  "Retry-After: Sun, 06 Nov 1994 08:51:37 GMT"));
      default ->
          exchange.write(
              RawServer.answer(Integer.parseInt(exchange.path().substring(1)), "17 left"));
    }
  }

  private HttpGuard guard(
      Consumer<CircuitBreakerConfig.Builder> breaker, Consumer<HttpGuard.Builder> more) {
    return HttpGuard.create(
        calls -> {
          calls
              .key(call -> "inventory")
              .circuitBreaker(config -> breaker.accept(config.ticker(time)));
          more.accept(calls);
        });
  }

  private static CircuitBreaker breaker(HttpGuard guard) {
    return guard.circuitBreaker(HttpCall.of("GET", URI.create("http://any/"), name -> List.of()));
  }

  private static void attempt(Guarded client, URI uri) {
    try {
      client.get(uri);
    } catch (Exception e) {
      // What the breaker makes of it is what matters.
    }
  }

  /** Waits for it: where the caller ends a future itself, that can be a moment later. */
  private static String next(BlockingQueue<CallFinished> ends) throws InterruptedException {
    CallFinished end = ends.poll(30, TimeUnit.SECONDS);
    assertThat(end).as("the end of a call").isNotNull();
    assertThat(ends).as("further ends of it").isEmpty();
    return end.outcome() + (end.slow() ? " slow" : "");
  }

  private static BlockingQueue<CallFinished> ends(HttpGuard guard) {
    BlockingQueue<CallFinished> ends = new LinkedBlockingQueue<>();
    breaker(guard).on(CallFinished.class, ends::add);
    return ends;
  }
}
