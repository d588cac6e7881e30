package dev.recloser.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the end of a call means. */
final class ClassificationDifferencesTest {

  @Test
  void an_exception_that_is_not_listed_is_ignored() {
    SideBySide both =
        SideBySide.create(
            config -> config.recordExceptions(IOException.class),
            config -> config.recordExceptions(IOException.class));

    fail(both, new IllegalStateException("not initialized"));

    assertThat(both.recloser.metrics().ignored()).isEqualTo(1);
    assertThat(both.resilience4j.getMetrics().getNumberOfSuccessfulCalls()).isEqualTo(1);
  }

  @Test
  void a_cancellation_is_no_failure() {
    SideBySide both = SideBySide.create();

    fail(both, new CancellationException("not needed any more"));
    fail(both, new InterruptedException("shutting down"));

    assertThat(both.recloser.metrics().cancelled()).isEqualTo(2);
    assertThat(both.stateOfRecloser()).isEqualTo("CLOSED");
    assertThat(both.stateOfResilience4j()).isEqualTo("OPEN");
  }

  @Test
  void the_refusal_of_another_breaker_is_no_failure() {
    SideBySide outer = SideBySide.create();
    SideBySide inner = SideBySide.create();
    inner.fail(2);

    outer.recloser.acquire().fail(catchThrowable(inner.recloser::acquire));
    outer.resilience4j.acquirePermission();
    outer.resilience4j.onError(
        0, TimeUnit.NANOSECONDS, catchThrowable(inner.resilience4j::acquirePermission));

    assertThat(outer.recloser.metrics().ignored()).isEqualTo(1);
    assertThat(outer.resilience4j.getMetrics().getNumberOfFailedCalls()).isEqualTo(1);
  }

  @Test
  void an_error_of_a_guarded_call_is_a_failure() {
    SideBySide both = SideBySide.create();

    assertThatThrownBy(() -> both.recloser.run(ClassificationDifferencesTest::overflow))
        .isInstanceOf(StackOverflowError.class);
    assertThatThrownBy(
            () -> both.resilience4j.executeRunnable(ClassificationDifferencesTest::overflow))
        .isInstanceOf(StackOverflowError.class);

    assertThat(both.recloser.metrics().failed()).isEqualTo(1);
    assertThat(both.resilience4j.getMetrics().getNumberOfBufferedCalls()).isZero();
  }

  @Test
  void a_predicate_that_throws_does_not_take_the_result_from_the_caller() {
    SideBySide both =
        SideBySide.create(
            config -> config.recordResult(ClassificationDifferencesTest::broken),
            config -> config.recordResult(ClassificationDifferencesTest::broken));

    assertThat(both.recloser.<String, RuntimeException>call(() -> "7 left")).isEqualTo("7 left");
    assertThat(both.recloser.metrics().failed()).isEqualTo(1);
    assertThatThrownBy(() -> both.resilience4j.executeSupplier(() -> "7 left"))
        .hasMessage("broken predicate");
  }

  @Test
  void a_predicate_that_throws_does_not_hang_an_asynchronous_call() {
    SideBySide both =
        SideBySide.create(
            config -> config.recordResult(ClassificationDifferencesTest::broken),
            config -> config.recordResult(ClassificationDifferencesTest::broken));

    CompletionStage<String> ofRecloser =
        both.recloser.callAsync(() -> CompletableFuture.completedFuture("7 left"));
    CompletionStage<String> ofResilience4j =
        both.resilience4j.executeCompletionStage(() -> CompletableFuture.completedFuture("7 left"));

    assertThat(ofRecloser.toCompletableFuture()).isCompletedWithValue("7 left");
    assertThat(ofResilience4j.toCompletableFuture()).isNotDone();
  }

  @Test
  void a_predicate_for_results_is_asked_about_null() {
    SideBySide both =
        SideBySide.create(
            config -> config.recordResult(Objects::isNull),
            config -> config.recordResult(Objects::isNull));

    both.recloser.call(() -> null);
    both.resilience4j.executeSupplier(() -> null);

    assertThat(both.recloser.metrics().failed()).isEqualTo(1);
    assertThat(both.resilience4j.getMetrics().getNumberOfFailedCalls()).isZero();
  }

  @Test
  void a_wrapper_without_a_cause_is_classified_itself() {
    SideBySide both =
        SideBySide.create(
            config -> config.recordException(e -> e.getMessage() == null),
            config -> config.recordException(e -> e.getMessage() == null));
    CompletionException wrapper = new CompletionException((Throwable) null);

    both.recloser.acquire().fail(wrapper);

    assertThat(both.recloser.metrics().failed()).isEqualTo(1);
    assertThatThrownBy(() -> both.resilience4j.onError(0, TimeUnit.NANOSECONDS, wrapper))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void the_exception_of_a_reflective_call_is_unwrapped() {
    SideBySide both =
        SideBySide.create(
            config -> config.ignoreExceptions(IllegalArgumentException.class),
            config -> config.ignoreExceptions(IllegalArgumentException.class));

    fail(both, new InvocationTargetException(new IllegalArgumentException("no such item")));

    assertThat(both.recloser.metrics().ignored()).isEqualTo(1);
    assertThat(both.resilience4j.getMetrics().getNumberOfFailedCalls()).isEqualTo(1);
  }

  private static void fail(SideBySide both, Exception thrown) {
    both.recloser.acquire().fail(thrown);
    both.resilience4j.acquirePermission();
    both.resilience4j.onError(0, TimeUnit.NANOSECONDS, thrown);
  }

  private static void overflow() {
    throw new StackOverflowError("too deep");
  }

  private static boolean broken(Object result) {
    throw new IllegalStateException("broken predicate");
  }
}
