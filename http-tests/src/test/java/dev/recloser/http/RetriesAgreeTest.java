package dev.recloser.http;

import static dev.recloser.http.GuardedClientTest.ends;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.Jitter;
import dev.recloser.RetryBudget;
import dev.recloser.RetryConfig;
import dev.recloser.RetryTrail;
import dev.recloser.Scheduler;
import dev.recloser.http.ClientUnderTest.Guarded;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** One server, every client: a guard makes the same calls again, whichever it stands before. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RetriesAgreeTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final FakeTime time = FakeTime.create();
  private final Scheduler passing = new PassingTime(time);

  @ParameterizedTest
  @EnumSource
  void a_failed_answer_is_asked_for_again_when_it_says(ClientUnderTest kind) throws Exception {
    HttpGuard guard = guard(config -> config.scheduler(passing));
    try (RawServer server =
            RawServer.start(
                exchange ->
                    exchange.write(
                        exchange.number() == 1
                            ? RawServer.answer(503, "busy", "Retry-After: 20")
                            : RawServer.answer(200, "17 left")));
        Guarded client = kind.guard(guard, LIMIT)) {
      client.get(server.uri());

      assertThat(server.requests()).hasSize(2);
      assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(20));
      assertThat(ends(guard, server.uri())).as("each attempt").containsExactly(1L, 1L, 0L, 0L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_exchange_that_breaks_is_made_again(ClientUnderTest kind) throws Exception {
    HttpGuard guard = guard(config -> config.scheduler(passing));
    try (RawServer server =
            RawServer.start(
                exchange -> {
                  if (exchange.number() == 1) {
                    exchange.write("220 mail.example ESMTP\n");
                  } else {
                    exchange.write(RawServer.answer(200, "17 left"));
                  }
                });
        Guarded client = kind.guard(guard, LIMIT)) {
      client.get(server.uri());

      assertThat(server.requests()).hasSize(2);
      assertThat(ends(guard, server.uri())).containsExactly(1L, 1L, 0L, 0L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_last_answer_is_the_answer(ClientUnderTest kind) throws Exception {
    HttpGuard guard = guard(config -> config.scheduler(passing));
    try (RawServer server = RawServer.answering(503, "busy");
        Guarded client = kind.guard(guard, LIMIT)) {
      client.get(server.uri());

      assertThat(server.requests()).hasSize(3);
      assertThat(ends(guard, server.uri())).containsExactly(0L, 3L, 0L, 0L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_last_exception_tells_of_all_attempts(ClientUnderTest kind) throws Exception {
    HttpGuard guard = guard(config -> config.scheduler(passing));
    URI nobody = RawServer.refusing();
    try (Guarded client = kind.guard(guard, LIMIT)) {
      assertThatThrownBy(() -> client.get(nobody))
          .satisfies(
              thrown ->
                  assertThat(RetryTrail.of(bare(thrown)))
                      .hasValueSatisfying(trail -> assertThat(trail.attempts()).isEqualTo(3)));
    }
    assertThat(ends(guard, nobody)).containsExactly(0L, 3L, 0L, 0L);
  }

  @ParameterizedTest
  @EnumSource
  void what_is_no_failure_is_not_asked_for_again(ClientUnderTest kind) throws Exception {
    HttpGuard guard = guard(config -> config.scheduler(passing));
    for (int status : new int[] {400, 404, 501}) {
      try (RawServer server = RawServer.answering(status, "no");
          Guarded client = kind.guard(guard, LIMIT)) {
        client.get(server.uri());
        assertThat(server.requests()).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_call_that_may_not_be_made_twice_is_not(ClientUnderTest kind) throws Exception {
    HttpGuard guard =
        HttpGuard.create(
            calls ->
                calls
                    .retry(config -> config.ticker(time).scheduler(passing))
                    .idempotent(call -> !call.uri().getPath().contains("stock")));
    try (RawServer server = RawServer.answering(503, "busy");
        Guarded client = kind.guard(guard, LIMIT)) {
      client.get(server.uri());
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_is_the_end_also_between_attempts(ClientUnderTest kind) throws Exception {
    HttpGuard guard =
        guard(
            config -> config.scheduler(passing),
            calls -> calls.circuitBreaker(config -> config.slidingWindowSize(2).ticker(time)));
    try (RawServer server = RawServer.answering(503, "busy");
        Guarded client = kind.guard(guard, LIMIT)) {
      for (int i = 0; i < 2; i++) { // The first call's third attempt is refused.
        assertThatThrownBy(() -> client.get(server.uri()))
            .satisfies(
                thrown ->
                    assertThat(RefusalResponse.refusalIn(thrown))
                        .containsInstanceOf(CallNotPermittedException.class));
      }
      assertThat(server.requests()).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_budget_bounds_what_is_made_again(ClientUnderTest kind) throws Exception {
    RetryBudget budget = RetryBudget.create(1, 0, time);
    HttpGuard guard = guard(config -> config.scheduler(passing).budget(budget));
    try (RawServer server = RawServer.answering(503, "busy");
        Guarded client = kind.guard(guard, LIMIT)) {
      client.get(server.uri());
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_that_nobody_will_read_is_let_go(ClientUnderTest kind) throws Exception {
    HttpGuard guard = guard(config -> config.scheduler(passing));
    try (RawServer server =
            RawServer.start(
                exchange -> {
                  if (exchange.number() == 1) {
                    exchange.write(RawServer.head(503, 1_000_000) + "busy");
                    exchange.hang();
                  } else {
                    exchange.write(RawServer.answer(200, "17 left"));
                  }
                });
        Guarded client = kind.guard(guard, LIMIT)) {
      if (kind == ClientUnderTest.JDK_SEND || kind == ClientUnderTest.JDK_SEND_ASYNC) {
        return; // They read the whole body first, since it may be an error.
      }
      client.get(server.uri());

      server.awaitLeft();
      assertThat(ends(guard, server.uri())).containsExactly(1L, 1L, 0L, 0L);
    }
  }

  /** The sleep of fake time is over at once, so that there is no giving up in it. */
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "JDK_SEND")
  void giving_up_ends_the_wait(ClientUnderTest kind) throws Exception {
    HttpGuard guard = guard(config -> config.scheduler(time));
    try (RawServer server = RawServer.answering(503, "busy");
        Guarded client = kind.guard(guard, LIMIT)) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      Runnable giveUp = client.begin(server.uri(), end);
      while (time.pendingTimers() == 0 && !Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      giveUp.run();
      end.get(30, TimeUnit.SECONDS);

      time.advance(Duration.ofMinutes(1));
      assertThat(server.requests()).hasSize(1);
      assertThat(ends(guard, server.uri())).containsExactly(0L, 1L, 0L, 0L);
      assertThat(breaker(guard, server).snapshot().callsInFlight()).isZero();
    }
  }

  private HttpGuard guard(Consumer<RetryConfig.Builder> retry) {
    return guard(retry, calls -> {});
  }

  private HttpGuard guard(Consumer<RetryConfig.Builder> retry, Consumer<HttpGuard.Builder> more) {
    return HttpGuard.create(
        calls -> {
          calls.retry(
              config -> {
                config
                    .waitDuration(Duration.ofSeconds(1))
                    .maxWaitDuration(Duration.ofSeconds(60))
                    .jitter(Jitter.NONE)
                    .ticker(time);
                retry.accept(config);
              });
          more.accept(calls);
        });
  }

  private static CircuitBreaker breaker(HttpGuard guard, RawServer server) {
    return guard.circuitBreaker(HttpCall.of("GET", server.uri(), name -> List.of()));
  }

  /** What a future put around it is no matter here. */
  private static Throwable bare(Throwable thrown) {
    return thrown.getCause() instanceof IOException cause && RetryTrail.of(thrown).isEmpty()
        ? cause
        : thrown;
  }
}
