package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.PolicyEvent.UserCodeFailed;
import dev.recloser.test.RecordingListener;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an end of a call is: success, failure, ignored or cancelled (S3 to S5). */
final class ClassificationTest extends Scenario {

  /** A failure whose own text fails. */
  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no words");
    }
  }

  /** A wrapper without something inside. */
  private static final class EmptyWrapper extends CompletionException {
    private static final long serialVersionUID = 1L;

    EmptyWrapper() {
      super("nothing inside");
    }
  }

  /** A refusal by a policy of this library other than a breaker. */
  private static final class Rejection extends CallRejectedException {
    private static final long serialVersionUID = 1L;

    Rejection() {
      super("full", false);
    }

    @Override
    public String policy() {
      return "pool";
    }
  }

  static List<Arguments> defaults() {
    return List.of(
        Arguments.of(new IOException(), Outcome.FAILURE),
        Arguments.of(new RuntimeException(), Outcome.FAILURE),
        Arguments.of(new Error(), Outcome.FAILURE),
        Arguments.of(new OutOfMemoryError(), Outcome.FAILURE),
        Arguments.of(new StackOverflowError(), Outcome.FAILURE),
        Arguments.of(new Throwable(), Outcome.FAILURE),
        Arguments.of(new TimeoutException(), Outcome.FAILURE),
        Arguments.of(new CancellationException(), Outcome.CANCELLED),
        Arguments.of(new InterruptedException(), Outcome.CANCELLED),
        Arguments.of(new Rejection(), Outcome.IGNORED),
        Arguments.of(new CompletionException(new IOException()), Outcome.FAILURE),
        Arguments.of(new CompletionException(new CancellationException()), Outcome.CANCELLED),
        Arguments.of(new ExecutionException(new InterruptedException()), Outcome.CANCELLED),
        Arguments.of(new ExecutionException(new Rejection()), Outcome.IGNORED),
        Arguments.of(new InvocationTargetException(new Rejection()), Outcome.IGNORED),
        Arguments.of(new UndeclaredThrowableException(new Rejection()), Outcome.IGNORED),
        Arguments.of(
            new CompletionException(new ExecutionException(new Rejection())), Outcome.IGNORED),
        Arguments.of(new CallRefusedIoException(new Rejection()), Outcome.IGNORED),
        Arguments.of(new RuntimeException(new Rejection()), Outcome.FAILURE),
        Arguments.of(new UncheckedIOException(new IOException()), Outcome.FAILURE),
        Arguments.of(new EmptyWrapper(), Outcome.FAILURE),
        Arguments.of(new Unspeakable(), Outcome.FAILURE));
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void by_default(Throwable thrown, Outcome expected) {
    assertThat(Classifier.defaults().classify(null, thrown)).isEqualTo(expected);
    assertThat(outcome(settings -> {}, thrown)).isEqualTo(expected);
  }

  @Test
  void by_default_every_result_is_a_success_null_included() {
    assertThat(Classifier.defaults().classify("fine", null)).isEqualTo(Outcome.SUCCESS);
    assertThat(Classifier.defaults().classify(null, null)).isEqualTo(Outcome.SUCCESS);
  }

  static List<Arguments> listed() {
    return List.of(
        // Listed, subclasses included.
        Arguments.of(new IOException(), Outcome.FAILURE),
        Arguments.of(new FileNotFoundException(), Outcome.FAILURE),
        Arguments.of(new CompletionException(new IOException()), Outcome.FAILURE),
        // Both recorded and ignored.
        Arguments.of(new SocketTimeoutException(), Outcome.IGNORED),
        // Ignored.
        Arguments.of(new IllegalArgumentException(), Outcome.IGNORED),
        Arguments.of(new NumberFormatException(), Outcome.IGNORED),
        // Neither.
        Arguments.of(new IllegalStateException(), Outcome.IGNORED),
        Arguments.of(new Error(), Outcome.IGNORED),
        // Never a failure unless named itself.
        Arguments.of(new CancellationException(), Outcome.CANCELLED),
        Arguments.of(new InterruptedException(), Outcome.CANCELLED),
        Arguments.of(new Rejection(), Outcome.IGNORED));
  }

  @ParameterizedTest
  @MethodSource("listed")
  void with_lists(Throwable thrown, Outcome expected) {
    assertThat(
            outcome(
                settings ->
                    settings
                        .recordExceptions(IOException.class)
                        .ignoreExceptions(
                            SocketTimeoutException.class, IllegalArgumentException.class),
                thrown))
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("B1: an Error is a failure like any other")
  void error_is_a_failure() {
    CircuitBreaker breaker = small(1);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(
              () ->
                  breaker.run(
                      () -> {
                        throw new StackOverflowError();
                      }))
          .isInstanceOf(StackOverflowError.class);
    }
    assertThat(breaker).isOpen().hasNoCallsInFlight();
  }

  @Test
  @DisplayName("B4: a result predicate that throws completes the stage and counts as a failure")
  void throwing_result_predicate() {
    IllegalStateException broken = new IllegalStateException("broken predicate");
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings.recordResult(
                    result -> {
                      throw broken;
                    }));
    RecordingListener heard = RecordingListener.on(breaker);

    CompletableFuture<String> answer =
        breaker.callAsync(() -> CompletableFuture.completedFuture("fine"));

    assertThat(answer).isCompletedWithValue("fine");
    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(breaker).hasNoCallsInFlight();
    assertThat(heard.of(UserCodeFailed.class))
        .containsExactly(new UserCodeFailed("inventory", "classifier", broken));
  }

  @Test
  @DisplayName("B4: an exception predicate that throws leaves the caller its own exception")
  void throwing_exception_predicate() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings.ignoreException(
                    thrown -> {
                      throw new IllegalStateException("broken predicate");
                    }));
    IOException own = new IOException("own");

    CompletableFuture<String> answer = breaker.callAsync(() -> CompletableFuture.failedFuture(own));

    assertThat(answer).isCompletedExceptionally();
    assertThatThrownBy(answer::join).hasCause(own);
    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(breaker).hasNoCallsInFlight();
  }

  @Test
  @DisplayName("B4: a predicate that throws loses no probe")
  void throwing_predicate_loses_no_probe() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings.classifier(
                    (result, thrown) -> {
                      throw new IllegalStateException("broken classifier");
                    }));
    openAndProbe(breaker).complete("fine");
    assertThat(breaker).isOpen();
    waitAndProbe(breaker).close();
    assertThat(breaker.snapshot().probesLeft()).isEqualTo(1);
  }

  @Test
  @DisplayName("B19: the result predicate is asked about null")
  void null_results_are_judged() {
    CircuitBreaker breaker = small(1, settings -> settings.recordResult(result -> result == null));

    assertThat(breaker.<Object, RuntimeException>call(() -> null)).isNull();
    breaker.run(() -> {});

    assertThat(breaker).isOpen().hasFailureRate(100);
    assertThat(breaker.transitions().get(0).failures())
        .extracting(FailureSample::type)
        .containsExactly("null", "null");
  }

  @Test
  @DisplayName("B20: a wrapper without a cause is classified itself")
  void wrapper_without_a_cause() {
    CircuitBreaker breaker =
        small(1, settings -> settings.recordException(CompletionException.class::isInstance));

    breaker.acquire().fail(new EmptyWrapper());
    breaker.acquire().fail(new EmptyWrapper());

    assertThat(breaker).isOpen();
  }

  @Test
  @DisplayName("B21: an exception that is not listed is ignored, and no success")
  void unlisted_exceptions_are_ignored() {
    CircuitBreaker breaker = small(1, settings -> settings.recordExceptions(IOException.class));

    breaker.acquire().fail(new IllegalStateException());
    breaker.acquire().fail(new IllegalStateException());

    assertThat(breaker.snapshot().window().calls()).isZero();
    assertThat(breaker.metrics().ignored()).isEqualTo(2);
    assertThat(breaker.metrics().succeeded()).isZero();
  }

  @ParameterizedTest
  @MethodSource("unlistedOutcomes")
  @DisplayName("B21: what an unlisted exception is can be chosen")
  void unlisted_exceptions_are_what_was_chosen(Outcome chosen) {
    assertThat(
            outcome(
                settings -> settings.recordExceptions(IOException.class).unlistedExceptions(chosen),
                new IllegalStateException()))
        .isEqualTo(chosen);
  }

  static List<Outcome> unlistedOutcomes() {
    return List.of(Outcome.IGNORED, Outcome.SUCCESS, Outcome.FAILURE);
  }

  @Test
  void an_unlisted_exception_in_a_probe_gives_the_slot_back() {
    CircuitBreaker breaker = small(1, settings -> settings.recordExceptions(IOException.class));
    openAndProbe(breaker).fail(new IllegalStateException());

    assertThat(breaker).isHalfOpen();
    assertThat(breaker.snapshot().probesLeft()).isEqualTo(1);
  }

  @Test
  void special_exceptions_are_failures_where_they_are_named_themselves() {
    Consumer<CircuitBreakerConfig.Builder> named =
        settings ->
            settings.recordExceptions(
                CancellationException.class,
                InterruptedException.class,
                CallRejectedException.class);

    assertThat(outcome(named, new CancellationException())).isEqualTo(Outcome.FAILURE);
    assertThat(outcome(named, new InterruptedException())).isEqualTo(Outcome.FAILURE);
    assertThat(outcome(named, new Rejection())).isEqualTo(Outcome.FAILURE);
  }

  @Test
  void ignored_wins_over_recorded_whether_by_list_or_by_predicate() {
    assertThat(
            outcome(
                settings ->
                    settings.recordException(thrown -> true).ignoreExceptions(IOException.class),
                new FileNotFoundException()))
        .isEqualTo(Outcome.IGNORED);
    assertThat(
            outcome(
                settings ->
                    settings
                        .recordExceptions(IOException.class)
                        .ignoreException(thrown -> "mine".equals(thrown.getMessage())),
                new IOException("mine")))
        .isEqualTo(Outcome.IGNORED);
  }

  @Test
  void predicates_see_what_is_inside_of_a_wrapper() {
    assertThat(
            outcome(
                settings -> settings.ignoreException(IOException.class::isInstance),
                new CompletionException(new ExecutionException(new IOException()))))
        .isEqualTo(Outcome.IGNORED);
  }

  @Test
  void a_classifier_is_asked_first_and_may_have_no_opinion() {
    Consumer<CircuitBreakerConfig.Builder> settings =
        config ->
            config
                .ignoreExceptions(IllegalArgumentException.class)
                .classifier(
                    Classifier.onException(
                        IllegalArgumentException.class,
                        thrown -> "500".equals(thrown.getMessage()) ? Outcome.FAILURE : null));

    assertThat(outcome(settings, new IllegalArgumentException("500"))).isEqualTo(Outcome.FAILURE);
    assertThat(outcome(settings, new IllegalArgumentException("400"))).isEqualTo(Outcome.IGNORED);
    assertThat(outcome(settings, new IOException())).isEqualTo(Outcome.FAILURE);
  }

  @Test
  void classifiers_compose_and_work_without_a_breaker() {
    Classifier http =
        Classifier.onResult(Integer.class, status -> status >= 500 ? Outcome.FAILURE : null)
            .orElse(
                Classifier.onResult(
                    Integer.class, status -> status >= 400 ? Outcome.IGNORED : null))
            .orElse(Classifier.defaults());

    assertThat(http.classify(503, null)).isEqualTo(Outcome.FAILURE);
    assertThat(http.classify(404, null)).isEqualTo(Outcome.IGNORED);
    assertThat(http.classify(200, null)).isEqualTo(Outcome.SUCCESS);
    assertThat(http.classify("text", null)).isEqualTo(Outcome.SUCCESS);
    assertThat(http.classify(null, null)).isEqualTo(Outcome.SUCCESS);
    assertThat(http.classify(null, new IOException())).isEqualTo(Outcome.FAILURE);
  }

  @Test
  void exceptions_can_be_named_by_text_for_classes_that_are_not_there() {
    CircuitBreakerConfig config =
        CircuitBreakerConfig.of(
            settings ->
                settings
                    .recordExceptions(List.of("java.io.IOException", "com.example.Gone"))
                    .ignoreExceptions(List.of("com.example.Mine")));

    assertThat(config.outcomeOfException("com.example.Gone")).isEqualTo(Outcome.FAILURE);
    assertThat(config.outcomeOfException("com.example.Mine")).isEqualTo(Outcome.IGNORED);
    assertThat(config.outcomeOfException("com.example.Other")).isEqualTo(Outcome.IGNORED);
    assertThat(config.outcomeOfException("java.net.ConnectException")).isEqualTo(Outcome.FAILURE);
    assertThat(config.outcomeOfException("java.util.concurrent.CancellationException"))
        .isEqualTo(Outcome.CANCELLED);
  }

  @Test
  void the_refusal_of_an_open_breaker_feeds_neither_it_nor_one_around_it() {
    CircuitBreaker outer = small(1);
    CircuitBreaker inner = breakers.inState(State.FORCED_OPEN, "inner");
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> outer.run(() -> inner.run(() -> {})))
          .isInstanceOf(CallNotPermittedException.class);
    }

    assertThat(outer).isClosed();
    assertThat(outer.metrics().ignored()).isEqualTo(10);
    assertThat(outer.snapshot().window().calls()).isZero();
  }

  @Test
  void a_failure_whose_text_fails_is_kept_without_it() {
    CircuitBreaker breaker = small(1);
    breaker.acquire().fail(new Unspeakable());
    breaker.acquire().fail(new Unspeakable());

    assertThat(breaker.transitions().get(0).failures())
        .extracting(FailureSample::simpleType, FailureSample::message)
        .containsOnly(tuple("ClassificationTest$Unspeakable", null));
  }

  @Test
  void a_cycle_of_wrappers_comes_to_an_end() {
    CompletionException inner = new EmptyWrapper();
    ExecutionException outer = new ExecutionException(inner);
    inner.initCause(outer);

    assertThat(Classifier.defaults().classify(null, outer)).isEqualTo(Outcome.FAILURE);
  }

  /** What a breaker with these settings makes of this exception. */
  private Outcome outcome(Consumer<CircuitBreakerConfig.Builder> settings, Throwable thrown) {
    CircuitBreaker breaker = breaker(settings);
    breaker.acquire().fail(thrown);
    CircuitBreakerMetrics metrics = breaker.metrics();
    if (metrics.failed() == 1) {
      return Outcome.FAILURE;
    } else if (metrics.ignored() == 1) {
      return Outcome.IGNORED;
    } else if (metrics.cancelled() == 1) {
      return Outcome.CANCELLED;
    }
    assertThat(metrics.succeeded()).isEqualTo(1);
    return Outcome.SUCCESS;
  }
}
