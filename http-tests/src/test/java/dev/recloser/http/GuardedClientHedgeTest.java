package dev.recloser.http;

import static dev.recloser.http.GuardedClientTest.ends;
import static dev.recloser.http.GuardedClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.Outcome;
import dev.recloser.TimeoutExceededException;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guarded JDK client makes again meanwhile; delays are on fake time, servers are real. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class GuardedClientHedgeTest {
  private static final HttpClient PLAIN =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final Duration DELAY = Duration.ofMillis(100);

  private final FakeTime time = FakeTime.create();

  @ParameterizedTest
  @EnumSource
  void the_answer_that_comes_first_is_the_answer_and_the_other_call_is_cancelled(JdkWay way)
      throws Exception {
    HttpGuard guard = guard(calls -> {});
    try (RawServer server = RawServer.start(exchange -> hangFirst(exchange, ""))) {
      CompletableFuture<HttpResponse<String>> response = begin(way, guard, get(server.uri()));
      passDelay(server);

      assertThat(response.get(30, TimeUnit.SECONDS).body()).isEqualTo("17 left");
      server.awaitLeft();
      assertThat(ends(guard, server.uri())).containsExactly(1L, 0L, 0L, 1L);
      assertThat(breaker(guard, server).snapshot().callsInFlight()).isZero();
      assertThat(time.pendingTimers()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_whose_body_hangs_is_let_go(JdkWay way) throws Exception {
    HttpGuard guard = guard(calls -> {});
    try (RawServer server =
        RawServer.start(exchange -> hangFirst(exchange, RawServer.head(200, 1_000) + "17 "))) {
      CompletableFuture<HttpResponse<String>> response = begin(way, guard, get(server.uri()));
      passDelay(server);

      assertThat(response.get(30, TimeUnit.SECONDS).body()).isEqualTo("17 left");
      server.awaitLeft();
      assertThat(ends(guard, server.uri())).containsExactly(1L, 0L, 0L, 1L);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 503})
  void a_failed_answer_does_not_win_while_another_call_goes_on(int first) throws Exception {
    HttpGuard guard = guard(calls -> {});
    try (RawServer server =
        RawServer.start(
            exchange -> {
              if (exchange.number() == 1) {
                exchange.hang();
                exchange.write(RawServer.answer(first, "the first"));
              } else {
                exchange.write(RawServer.answer(503, "busy"));
              }
            })) {
      BlockingQueue<CallFinished> ends = finished(guard, server);
      CompletableFuture<HttpResponse<String>> response =
          begin(JdkWay.SEND_ASYNC, guard, get(server.uri()));
      passDelay(server);
      assertThat(ends.poll(30, TimeUnit.SECONDS)).isNotNull();
      server.release();

      // Of two that fail it is the last, and the second one may not have got its body by now.
      assertThat(response.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(first);
    }
  }

  @Test
  void a_stream_of_an_answer_that_is_not_the_answer_is_let_go() throws Exception {
    HttpGuard guard = guard(calls -> {});
    CountDownLatch firstHasCome = new CountDownLatch(1);
    CountDownLatch firstMayAnswer = new CountDownLatch(1);
    try (RawServer server =
        RawServer.start(
            exchange -> {
              if (exchange.number() == 1) {
                firstHasCome.countDown();
                RawServer.await(firstMayAnswer, "the other answer");
                exchange.write(RawServer.answer(200, "17 left"));
              } else {
                exchange.write(RawServer.head(503, 1_000_000) + "busy");
                exchange.hang();
              }
            })) {
      BlockingQueue<CallFinished> ends = finished(guard, server);
      CompletableFuture<HttpResponse<InputStream>> response =
          guard.client(PLAIN).sendAsync(get(server.uri()), BodyHandlers.ofInputStream());
      RawServer.await(firstHasCome, "the first attempt");
      time.advance(DELAY);
      assertThat(ends.poll(30, TimeUnit.SECONDS).outcome()).isEqualTo(Outcome.FAILURE);
      firstMayAnswer.countDown();

      try (InputStream body = response.get(30, TimeUnit.SECONDS).body()) {
        assertThat(body.readAllBytes()).asString().isEqualTo("17 left");
      }
      server.awaitLeft();
      assertThat(breaker(guard, server).snapshot().callsInFlight()).isZero();
    }
  }

  @Test
  void a_call_that_may_not_be_made_twice_is_not() throws Exception {
    HttpGuard guard = guard(calls -> {});
    HttpRequest.Builder post = HttpRequest.newBuilder().POST(BodyPublishers.ofString("17"));
    try (RawServer server = RawServer.start(exchange -> hangFirst(exchange, ""))) {
      post.uri(server.uri());
      CompletableFuture<HttpResponse<String>> response =
          begin(JdkWay.SEND_ASYNC, guard, post.build());
      server.awaitHanging();
      assertThat(time.pendingTimers()).isZero();
      response.cancel(true);
    }
    try (RawServer server = RawServer.start(exchange -> hangFirst(exchange, ""))) {
      post.uri(server.uri()).header("Idempotency-Key", "4711");
      CompletableFuture<HttpResponse<String>> response =
          begin(JdkWay.SEND_ASYNC, guard, post.build());
      passDelay(server);
      assertThat(response.get(30, TimeUnit.SECONDS).body()).isEqualTo("17 left");
    }
  }

  @Test
  void a_breaker_that_takes_no_other_call_leaves_the_first_alone() throws Exception {
    HttpGuard guard =
        guard(
            calls ->
                calls.circuitBreaker(
                    config -> config.ticker(time).permittedNumberOfCallsInHalfOpenState(1)));
    try (RawServer server =
        RawServer.start(
            exchange -> {
              exchange.hang();
              exchange.write(RawServer.answer(200, "17 left"));
            })) {
      CircuitBreaker breaker = breaker(guard, server);
      breaker.transitionTo(CircuitBreaker.State.HALF_OPEN);
      CompletableFuture<HttpResponse<String>> response =
          begin(JdkWay.SEND_ASYNC, guard, get(server.uri()));
      passDelay(server);
      server.release();

      assertThat(response.get(30, TimeUnit.SECONDS).body()).isEqualTo("17 left");
      assertThat(server.requests()).hasSize(1);
      assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.CLOSED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_retry_stands_around_it(JdkWay way) throws Exception {
    HttpGuard guard = guard(calls -> calls.retry(config -> config.waitDuration(Duration.ZERO)));
    try (RawServer server =
        RawServer.start(
            exchange -> {
              switch (exchange.number()) {
                case 1 -> exchange.write(RawServer.answer(503, "busy"));
                case 2 -> exchange.hang();
                default -> exchange.write(RawServer.answer(200, "17 left"));
              }
            })) {
      CompletableFuture<HttpResponse<String>> response = begin(way, guard, get(server.uri()));
      passDelay(server);

      assertThat(response.get(30, TimeUnit.SECONDS).body()).isEqualTo("17 left");
      assertThat(ends(guard, server.uri())).containsExactly(1L, 1L, 0L, 1L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void giving_up_ends_all_attempts_and_is_no_evidence(JdkWay way) throws Exception {
    HttpGuard guard = guard(calls -> {});
    CountDownLatch both = new CountDownLatch(2);
    try (RawServer server = RawServer.start(exchange -> hang(exchange, both))) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      Runnable giveUp =
          ClientUnderTest.valueOf(way == JdkWay.SEND ? "JDK_SEND" : "JDK_SEND_ASYNC")
              .guard(guard, Duration.ofSeconds(30))
              .begin(server.uri(), end);
      passDelay(server);
      RawServer.await(both, "two calls that hang");
      giveUp.run();
      end.get(30, TimeUnit.SECONDS);

      assertThat(ends(guard, server.uri())).containsExactly(0L, 0L, 0L, 2L);
      assertThat(breaker(guard, server).snapshot().callsInFlight()).isZero();
    }
  }

  @Test
  void a_time_out_of_the_caller_is_one_of_each_attempt() throws Exception {
    HttpGuard guard = guard(calls -> calls.retry(config -> config.maxAttempts(3)));
    CountDownLatch both = new CountDownLatch(2);
    try (RawServer server = RawServer.start(exchange -> hang(exchange, both))) {
      BlockingQueue<CallFinished> ends = finished(guard, server);
      CompletableFuture<HttpResponse<String>> response =
          guard.client(PLAIN).sendAsync(get(server.uri()), BodyHandlers.ofString());
      passDelay(server);
      RawServer.await(both, "two calls that hang");

      assertThatThrownBy(
              () -> response.orTimeout(1, TimeUnit.MILLISECONDS).get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class);
      for (int i = 0; i < 2; i++) { // A timer has ended them, so perhaps a moment later.
        assertThat(ends.poll(30, TimeUnit.SECONDS).outcome()).isEqualTo(Outcome.FAILURE);
      }
    }
  }

  @Test
  void a_timeout_around_it_is_a_failure() throws Exception {
    HttpGuard guard = guard(calls -> {});
    dev.recloser.Timeout timeout = dev.recloser.Timeout.create("call", Duration.ofMillis(300));
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      assertThatThrownBy(
              () ->
                  timeout.<HttpResponse<String>, Exception>call(
                      () -> guard.client(PLAIN).send(get(server.uri()), BodyHandlers.ofString())))
          .isInstanceOf(TimeoutExceededException.class);
      assertThat(ends(guard, server.uri())).containsExactly(0L, 1L, 0L, 0L);
    }
  }

  @Test
  void what_all_attempts_throw_the_caller_gets() throws Exception {
    HttpGuard guard = guard(calls -> {});
    URI nobody = RawServer.refusing();
    for (JdkWay way : JdkWay.values()) {
      assertThatThrownBy(() -> way.send(guard.client(PLAIN), get(nobody), BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
    }
    assertThat(ends(guard, nobody)).containsExactly(0L, 2L, 0L, 0L);
  }

  private static void hangFirst(RawServer.Exchange exchange, String begun) throws IOException {
    if (exchange.number() == 1) {
      exchange.write(begun);
      exchange.hang();
    } else {
      exchange.write(RawServer.answer(200, "17 left"));
    }
  }

  private static void hang(RawServer.Exchange exchange, CountDownLatch hanging) throws IOException {
    hanging.countDown();
    exchange.hang();
  }

  private HttpGuard guard(Consumer<HttpGuard.Builder> more) {
    return HttpGuard.create(
        calls -> {
          calls.hedge(config -> config.delay(DELAY).ticker(time).scheduler(time));
          more.accept(calls);
        });
  }

  /** Lets the delay pass once the first attempt hangs. */
  private void passDelay(RawServer server) {
    server.awaitHanging();
    while (time.pendingTimers() == 0 && !Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait(); // The timer is set after the attempt has begun.
    }
    time.advance(DELAY);
  }

  /** Sends on another thread. */
  private static CompletableFuture<HttpResponse<String>> begin(
      JdkWay way, HttpGuard guard, HttpRequest request) {
    HttpClient client = guard.client(PLAIN);
    if (way == JdkWay.SEND_ASYNC) {
      return client.sendAsync(request, BodyHandlers.ofString());
    }
    CompletableFuture<HttpResponse<String>> response = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                response.complete(client.send(request, BodyHandlers.ofString()));
              } catch (Throwable thrown) {
                response.completeExceptionally(thrown);
              }
            });
    thread.start();
    return response;
  }

  private static BlockingQueue<CallFinished> finished(HttpGuard guard, RawServer server) {
    BlockingQueue<CallFinished> ends = new LinkedBlockingQueue<>();
    breaker(guard, server).on(CallFinished.class, ends::add);
    return ends;
  }

  private static CircuitBreaker breaker(HttpGuard guard, RawServer server) {
    return guard.circuitBreaker(HttpCall.of(get(server.uri())));
  }
}
