package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Calls that are made by hand under a retry. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RetriedCallTest {
  private final IOException down = new IOException("down");

  private final FakeTime time = FakeTime.create();
  private final Retry retry = retry(config -> config.maxAttempts(3));

  @Test
  void a_failure_is_followed_by_a_wait_and_another_attempt() {
    RetriedCall call = retry.begin();

    CompletableFuture<Void> due = call.ended(null, down).orElseThrow();
    assertThat(due).isNotDone();
    assertThat(retry.metrics().retries()).isZero();
    time.advance(Duration.ofSeconds(1));
    assertThat(due).isCompleted();
    assertThat(retry.metrics().retries()).isEqualTo(1);

    assertThat(call.ended("17 left", null)).isEmpty();
    assertThat(retry.metrics().succeededAfterRetry()).isEqualTo(1);
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void the_last_attempt_has_the_trail_of_all() {
    RetriedCall call = retry.begin();
    for (int i = 0; i < 2; i++) {
      assertThat(call.ended(null, new IOException("attempt " + i))).isPresent();
      time.advance(Duration.ofSeconds(2));
    }
    IOException last = new IOException("last");

    assertThat(call.ended(null, last)).isEmpty();
    assertThat(RetryTrail.of(last))
        .hasValueSatisfying(trail -> assertThat(trail.attempts()).isEqualTo(3));
    assertThat(last).hasSuppressedException(last.getSuppressed()[0]);
    assertThat(last.getSuppressed()[0]).hasMessage("attempt 1");
    assertThat(retry.metrics().exhausted()).isEqualTo(1);
  }

  @Test
  void a_result_that_says_that_it_is_a_failure_waits_as_long_as_it_says() {
    CompletableFuture<Void> due =
        retry.begin().ended(new Busy(Duration.ofSeconds(7)), null).orElseThrow();
    time.advance(Duration.ofSeconds(6));
    assertThat(due).isNotDone();
    time.advance(Duration.ofSeconds(1));
    assertThat(due).isCompleted();
  }

  @Test
  void successes_and_refusals_are_the_end() {
    assertThat(retry.begin().ended("17 left", null)).isEmpty();
    CircuitBreaker open = CircuitBreaker.create("inventory", config -> config.ticker(time));
    open.transitionTo(CircuitBreaker.State.OPEN);
    assertThatThrownBy(open::acquire)
        .satisfies(refused -> assertThat(retry.begin().ended(null, refused)).isEmpty());

    assertThat(retry.metrics().succeeded()).isEqualTo(1);
    assertThat(retry.metrics().notRetried()).isEqualTo(1);
  }

  @Test
  void cancelling_the_wait_gives_up() {
    RetriedCall call = retry.begin();
    CompletableFuture<Void> due = call.ended(null, down).orElseThrow();
    due.cancel(true);

    assertThat(time.pendingTimers()).isZero();
    assertThat(retry.metrics().cancelled()).isEqualTo(1);
    assertThat(call.ended(null, down)).as("afterwards").isEmpty();
    call.giveUp();
    assertThat(retry.metrics().calls()).isEqualTo(1);
  }

  @Test
  void who_has_given_up_makes_no_other_attempt() {
    RetriedCall call = retry.begin();
    call.giveUp();
    assertThat(call.ended(null, new CancellationException())).isEmpty();
    assertThat(retry.metrics().cancelled()).isEqualTo(1);
    assertThat(retry.metrics().calls()).isEqualTo(1);
  }

  @Test
  void no_wait_is_begun_that_would_end_after_the_deadline() {
    RetriedCall call = Deadline.after(Duration.ofMillis(500), time).call(retry::begin);
    assertThat(call.ended(null, down)).isEmpty();
    assertThat(retry.metrics().exhausted()).isEqualTo(1);
  }

  @Test
  void a_call_that_a_timeout_around_it_has_ended_is_not_made_again() {
    Timeout timeout =
        Timeout.create(
            "call",
            config -> config.timeoutDuration(Duration.ofSeconds(5)).ticker(time).scheduler(time));
    List<Boolean> again = new ArrayList<>();
    assertThatThrownBy(
            () ->
                timeout.run(
                    () -> {
                      RetriedCall call = retry.begin();
                      time.advance(Duration.ofSeconds(5));
                      assertThat(Thread.interrupted()).isTrue();
                      again.add(call.ended(null, down).isPresent());
                    }))
        .isInstanceOf(TimeoutExceededException.class);
    assertThat(again).containsExactly(false);
  }

  @Test
  void without_a_timer_the_last_attempt_stands() {
    Retry broken =
        Retry.create(
            "inventory",
            config ->
                config.scheduler(
                    (task, delay) -> {
                      throw new IllegalStateException("no timers");
                    }));
    assertThat(broken.begin().ended(null, down)).isEmpty();
    assertThat(broken.metrics().cancelled()).isEqualTo(1);
  }

  private Retry retry(Consumer<RetryConfig.Builder> more) {
    return Retry.create(
        "inventory",
        config -> {
          config
              .waitDuration(Duration.ofSeconds(1))
              .jitter(Jitter.NONE)
              .ticker(time)
              .scheduler(time);
          more.accept(config);
        });
  }

  /** An answer that is a failure. */
  private static final class Busy extends JudgedResult {
    private final Duration retryAfter;

    Busy(Duration retryAfter) {
      this.retryAfter = retryAfter;
    }

    @Override
    public Outcome outcome() {
      return Outcome.FAILURE;
    }

    @Override
    public String what() {
      return "busy";
    }

    @Override
    public Duration retryAfter() {
      return retryAfter;
    }
  }
}
