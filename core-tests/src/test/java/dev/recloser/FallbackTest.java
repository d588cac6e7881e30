package dev.recloser;

import static dev.recloser.Fallback.Kind.FAILED;
import static dev.recloser.Fallback.Kind.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.test.FakeTime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a fallback answers, and what it lets pass; plain calls and stages alike. */
final class FallbackTest {
  private final IOException down = new IOException("down");

  private final FakeTime time = FakeTime.create();
  private final CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));

  /** How the call is made. */
  private enum Way {
    PLAIN,
    STAGE
  }

  private Pipeline<String> pipeline(Consumer<Fallback.Builder<String>> rules) {
    Fallback<String> fallback = Fallback.of(f -> rules.accept(f.ticker(time)));
    return Pipeline.create("orders", p -> p.fallback(fallback).circuitBreaker(breaker));
  }

  /** Makes a call that ends as the outcome says: a Throwable is thrown. */
  private static Answer<String> answer(Way way, Pipeline<String> pipeline, Object outcome)
      throws Throwable {
    if (way == Way.PLAIN) {
      return pipeline.answer(() -> outcomeOf(outcome));
    }
    CompletableFuture<Answer<String>> later =
        pipeline.answerAsync(
            () ->
                outcome instanceof Throwable thrown
                    ? CompletableFuture.failedFuture(thrown)
                    : CompletableFuture.completedFuture((String) outcome));
    assertThat(later).isDone();
    try {
      return later.join();
    } catch (CompletionException e) {
      throw ExceptionRules.unwrap(e);
    }
  }

  private static String outcomeOf(Object outcome) throws Throwable {
    if (outcome instanceof Throwable thrown) {
      throw thrown;
    }
    return (String) outcome;
  }

  private static Answer<String> live(String value) {
    return new Answer<>(value, Answer.Source.LIVE, Duration.ZERO);
  }

  private static Answer<String> fallback(String value) {
    return new Answer<>(value, Answer.Source.FALLBACK, Duration.ZERO);
  }

  private static Answer<String> stale(String value, Duration age) {
    return new Answer<>(value, Answer.Source.STALE, age);
  }

  private static Duration minutes(long minutes) {
    return Duration.ofMinutes(minutes);
  }

  private static FallbackMetrics metricsOf(Pipeline<?> pipeline) {
    assertThat(pipeline.fallbackMetrics()).hasSize(1);
    return pipeline.fallbackMetrics().get(0);
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_of_the_dependency_is_live(Way way) throws Throwable {
    Pipeline<String> pipeline = pipeline(f -> f.onFailure(failure -> "unknown"));

    assertThat(answer(way, pipeline, "stock")).isEqualTo(live("stock"));

    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(1, 0, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_is_answered_by_its_rule_and_a_failure_is_not(Way way) throws Throwable {
    Pipeline<String> pipeline = pipeline(f -> f.onRefusal(() -> "unknown"));

    assertThatThrownBy(() -> answer(way, pipeline, down)).isSameAs(down);
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    assertThat(answer(way, pipeline, "stock")).isEqualTo(fallback("unknown"));

    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(0, 1, 0, 0, 0, 1));
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_is_no_failure_and_meant_by_no_supertype_but_its_own(Way way) throws Throwable {
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    Pipeline<String> others =
        pipeline(f -> f.onFailure(e -> "failed").onException(RuntimeException.class, e -> "type"));
    Pipeline<String> named =
        pipeline(f -> f.onException(CallNotPermittedException.class, e -> e.policy()));

    assertThatThrownBy(() -> answer(way, others, "stock"))
        .isInstanceOf(CallNotPermittedException.class);
    assertThat(answer(way, named, "stock")).isEqualTo(fallback("inventory"));
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_need_not_ask_what_was_thrown(Way way) throws Throwable {
    for (Pipeline<String> pipeline :
        List.of(
            pipeline(f -> f.onFailure(() -> "nothing")),
            pipeline(f -> f.on(Fallback.Kind.FAILED).answer(() -> "nothing")))) {
      assertThat(answer(way, pipeline, new IOException("down"))).isEqualTo(fallback("nothing"));
    }
  }

  /** How a call ends that has no answer. */
  private enum End {
    REFUSED,
    TIMED_OUT,
    FAILED;

    /** A call that timed out has failed as well; a refused one was not made. */
    boolean isOf(Fallback.Kind kind) {
      return name().equals(kind.name()) || (this == TIMED_OUT && kind == Fallback.Kind.FAILED);
    }
  }

  /** Makes a call that ends like this. */
  private Answer<String> answerAt(End end, Way way, Pipeline<String> pipeline) throws Throwable {
    switch (end) {
      case REFUSED -> breaker.transitionTo(CircuitBreaker.State.FORCED_OPEN);
      case TIMED_OUT -> {
        return way == Way.PLAIN ? timedOutCall(pipeline) : timedOutStage(pipeline);
      }
      case FAILED -> {}
    }
    return answer(way, pipeline, down);
  }

  private Answer<String> timedOutCall(Pipeline<String> pipeline) throws Throwable {
    return pipeline.answer(
        () -> {
          time.advance(Duration.ofSeconds(1));
          return "too late";
        });
  }

  private Answer<String> timedOutStage(Pipeline<String> pipeline) throws Throwable {
    CompletableFuture<Answer<String>> later = pipeline.answerAsync(CompletableFuture::new);
    time.advance(Duration.ofSeconds(1));
    assertThat(later).isDone();
    try {
      return later.join();
    } catch (CompletionException e) {
      throw ExceptionRules.unwrap(e);
    }
  }

  /** One of the things that a rule can give, for calls of a kind. */
  private enum Gives {
    ANSWER,
    STALE,
    OTHER_CALL,
    EXCEPTION
  }

  private static Stream<Arguments> endsAndKinds() {
    List<Arguments> all = new ArrayList<>();
    for (Way way : Way.values()) {
      for (End end : End.values()) {
        for (Fallback.Kind kind : Fallback.Kind.values()) {
          for (Gives gives : Gives.values()) {
            all.add(Arguments.of(way, end, kind, gives));
          }
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("endsAndKinds")
  void whatever_a_rule_gives_it_gives_to_calls_of_its_kind_only(
      Way way, End end, Fallback.Kind kind, Gives gives) throws Throwable {
    CircuitBreaker backupBreaker = CircuitBreaker.create("backup", s -> s.ticker(time));
    Pipeline<String> backup = Pipeline.create("backup", p -> p.circuitBreaker(backupBreaker));
    Fallback<String> fallback =
        Fallback.of(
            f -> {
              Fallback.Case<String> rule = f.ticker(time).on(kind);
              var unused =
                  switch (gives) {
                    case ANSWER -> rule.answer(thrown -> "answer");
                    case STALE -> rule.stale(minutes(5));
                    case OTHER_CALL ->
                        way == Way.PLAIN
                            ? rule.otherCall(backup, () -> "other")
                            : rule.otherCallAsync(
                                backup, () -> CompletableFuture.completedFuture("other"));
                    case EXCEPTION -> rule.throwing(IllegalStateException::new);
                  };
            });
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.fallback(fallback)
                    .circuitBreaker(breaker)
                    .timeout(
                        s ->
                            s.timeoutDuration(Duration.ofSeconds(1)).ticker(time).scheduler(time)));
    answer(way, pipeline, "stock");

    Throwable thrown = catchThrowable(() -> answerAt(end, way, pipeline));

    FallbackMetrics counted = metricsOf(pipeline);
    assertThat(List.of(counted.fallback(), counted.stale(), counted.replaced(), counted.passedOn()))
        .isEqualTo(
            !end.isOf(kind)
                ? List.of(0L, 0L, 0L, 1L)
                : switch (gives) {
                  case ANSWER, OTHER_CALL -> List.of(1L, 0L, 0L, 0L);
                  case STALE -> List.of(0L, 1L, 0L, 0L);
                  case EXCEPTION -> List.of(0L, 0L, 1L, 0L);
                });
    assertThat(thrown == null).isEqualTo(end.isOf(kind) && gives != Gives.EXCEPTION);
    assertThat(backupBreaker.metrics().succeeded())
        .isEqualTo(end.isOf(kind) && gives == Gives.OTHER_CALL ? 1 : 0);
  }

  @ParameterizedTest
  @EnumSource
  void a_timeout_is_answered_by_its_rule_or_else_as_the_failure_that_it_is(Way way)
      throws Throwable {
    Timeout timeout =
        Timeout.create(
            "slow", s -> s.timeoutDuration(Duration.ofSeconds(1)).ticker(time).scheduler(time));
    Pipeline<String> own =
        Pipeline.create(
            "orders",
            p ->
                p.fallback(
                        f -> f.onTimeout(e -> "timed out: " + e.policy()).onFailure(e -> "failed"))
                    .timeout(timeout));
    Pipeline<String> none =
        Pipeline.create(
            "orders", p -> p.fallback(f -> f.onFailure(e -> "failed")).timeout(timeout));

    assertThat(answerAt(End.TIMED_OUT, way, own)).isEqualTo(fallback("timed out: slow"));
    assertThat(answer(way, own, down)).isEqualTo(fallback("failed"));
    assertThat(answer(way, own, new TimeoutException())).isEqualTo(fallback("failed"));
    assertThat(answerAt(End.TIMED_OUT, way, none)).isEqualTo(fallback("failed"));
  }

  @ParameterizedTest
  @EnumSource
  void a_rule_for_several_types_is_for_each_of_them(Way way) throws Throwable {
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.onException(IOException.class, IllegalStateException.class)
                    .answer(e -> "unknown"));

    assertThat(answer(way, pipeline, new FileNotFoundException())).isEqualTo(fallback("unknown"));
    assertThat(answer(way, pipeline, new IllegalStateException())).isEqualTo(fallback("unknown"));
    assertThatThrownBy(() -> answer(way, pipeline, new IllegalArgumentException()))
        .isInstanceOf(IllegalArgumentException.class);
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    assertThatThrownBy(() -> answer(way, pipeline, "stock"))
        .isInstanceOf(CallNotPermittedException.class);
  }

  /** What the fallback of a pipeline tells. */
  private static List<PolicyEvent> eventsOf(Pipeline<?> pipeline) {
    List<PolicyEvent> events = new ArrayList<>();
    Cancellable unused = pipeline.policies().get(0).on(PolicyEvent.class, events::add);
    return events;
  }

  @ParameterizedTest
  @EnumSource
  void it_tells_what_it_gave_in_place_of_what(Way way) throws Throwable {
    IllegalArgumentException replacement = new IllegalArgumentException("replaced");
    ArithmeticException own = new ArithmeticException("own");
    StackOverflowError deep = new StackOverflowError();
    IllegalStateException state = new IllegalStateException();
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.onException(IllegalStateException.class)
                    .throwing(e -> replacement)
                    .onException(
                        StackOverflowError.class,
                        e -> {
                          throw own;
                        })
                    .stale(minutes(5))
                    .onFailure(e -> "unknown"));
    List<PolicyEvent> events = eventsOf(pipeline);

    answer(way, pipeline, down);
    answer(way, pipeline, "stock");
    time.advance(minutes(1));
    answer(way, pipeline, down);
    assertThatThrownBy(() -> answer(way, pipeline, state)).isSameAs(replacement);
    assertThatThrownBy(() -> answer(way, pipeline, deep)).isSameAs(own);

    assertThat(events)
        .containsExactly(
            new FallbackEvent.Answered("orders", Answer.Source.FALLBACK, Duration.ZERO, down),
            new FallbackEvent.Answered("orders", Answer.Source.STALE, minutes(1), down),
            new FallbackEvent.Replaced("orders", state, replacement),
            new FallbackEvent.Failed("orders", deep, own));
  }

  @ParameterizedTest
  @EnumSource
  void it_tells_before_the_caller_knows(Way way) throws Throwable {
    Pipeline<String> pipeline = pipeline(f -> f.onFailure(e -> "unknown"));
    List<FallbackMetrics> seen = new ArrayList<>();
    Cancellable unused =
        pipeline
            .policies()
            .get(0)
            .on(
                FallbackEvent.Answered.class,
                event -> {
                  seen.add(metricsOf(pipeline));
                  throw new IllegalStateException("listener");
                });

    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("unknown"));

    assertThat(seen).containsExactly(new FallbackMetrics(0, 1, 0, 0, 0, 0));
  }

  @Test
  void it_explains_what_it_has_done_and_has_at_hand() throws Throwable {
    Pipeline<String> pipeline = pipeline(f -> f.stale(minutes(5)).onFailure(e -> "unknown"));
    answer(Way.PLAIN, pipeline, down);
    answer(Way.PLAIN, pipeline, "stock");
    answer(Way.PLAIN, pipeline.keyed("a"), "stock");
    answer(Way.PLAIN, pipeline, down);
    assertThatThrownBy(() -> answer(Way.PLAIN, pipeline, new CancellationException()))
        .isInstanceOf(CancellationException.class);

    assertThat(pipeline.policies().get(0).explain())
        .isEqualTo(
            "fallback orders has answered 2 of the 3 calls that did not succeed (1 with a fallback,"
                + " 1 stale), besides 2 live answers; 2 good answers at hand.");
    assertThat(Pipeline.create("stocks", p -> p.fallback(f -> f.onRefusal(() -> 0))).explain())
        .isEqualTo(
            """
            stocks:
              fallback stocks has answered 0 of the 0 calls that did not succeed (0 with a fallback,\
             0 stale), besides 0 live answers.""");
  }

  @ParameterizedTest
  @EnumSource
  void the_first_rule_that_matches_decides(Way way) throws Throwable {
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.onException(FileNotFoundException.class, e -> "no file")
                    .onException(IOException.class, Throwable::getMessage)
                    .onFailure(failure -> "failed")
                    .onException(IllegalStateException.class, e -> "never"));

    assertThat(answer(way, pipeline, new FileNotFoundException())).isEqualTo(fallback("no file"));
    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("down"));
    assertThat(answer(way, pipeline, new CompletionException(down))).isEqualTo(fallback("down"));
    assertThat(answer(way, pipeline, new IllegalStateException())).isEqualTo(fallback("failed"));
    assertThat(answer(way, pipeline, new StackOverflowError())).isEqualTo(fallback("failed"));
  }

  @ParameterizedTest
  @EnumSource
  void null_is_an_answer_like_any_other(Way way) throws Throwable {
    Pipeline<String> pipeline = pipeline(f -> f.stale(minutes(5)).onFailure(failure -> null));

    assertThat(answer(way, pipeline, down)).isEqualTo(fallback(null));
    answer(way, pipeline, null);
    assertThat(answer(way, pipeline, down)).isEqualTo(stale(null, Duration.ZERO));
  }

  @ParameterizedTest
  @EnumSource
  void a_call_that_was_given_up_is_never_answered(Way way) {
    Pipeline<String> pipeline =
        pipeline(f -> f.onFailure(failure -> "unknown").throwing(IllegalStateException::new));

    assertThatThrownBy(() -> answer(way, pipeline, new CancellationException()))
        .isInstanceOf(CancellationException.class);
    assertThatThrownBy(() -> answer(way, pipeline, new InterruptedException()))
        .isInstanceOf(InterruptedException.class);

    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(0, 0, 0, 0, 0, 2));
  }

  @Test
  void a_failure_on_an_interrupted_thread_is_not_answered() {
    Pipeline<String> pipeline = pipeline(f -> f.onFailure(failure -> "unknown"));
    Thread.currentThread().interrupt();

    Throwable thrown = catchThrowable(() -> answer(Way.PLAIN, pipeline, down));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(thrown).isSameAs(down);
  }

  @Test
  void the_interrupt_of_the_thread_that_ends_a_stage_is_not_the_callers() throws Throwable {
    Pipeline<String> pipeline = pipeline(f -> f.onFailure(failure -> "unknown"));
    Thread.currentThread().interrupt();
    try {
      assertThat(answer(Way.STAGE, pipeline, down)).isEqualTo(fallback("unknown"));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_fallback_that_fails_gives_its_own_failure_with_the_first_suppressed(Way way) {
    IllegalStateException own = new IllegalStateException("broken");
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.onFailure(
                        failure -> {
                          throw own;
                        })
                    .throwing(failure -> new AssertionError("no further rule is tried")));

    assertThatThrownBy(() -> answer(way, pipeline, down))
        .isSameAs(own)
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).containsExactly(down));

    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(0, 0, 0, 1, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void a_fallback_that_throws_the_same_again_and_again_does_not_make_it_grow(Way way) {
    IllegalStateException own = new IllegalStateException("broken");
    Pipeline<String> pipeline = pipeline(f -> f.throwing(failure -> own));

    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> answer(way, pipeline, new IOException())).isSameAs(own);
    }

    assertThat(own.getSuppressed()).hasSize(8);
  }

  @ParameterizedTest
  @EnumSource
  void another_exception_can_stand_for_refusals_and_failures(Way way) {
    Pipeline<String> pipeline =
        pipeline(f -> f.throwing(failure -> new FileNotFoundException("no stock")));

    assertThatThrownBy(() -> answer(way, pipeline, down))
        .isInstanceOf(FileNotFoundException.class)
        .hasSuppressedException(down);
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    assertThatThrownBy(() -> answer(way, pipeline, "stock"))
        .isInstanceOf(FileNotFoundException.class);

    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(0, 0, 0, 0, 2, 0));
  }

  @ParameterizedTest
  @EnumSource
  void another_exception_that_has_the_failure_as_its_cause_does_not_carry_it_twice(Way way) {
    assertThatThrownBy(
            () -> answer(way, pipeline(f -> f.throwing(IllegalStateException::new)), down))
        .hasCause(down)
        .hasNoSuppressedExceptions();
    assertThatThrownBy(() -> answer(way, pipeline(f -> f.throwing(failure -> failure)), down))
        .isSameAs(down);
  }

  @Test
  void another_exception_is_thrown_as_it_is_also_if_it_looks_like_a_wrapper() {
    CompletionException wrapper = new CompletionException(down);
    Pipeline<String> pipeline = pipeline(f -> f.throwing(failure -> wrapper));

    assertThatThrownBy(() -> answer(Way.PLAIN, pipeline, down)).isSameAs(wrapper);
  }

  @ParameterizedTest
  @EnumSource
  void no_exception_to_throw_is_a_failure_of_the_fallback(Way way) {
    assertThatThrownBy(() -> answer(way, pipeline(f -> f.throwing(failure -> null)), down))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("throwing returned null instead of an exception")
        .hasSuppressedException(down);
  }

  @ParameterizedTest
  @EnumSource
  void the_last_good_answer_is_given_with_its_age_while_it_lives(Way way) throws Throwable {
    Pipeline<String> pipeline = pipeline(f -> f.stale(minutes(5)).onFailure(failure -> "unknown"));

    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("unknown"));
    answer(way, pipeline, "old stock");
    answer(way, pipeline, "stock");
    time.advance(minutes(5));
    assertThat(answer(way, pipeline, down)).isEqualTo(stale("stock", minutes(5)));
    time.advance(Duration.ofNanos(1));
    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("unknown"));

    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(2, 2, 1, 0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void a_refused_call_gets_the_last_good_answer_too(Way way) throws Throwable {
    Pipeline<String> pipeline = pipeline(f -> f.stale(minutes(5)));
    answer(way, pipeline, "stock");
    breaker.transitionTo(CircuitBreaker.State.FORCED_OPEN);
    time.advance(minutes(1));

    assertThat(answer(way, pipeline, "new stock")).isEqualTo(stale("stock", minutes(1)));
  }

  @ParameterizedTest
  @EnumSource
  void what_a_fallback_further_in_gave_is_not_the_last_good_answer(Way way) throws Throwable {
    Fallback<String> outer = Fallback.of(f -> f.ticker(time).stale(minutes(5)));
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p -> p.fallback(outer).fallback(f -> f.onException(IOException.class, e -> "unknown")));

    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("unknown"));
    assertThatThrownBy(() -> answer(way, pipeline, new IllegalStateException()))
        .isInstanceOf(IllegalStateException.class);

    assertThat(pipeline.fallbackMetrics())
        .containsExactly(
            new FallbackMetrics(0, 1, 0, 0, 0, 1), new FallbackMetrics(0, 1, 0, 0, 0, 1));
  }

  @ParameterizedTest
  @EnumSource
  void pipelines_with_the_same_fallback_keep_their_own_answers(Way way) throws Throwable {
    Fallback<String> shared = Fallback.of(f -> f.ticker(time).stale(minutes(5)));
    Pipeline<String> stocks = Pipeline.create("stocks", p -> p.fallback(shared));
    Pipeline<String> prices = Pipeline.create("prices", p -> p.fallback(shared));
    answer(way, stocks, "stock");

    assertThatThrownBy(() -> answer(way, prices, down)).isSameAs(down);

    assertThat(metricsOf(stocks).live()).isEqualTo(1);
    assertThat(metricsOf(prices).live()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void another_call_goes_through_its_own_pipeline(Way way) throws Throwable {
    CircuitBreaker backupBreaker = CircuitBreaker.create("backup", s -> s.ticker(time));
    Pipeline<String> backup = Pipeline.create("backup", p -> p.circuitBreaker(backupBreaker));
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.otherCall(backup, () -> "other stock")
                    .otherCallAsync(
                        backup, () -> CompletableFuture.completedFuture("other stock")));

    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("other stock"));
    backupBreaker.transitionTo(CircuitBreaker.State.OPEN);
    assertThatThrownBy(() -> answer(way, pipeline, down))
        .isInstanceOf(CallNotPermittedException.class)
        .hasSuppressedException(down);

    assertThat(backupBreaker.metrics().succeeded()).isEqualTo(1);
    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(0, 1, 0, 1, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void what_is_degraded_in_the_other_pipeline_is_so_here(Way way) throws Throwable {
    Fallback<String> kept = Fallback.of(f -> f.ticker(time).stale(minutes(5)));
    Pipeline<String> backup = Pipeline.create("backup", p -> p.fallback(kept));
    answer(way, backup, "other stock");
    time.advance(minutes(2));
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.otherCall(backup, () -> outcomeOf(down))
                    .otherCallAsync(backup, () -> CompletableFuture.failedFuture(down)));

    assertThat(answer(way, pipeline, down)).isEqualTo(stale("other stock", minutes(2)));
  }

  @Test
  void another_call_of_the_wrong_kind_is_not_made() throws Throwable {
    Pipeline<String> backup = Pipeline.create("backup", p -> {});
    Pipeline<String> plain =
        pipeline(f -> f.otherCall(backup, () -> "other").onFailure(e -> "unknown"));
    Pipeline<String> staged =
        pipeline(
            f ->
                f.otherCallAsync(backup, () -> CompletableFuture.completedFuture("other"))
                    .onFailure(e -> "unknown"));

    assertThat(answer(Way.STAGE, plain, down)).isEqualTo(fallback("unknown"));
    assertThat(answer(Way.PLAIN, staged, down)).isEqualTo(fallback("unknown"));
  }

  @Test
  void cancelling_the_answer_cancels_the_call_and_asks_no_rule() {
    AtomicInteger asked = new AtomicInteger();
    Pipeline<String> pipeline =
        pipeline(f -> f.onFailure(failure -> "unknown" + asked.incrementAndGet()));
    CompletableFuture<String> call = new CompletableFuture<>();
    CompletableFuture<Answer<String>> later = pipeline.answerAsync(() -> call);

    later.cancel(true);

    assertThat(call).isCancelled();
    assertThat(asked).hasValue(0);
    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
    assertThat(breaker.snapshot().callsInFlight()).isZero();
    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(0, 0, 0, 0, 0, 1));
  }

  @Test
  void a_stage_that_is_given_up_is_counted_once_also_if_its_call_ends_well_after_that()
      throws Throwable {
    Pipeline<String> pipeline = pipeline(f -> f.stale(minutes(5)).onFailure(failure -> "unknown"));
    List<CompletableFuture<String>> uncancellable = new ArrayList<>();
    CompletableFuture<String> later =
        pipeline.callAsync(
            () -> {
              uncancellable.add(new Uncancellable());
              return uncancellable.get(0);
            });

    later.complete("given up");
    uncancellable.get(0).complete("too late");

    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(0, 0, 0, 0, 0, 1));
    assertThat(answer(Way.STAGE, pipeline, down)).isEqualTo(fallback("unknown"));
  }

  /** A call that goes on when it is cancelled. */
  private static final class Uncancellable extends CompletableFuture<String> {
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      return false;
    }
  }

  @Test
  void a_stage_that_cannot_be_waited_for_is_a_failure() {
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.fallback(f -> f.onFailure(failure -> "unknown")));
    CompletableFuture<String> deaf =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<String> whenComplete(
              BiConsumer<? super String, ? super Throwable> action) {
            throw new UnsupportedOperationException("whenComplete");
          }
        };

    assertThat(pipeline.callAsync(() -> deaf).join()).isEqualTo("unknown");

    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(0, 1, 0, 0, 0, 0));
  }

  @Test
  void cancelling_the_future_cancels_the_other_call_which_has_not_failed_then() {
    CircuitBreaker backupBreaker = CircuitBreaker.create("backup", s -> s.ticker(time));
    Pipeline<String> backup = Pipeline.create("backup", p -> p.circuitBreaker(backupBreaker));
    List<CompletableFuture<String>> made = new ArrayList<>();
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.otherCallAsync(
                    backup,
                    () -> {
                      made.add(new CompletableFuture<>());
                      return made.get(0);
                    }));
    CompletableFuture<String> call = new CompletableFuture<>();
    CompletableFuture<String> later = pipeline.callAsync(() -> call);

    assertThat(made).isEmpty();
    call.completeExceptionally(down);
    assertThat(made).hasSize(1);
    assertThat(later).isNotDone();
    later.cancel(true);

    assertThat(made.get(0)).isCancelled();
    assertThat(backupBreaker.metrics().cancelled()).isEqualTo(1);
    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(0, 0, 0, 0, 0, 1));
  }

  @Test
  void an_other_call_that_begins_as_the_caller_gives_up_is_cancelled_at_once() {
    Pipeline<String> backup = Pipeline.create("backup", p -> {});
    CompletableFuture<String> call = new CompletableFuture<>();
    CompletableFuture<String> other = new CompletableFuture<>();
    List<CompletableFuture<String>> later = new ArrayList<>();
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.otherCallAsync(
                    backup,
                    () -> {
                      later.get(0).cancel(true);
                      return other;
                    }));
    later.add(pipeline.callAsync(() -> call));

    call.completeExceptionally(down);

    assertThat(other).isCancelled();
    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(0, 0, 0, 0, 0, 1));
  }

  @Test
  void a_stage_that_starts_its_call_by_throwing_is_answered_like_one_that_failed() {
    Pipeline<String> pipeline = pipeline(f -> f.onFailure(Throwable::getMessage));

    assertThat(
            pipeline
                .callAsync(
                    () -> {
                      throw new IllegalStateException("not started");
                    })
                .join())
        .isEqualTo("not started");
  }

  @ParameterizedTest
  @EnumSource
  void what_stands_outside_a_fallback_sees_its_answer_as_a_success(Way way) throws Throwable {
    Retry retry = Retry.create("again", s -> s.ticker(time).scheduler(time));
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p -> p.circuitBreaker(breaker).retry(retry).fallback(f -> f.onFailure(e -> "unknown")));

    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("unknown"));

    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
    assertThat(retry.metrics().retries()).isZero();
  }

  @Test
  void the_source_is_that_of_the_last_attempt() throws IOException {
    Retry retry =
        Retry.create("again", s -> s.ticker(time).scheduler(time).retryOnResult("unknown"::equals));
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.retry(retry).fallback(f -> f.onFailure(e -> "unknown")));
    AtomicInteger attempts = new AtomicInteger();

    Answer<String> answer =
        pipeline.answer(
            () -> {
              if (attempts.incrementAndGet() == 1) {
                throw down;
              }
              return "stock";
            });

    assertThat(answer).isEqualTo(live("stock"));
    assertThat(metricsOf(pipeline)).isEqualTo(new FallbackMetrics(1, 1, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void a_clock_that_breaks_costs_the_stale_answer_and_nothing_else(Way way) throws Throwable {
    IllegalStateException broken = new IllegalStateException("broken clock");
    Fallback<String> fallback =
        Fallback.of(
            f ->
                f.stale(minutes(5))
                    .onFailure(failure -> "unknown")
                    .ticker(
                        () -> {
                          throw broken;
                        }));
    Pipeline<String> pipeline = Pipeline.create("orders", p -> p.fallback(fallback));
    List<PolicyEvent> events = eventsOf(pipeline);

    assertThat(answer(way, pipeline, "stock")).isEqualTo(live("stock"));
    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("unknown"));

    assertThat(events).first().isEqualTo(new PolicyEvent.UserCodeFailed("orders", "stale", broken));
  }

  @Test
  void a_pipeline_describes_its_rules_in_their_order() {
    Pipeline<String> backup = Pipeline.create("backup", p -> {});
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.fallback(
                    f ->
                        f.onRefusal(() -> "unknown")
                            .onException(IOException.class, e -> "unknown")
                            .stale(minutes(5))
                            .otherCall(backup, () -> "other")
                            .onTimeout(() -> "unknown")
                            .onFailure(e -> "unknown")
                            .on(REFUSED, FAILED)
                            .stale(minutes(5), 10)
                            .onException(IOException.class, IllegalStateException.class)
                            .answer(e -> "unknown")
                            .throwing(IllegalStateException::new)));

    assertThat(pipeline.describe())
        .isEqualTo(
            """
            orders:
              fallback orders onRefusal, onException IOException, stale 5 min, otherCall backup,\
             onTimeout, onFailure, on REFUSED or FAILED stale 5 min for up to 10 keys,\
             onException IOException or IllegalStateException, throwing
              the call""");
  }

  @ParameterizedTest
  @EnumSource
  void a_failed_result_is_not_kept_and_gets_the_last_good_one(Way way) throws Throwable {
    Pipeline<String> pipeline =
        pipeline(f -> f.recordResult("500"::equals).stale(Duration.ofMinutes(5)));

    assertThat(answer(way, pipeline, "500")).as("none is at hand").isEqualTo(live("500"));
    assertThat(answer(way, pipeline, "200")).isEqualTo(live("200"));
    for (Object failure : List.of("500", down)) {
      time.advance(Duration.ofSeconds(1));
      assertThat(answer(way, pipeline, failure).value()).as("for %s", failure).isEqualTo("200");
    }

    assertThat(pipeline.fallbackMetrics()).containsExactly(new FallbackMetrics(1, 0, 2, 0, 0, 1));
  }

  @ParameterizedTest
  @EnumSource
  void rules_see_a_failed_result_as_a_failure(Way way) throws Throwable {
    List<Throwable> seen = new ArrayList<>();
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.recordResult("500"::equals)
                    .onRefusal(() -> "refused")
                    .onFailure(
                        failure -> {
                          seen.add(failure);
                          return "unknown";
                        }));

    assertThat(answer(way, pipeline, "500")).isEqualTo(fallback("unknown"));

    assertThat(seen)
        .singleElement()
        .isInstanceOfSatisfying(
            FailedResultException.class, failure -> assertThat(failure.result()).isEqualTo("500"))
        .extracting(Throwable::getMessage)
        .isEqualTo("orders takes a result for a failure, of type String");
  }

  @ParameterizedTest
  @EnumSource
  void a_predicate_of_results_that_throws_costs_nobody_the_result(Way way) throws Throwable {
    RuntimeException broken = new IllegalStateException("broken");
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.recordResult(
                        result -> {
                          throw broken;
                        })
                    .stale(Duration.ofMinutes(5))
                    .onFailure(failure -> "unknown"));
    List<PolicyEvent.UserCodeFailed> told = new ArrayList<>();
    Cancellable listening = pipeline.on(PolicyEvent.UserCodeFailed.class, told::add);

    assertThat(answer(way, pipeline, "stock")).isEqualTo(live("stock"));
    assertThat(answer(way, pipeline, down)).as("nothing was kept").isEqualTo(fallback("unknown"));

    assertThat(told)
        .containsExactly(new PolicyEvent.UserCodeFailed("orders", "recordResult", broken));
    listening.cancel();
    assertThat(answer(way, pipeline, "stock")).isEqualTo(live("stock"));
    assertThat(told).hasSize(1);
  }

  @Test
  void answers_of_a_fallback_inside_are_not_judged() throws Throwable {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.fallback(f -> f.recordResult("none"::equals).onFailure(failure -> "outer"))
                    .fallback(f -> f.onFailure(failure -> "none")));

    assertThat(answer(Way.PLAIN, pipeline, down)).isEqualTo(fallback("none"));
  }

  @Test
  void a_call_without_a_result_gets_no_stale_one() {
    Pipeline<String> pipeline = pipeline(f -> f.stale(Duration.ofMinutes(5)));
    pipeline.run(() -> {});

    assertThatThrownBy(
            () ->
                pipeline.run(
                    () -> {
                      throw down;
                    }))
        .isSameAs(down);
    assertThat(pipeline.explain()).contains("0 good answers at hand");
  }

  @ParameterizedTest
  @EnumSource
  void a_rule_can_be_for_what_a_predicate_matches_refusals_among_it(Way way) throws Throwable {
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.onException(
                        thrown -> thrown == down || thrown instanceof CallNotPermittedException)
                    .answer(thrown -> "instead of " + thrown.getClass().getSimpleName()));

    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("instead of IOException"));
    assertThatThrownBy(() -> answer(way, pipeline, new IOException("other")))
        .isInstanceOf(IOException.class);
    breaker.transitionTo(CircuitBreaker.State.FORCED_OPEN);
    assertThat(answer(way, pipeline, "stock"))
        .isEqualTo(fallback("instead of CallNotPermittedException"));
  }

  @ParameterizedTest
  @EnumSource
  void a_predicate_that_throws_leaves_the_call_to_the_next_rule(Way way) throws Throwable {
    IllegalStateException broken = new IllegalStateException("broken");
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.onException(
                        thrown -> {
                          throw broken;
                        })
                    .answer(() -> "never")
                    .onFailure(() -> "next"));
    List<PolicyEvent.UserCodeFailed> told = new ArrayList<>();
    Cancellable listening = pipeline.on(PolicyEvent.UserCodeFailed.class, told::add);

    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("next"));
    listening.cancel();

    assertThat(told)
        .containsExactly(new PolicyEvent.UserCodeFailed("orders", "onException", broken));
  }

  @ParameterizedTest
  @EnumSource
  void what_was_given_up_is_answered_only_if_that_is_wanted(Way way) throws Throwable {
    CancellationException givenUp = new CancellationException();
    Pipeline<String> usual = pipeline(f -> f.onFailure(() -> "unknown"));
    Pipeline<String> strict = pipeline(f -> f.answerGivenUp(true).onFailure(() -> "unknown"));

    // From a future, newer JDKs throw another one, with this as its cause.
    assertThatThrownBy(() -> answer(way, usual, givenUp)).isInstanceOf(CancellationException.class);
    assertThat(answer(way, strict, givenUp)).isEqualTo(fallback("unknown"));
    assertThat(answer(way, strict, new InterruptedException())).isEqualTo(fallback("unknown"));
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_can_be_made_of_the_key(Way way) throws Throwable {
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.on(FAILED)
                    .answer((key, thrown) -> key + " " + thrown.getMessage())
                    .onFailure(() -> "no key"));

    assertThat(answer(way, pipeline.keyed("sku"), down)).isEqualTo(fallback("sku down"));
    assertThat(answer(way, pipeline, down)).isEqualTo(fallback("no key"));
  }

  @Test
  void a_stage_can_be_made_of_the_key_and_ends_with_the_call() {
    List<CompletableFuture<String>> started = new ArrayList<>();
    Pipeline<String> pipeline =
        pipeline(
            f ->
                f.on(FAILED)
                    .answerAsync(
                        (key, thrown) -> {
                          CompletableFuture<String> stage = new CompletableFuture<>();
                          started.add(stage);
                          return stage;
                        })
                    .onFailure(() -> "plain"));
    CompletableFuture<String> given =
        pipeline.keyed("sku").callAsync(() -> CompletableFuture.failedFuture(down));
    CompletableFuture<String> failed =
        pipeline.keyed("sku").callAsync(() -> CompletableFuture.failedFuture(down));
    CompletableFuture<String> cancelled =
        pipeline.keyed("sku").callAsync(() -> CompletableFuture.failedFuture(down));

    IOException own = new IOException("own");
    started.get(0).complete("stock");
    started.get(1).completeExceptionally(own);
    cancelled.cancel(true);

    assertThat(given).isCompletedWithValue("stock");
    assertThat(catchThrowable(failed::join)).hasCause(own);
    assertThat(own).hasSuppressedException(down);
    assertThat(started.get(2)).isCancelled();
    assertThat(pipeline.keyed("sku").<RuntimeException>call(() -> sneaky(down))).isEqualTo("plain");
  }

  private static <X extends Throwable> String sneaky(Throwable thrown) throws X {
    @SuppressWarnings("unchecked")
    X unchecked = (X) thrown;
    throw unchecked;
  }

  @Test
  void all_faults_are_told_at_once() {
    assertThatThrownBy(() -> Fallback.of(f -> {}))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            """
            A fallback cannot be configured like this:
              - rules: none (expected: at least one)""");
    assertThatThrownBy(
            () ->
                Fallback.<String>of(
                    f ->
                        f.stale(Duration.ZERO, 0)
                            .onException(CancellationException.class, e -> "unknown")
                            .onException()
                            .throwing(IllegalStateException::new)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            """
            A fallback cannot be configured like this:
              - stale: 0 s (expected: more than zero, at most 36,500 days)
              - stale maxEntries: 0 (expected: at least 1)
              - onException: java.util.concurrent.CancellationException (expected: neither\
             cancellation nor interruption)
              - onException: none (expected: at least one type)""");
  }
}
