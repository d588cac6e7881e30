package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.PolicyEvent.UserCodeFailed;
import dev.recloser.test.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results that know what they mean are believed, unless the configuration says otherwise. */
final class JudgedResultTest extends Scenario {
  /** An answer of a server. */
  private static class Answer extends JudgedResult {
    private final Outcome outcome;
    private final @Nullable Duration retryAfter;

    Answer(Outcome outcome) {
      this(outcome, null);
    }

    Answer(Outcome outcome, @Nullable Duration retryAfter) {
      this.outcome = outcome;
      this.retryAfter = retryAfter;
    }

    @Override
    public Outcome outcome() {
      return outcome;
    }

    @Override
    public String what() {
      return "status\n503";
    }

    @Override
    public @Nullable Duration retryAfter() {
      return retryAfter;
    }
  }

  /** An answer that cannot be judged. */
  private static final class Broken extends Answer {
    Broken() {
      super(Outcome.SUCCESS);
    }

    @Override
    public Outcome outcome() {
      throw new IllegalStateException("no idea");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_breaker_believes_it(Outcome outcome) {
    CircuitBreaker breaker = small(1);

    breaker.acquire().complete(new Answer(outcome));

    CircuitBreakerMetrics metrics = breaker.metrics();
    assertThat(
            List.of(metrics.succeeded(), metrics.failed(), metrics.ignored(), metrics.cancelled()))
        .containsExactlyElementsOf(
            List.of(Outcome.values()).stream().map(o -> o == outcome ? 1L : 0L).toList());
  }

  @Test
  void what_it_is_called_stands_for_its_type_on_one_line() {
    CircuitBreaker breaker = small(1);

    breaker.acquire().complete(new Answer(Outcome.FAILURE));
    breaker.acquire().complete(new Answer(Outcome.FAILURE));

    assertThat(breaker.explain()).contains("2 of the last 2 calls failed").contains("status 503");
  }

  @Test
  void its_retry_after_lengthens_the_wait_of_the_breaker_up_to_the_cap() {
    CircuitBreaker breaker =
        small(1, settings -> settings.exponentialMaxWaitDurationInOpenState(seconds(30)));

    breaker.acquire().complete(new Answer(Outcome.FAILURE, seconds(20)));
    breaker.acquire().complete(new Answer(Outcome.FAILURE));
    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(20));

    breaker.reset();
    breaker.acquire().complete(new Answer(Outcome.FAILURE, Duration.ofDays(4_000)));
    breaker.acquire().complete(new Answer(Outcome.FAILURE));
    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(30));
  }

  @Test
  void a_plain_call_is_judged_like_one_by_hand_also_where_nothing_else_needs_the_time() {
    for (Duration slow : List.of(Duration.ZERO, seconds(1))) {
      CircuitBreaker breaker =
          small(
              1,
              settings ->
                  settings
                      .slowCallDurationThreshold(slow)
                      .exponentialMaxWaitDurationInOpenState(seconds(30)));

      Answer first = breaker.call(() -> new Answer(Outcome.FAILURE, seconds(20)));
      Answer second =
          breaker
              .callAsync(() -> CompletableFuture.completedFuture(new Answer(Outcome.FAILURE)))
              .join();

      assertThat(List.of(first, second)).hasSize(2);
      assertThat(breaker.metrics().failed()).isEqualTo(2);
      assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(20));
    }
  }

  @Test
  void the_configuration_comes_first() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .classifier(Classifier.onResult(Answer.class, a -> Outcome.IGNORED))
                    .retryAfter((result, thrown) -> seconds(7))
                    .recordResult(result -> true));

    breaker.acquire().complete(new Answer(Outcome.SUCCESS));
    assertThat(breaker.metrics().ignored()).isEqualTo(1);

    breaker.reconfigure(settings -> settings.classifier(null));
    breaker.acquire().complete(new Answer(Outcome.SUCCESS, seconds(20)));
    breaker.acquire().complete(new Answer(Outcome.SUCCESS, seconds(20)));
    assertThat(breaker).isInState(State.OPEN);
    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(7));
  }

  @Test
  void one_that_throws_is_a_failure_and_is_told() {
    CircuitBreaker breaker = small(1);
    RecordingListener events = RecordingListener.on(breaker);

    breaker.acquire().complete(new Broken());

    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(events.of(UserCodeFailed.class)).hasSize(1);
  }

  @Test
  void a_retry_believes_it_and_waits_as_long_as_it_says() {
    Retry retry =
        Retry.create(
            "inventory",
            settings ->
                settings
                    .jitter(Jitter.NONE)
                    .maxWaitDuration(seconds(60))
                    .ticker(time)
                    .scheduler(time));
    List<Answer> answers =
        new ArrayList<>(
            List.of(new Answer(Outcome.FAILURE, seconds(10)), new Answer(Outcome.SUCCESS)));

    Answer last = retry.call(() -> answers.remove(0));

    assertThat(last.outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(time.elapsed()).isEqualTo(seconds(10));
  }

  @Test
  void a_retry_leaves_what_is_not_a_failure() {
    Retry retry = Retry.create("inventory", settings -> settings.ticker(time).scheduler(time));
    List<Answer> answers =
        new ArrayList<>(List.of(new Answer(Outcome.IGNORED), new Answer(Outcome.SUCCESS)));

    assertThat(retry.call(() -> answers.remove(0)).outcome()).isEqualTo(Outcome.IGNORED);
  }

  @Test
  void one_that_is_a_failure_does_not_win_over_an_attempt_that_goes_on() {
    List<CompletableFuture<Answer>> attempts = new ArrayList<>();
    Hedge hedge = hedge();
    CompletableFuture<Answer> later = hedge.callAsync(() -> begun(attempts));
    time.advance(Duration.ofSeconds(1));
    Answer good = new Answer(Outcome.SUCCESS);

    attempts.get(1).complete(new Answer(Outcome.FAILURE));
    assertThat(later).isNotDone();
    attempts.get(0).complete(good);

    assertThat(later).isCompletedWithValue(good);
    assertThat(hedge.metrics().wonByFirst()).isEqualTo(1);
  }

  @Test
  void one_that_is_a_failure_is_the_answer_when_no_attempt_does_better() {
    List<CompletableFuture<Answer>> attempts = new ArrayList<>();
    Hedge hedge = hedge();
    CompletableFuture<Answer> later = hedge.callAsync(() -> begun(attempts));
    time.advance(Duration.ofSeconds(1));
    Answer last = new Answer(Outcome.FAILURE);

    attempts.get(0).completeExceptionally(new IllegalStateException("reset"));
    attempts.get(1).complete(last);

    assertThat(later).isCompletedWithValue(last);
    assertThat(hedge.metrics().failed()).isEqualTo(1);
  }

  @Test
  void a_hedge_takes_one_that_cannot_be_judged() {
    Answer broken = new Broken();

    assertThat(hedge().callAsync(() -> CompletableFuture.completedFuture(broken)))
        .isCompletedWithValue(broken);
  }

  private Hedge hedge() {
    return Hedge.create(
        "inventory",
        s -> s.idempotent(true).delay(Duration.ofSeconds(1)).ticker(time).scheduler(time));
  }

  private static CompletableFuture<Answer> begun(List<CompletableFuture<Answer>> attempts) {
    CompletableFuture<Answer> attempt = new CompletableFuture<>();
    attempts.add(attempt);
    return attempt;
  }
}
