package dev.recloser.http;

import static dev.recloser.http.GuardedClientTest.ends;
import static dev.recloser.http.GuardedClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.Jitter;
import dev.recloser.Outcome;
import dev.recloser.Retry;
import dev.recloser.RetryConfig;
import dev.recloser.RetryRegistry;
import dev.recloser.RetryTrail;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guarded JDK client makes again; waits are on fake time, servers are real. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class GuardedClientRetryTest {
  private static final HttpClient PLAIN =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final FakeTime time = FakeTime.create();

  @Test
  void an_answer_that_is_a_failure_is_asked_for_again_and_waits_as_long_as_it_says()
      throws Exception {
    HttpGuard guard = guard(calls -> {});
    try (RawServer server = busyOnce("Retry-After: 20")) {
      HttpResponse<String> response =
          guard.client(PLAIN).send(get(server.uri()), BodyHandlers.ofString());

      assertThat(response.body()).isEqualTo("17 left");
      assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(20));
      assertThat(ends(guard, server.uri())).as("each attempt").containsExactly(1L, 1L, 0L, 0L);
    }
  }

  @Test
  void a_body_that_is_an_error_is_asked_for_again() throws Exception {
    HttpGuard guard =
        guard(calls -> calls.outcomes(rows -> rows.body("busy"::equals, Outcome.FAILURE)));
    try (RawServer server =
        RawServer.start(
            exchange ->
                exchange.write(
                    RawServer.answer(200, exchange.number() == 1 ? "busy" : "17 left")))) {
      assertThat(guard.client(PLAIN).send(get(server.uri()), BodyHandlers.ofString()).body())
          .isEqualTo("17 left");
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_last_attempt_is_what_the_caller_gets(JdkWay way) throws Exception {
    HttpGuard guard =
        HttpGuard.create(calls -> calls.retry(config -> config.waitDuration(Duration.ZERO)));
    HttpClient client = guard.client(PLAIN);
    try (RawServer busy = RawServer.answering(503, "busy");
        RawServer broken =
            RawServer.start(exchange -> exchange.write(RawServer.head(200, 100) + "17"))) {
      assertThat(way.send(client, get(busy.uri()), BodyHandlers.ofString()).statusCode())
          .isEqualTo(503);
      assertThat(busy.requests()).hasSize(3);

      assertThatThrownBy(() -> way.send(client, get(broken.uri()), BodyHandlers.ofString()))
          .isInstanceOf(IOException.class)
          .satisfies(thrown -> assertThat(RetryTrail.of(thrown)).isPresent());
      assertThat(broken.requests()).hasSize(3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 404, 501})
  void what_is_no_failure_is_not_asked_for_again(int status) throws Exception {
    try (RawServer server = RawServer.answering(status, "no")) {
      guard(calls -> {}).client(PLAIN).send(get(server.uri()), BodyHandlers.ofString());
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void a_post_is_repeated_only_with_an_idempotency_key() throws Exception {
    HttpClient client = guard(calls -> {}).client(PLAIN);
    try (RawServer server = RawServer.answering(503, "busy")) {
      HttpRequest.Builder post =
          HttpRequest.newBuilder(server.uri()).POST(HttpRequest.BodyPublishers.ofString("17"));

      client.send(post.build(), BodyHandlers.ofString());
      assertThat(server.requests()).containsExactly("POST /stock/17 HTTP/1.1");

      client.send(post.header("Idempotency-Key", "4711").build(), BodyHandlers.ofString());
      assertThat(server.requests()).hasSize(4);
    }
  }

  @Test
  void a_refusal_is_not_asked_for_again() throws Exception {
    HttpGuard guard = guard(calls -> {});
    URI nobody = RawServer.refusing();
    guard.circuitBreaker(HttpCall.of(get(nobody))).transitionTo(CircuitBreaker.State.OPEN);

    assertThatThrownBy(() -> guard.client(PLAIN).send(get(nobody), BodyHandlers.ofString()))
        .isInstanceOf(CallNotPermittedException.class);
    assertThat(time.elapsed()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void a_request_that_the_client_does_not_take_is_not_sent_again_whatever_is_ignored(JdkWay way) {
    HttpRequest request = new StrangeRequest(URI.create("gopher://127.0.0.1/"));
    HttpGuard guard = HttpGuard.create(calls -> calls.retry(this::ignoringSome));

    assertThatThrownBy(() -> way.send(guard.client(PLAIN), request, BodyHandlers.ofString()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(time.elapsed()).isZero();
    assertThat(ends(guard, request.uri())).containsExactly(0L, 0L, 1L, 0L);
  }

  @Test
  void nor_is_it_by_a_retry_from_elsewhere() {
    HttpRequest request = new StrangeRequest(URI.create("gopher://127.0.0.1/"));
    RetryRegistry retries = RetryRegistry.create(all -> all.defaultConfig(this::quickly));
    HttpGuard guard = HttpGuard.create(calls -> calls.retries(retries::retry));

    assertThatThrownBy(() -> guard.client(PLAIN).send(request, BodyHandlers.ofString()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(time.elapsed()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void a_body_that_the_caller_cannot_make_is_not_asked_for_again(JdkWay way) throws Exception {
    HttpGuard guard = guard(calls -> {});
    AtomicInteger asked = new AtomicInteger();
    try (RawServer server = RawServer.answering(200, "17 left")) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri())
              .PUT(
                  HttpRequest.BodyPublishers.ofInputStream(
                      () -> {
                        asked.incrementAndGet();
                        throw new IllegalStateException("no file");
                      }))
              .build();

      assertThatThrownBy(() -> way.send(guard.client(PLAIN), request, BodyHandlers.ofString()))
          .hasStackTraceContaining("no file");
      assertThat(asked).hasValue(1);
      assertThat(time.elapsed()).isZero();
    }
  }

  @Test
  void what_gives_retries_can_throw_into_the_future_only() {
    HttpGuard guard =
        HttpGuard.create(
            calls ->
                calls.retries(
                    name -> {
                      throw new IllegalStateException("no such retry: " + name);
                    }));

    assertThat(
            guard
                .client(PLAIN)
                .sendAsync(get(URI.create("http://127.0.0.1:1/")), BodyHandlers.ofString()))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withMessageContaining("no such retry");
  }

  private void quickly(RetryConfig.Builder config) {
    config.jitter(Jitter.NONE).ticker(time).scheduler(time);
  }

  private void ignoringSome(RetryConfig.Builder config) {
    quickly(config);
    config.ignoreExceptions(IllegalStateException.class);
  }

  @Test
  void a_body_that_nobody_will_read_is_let_go() throws Exception {
    HttpGuard guard = guard(calls -> {});
    try (RawServer server =
        RawServer.start(
            exchange -> {
              if (exchange.number() == 1) {
                exchange.write(RawServer.head(503, 1_000_000) + "busy");
                exchange.hang();
              } else {
                exchange.write(RawServer.answer(200, "17 left"));
              }
            })) {
      HttpResponse<InputStream> response =
          guard.client(PLAIN).send(get(server.uri()), BodyHandlers.ofInputStream());

      assertThat(response.body().readAllBytes()).asString().isEqualTo("17 left");
      server.awaitLeft();
    }
  }

  @Test
  void a_time_out_of_the_caller_is_a_failure_as_without_a_retry() throws Exception {
    HttpGuard guard = guard(calls -> {});
    BlockingQueue<CallFinished> ends = new LinkedBlockingQueue<>();
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      guard.circuitBreaker(HttpCall.of(get(server.uri()))).on(CallFinished.class, ends::add);
      CompletableFuture<HttpResponse<String>> response =
          guard.client(PLAIN).sendAsync(get(server.uri()), BodyHandlers.ofString());
      server.awaitHanging();

      assertThatThrownBy(
              () -> response.orTimeout(1, TimeUnit.MILLISECONDS).get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class);
      server.awaitLeft();
      assertThat(ends.poll(30, TimeUnit.SECONDS).outcome()).isEqualTo(Outcome.FAILURE);
    }
  }

  @Test
  void so_it_is_through_a_retry_around_the_client() throws Exception {
    HttpGuard guard = HttpGuard.create();
    Retry around = Retry.create("around", this::quickly);
    BlockingQueue<CallFinished> ends = new LinkedBlockingQueue<>();
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      guard.circuitBreaker(HttpCall.of(get(server.uri()))).on(CallFinished.class, ends::add);
      CompletableFuture<HttpResponse<String>> response =
          around.callAsync(
              () -> guard.client(PLAIN).sendAsync(get(server.uri()), BodyHandlers.ofString()));
      server.awaitHanging();
      response.completeExceptionally(new TimeoutException("no time left"));

      server.awaitLeft();
      assertThat(ends.poll(30, TimeUnit.SECONDS).outcome()).isEqualTo(Outcome.FAILURE);
    }
  }

  @Test
  void giving_up_is_no_evidence() throws Exception {
    HttpGuard guard = guard(calls -> {});
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      CompletableFuture<HttpResponse<String>> response =
          guard.client(PLAIN).sendAsync(get(server.uri()), BodyHandlers.ofString());
      server.awaitHanging();
      response.cancel(true);

      server.awaitLeft();
      assertThat(ends(guard, server.uri())).containsExactly(0L, 0L, 0L, 1L);
    }
  }

  /** Retries on fake time, without chance in their waits. */
  private HttpGuard guard(Consumer<HttpGuard.Builder> more) {
    return HttpGuard.create(
        calls -> {
          calls.retry(
              config ->
                  config
                      .waitDuration(Duration.ofSeconds(1))
                      .maxWaitDuration(Duration.ofSeconds(60))
                      .jitter(Jitter.NONE)
                      .ticker(time)
                      .scheduler(time));
          more.accept(calls);
        });
  }

  private static RawServer busyOnce(String header) throws IOException {
    return RawServer.start(
        exchange ->
            exchange.write(
                exchange.number() == 1
                    ? RawServer.answer(503, "busy", header)
                    : RawServer.answer(200, "17 left")));
  }
}
