package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Guarding a call in the caller's own thread. */
final class CallTest extends Scenario {

  private static String find(String what) throws IOException, InterruptedException {
    switch (what) {
      case "missing" -> throw new FileNotFoundException(what);
      case "interrupted" -> throw new InterruptedException(what);
      default -> {
        return "found " + what;
      }
    }
  }

  /** Compiles with this throws clause alone: the type of the exception is that of the call. */
  private static String typedCall(CircuitBreaker breaker) throws IOException {
    return breaker.call(
        () -> {
          if (breaker.name().isEmpty()) {
            throw new IOException("unreachable");
          }
          return "read";
        });
  }

  /** Compiles with this throws clause alone. */
  private static void typedRun(CircuitBreaker breaker) throws SQLException {
    breaker.run(
        () -> {
          throw new SQLException("locked");
        });
  }

  /** Compiles without a throws clause: nothing checked is thrown. */
  private static int uncheckedCall(CircuitBreaker breaker) {
    return breaker.call(() -> 42);
  }

  /** Compiles without a throws clause. */
  private static void uncheckedRun(CircuitBreaker breaker, AtomicInteger runs) {
    breaker.run(runs::incrementAndGet);
  }

  @Test
  void a_checked_exception_keeps_its_type_at_compile_time_and_its_identity_at_run_time()
      throws IOException {
    CircuitBreaker breaker = small(1);

    assertThat(typedCall(breaker)).isEqualTo("read");
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> typedRun(breaker))
        .withMessage("locked")
        .withNoCause();
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
    assertThat(breaker.metrics().failed()).isEqualTo(1);
  }

  @Test
  void calls_without_checked_exceptions_need_no_clause() {
    CircuitBreaker breaker = small(1);
    AtomicInteger runs = new AtomicInteger();

    assertThat(uncheckedCall(breaker)).isEqualTo(42);
    uncheckedRun(breaker, runs);

    assertThat(runs).hasValue(1);
    assertThat(breaker.metrics().succeeded()).isEqualTo(2);
  }

  @Test
  void callables_and_suppliers_can_be_called_as_they_are() throws Exception {
    CircuitBreaker breaker = small(1);
    Callable<String> callable = () -> "callable";
    Supplier<String> supplier = () -> "supplier";

    assertThat(breaker.call(callable::call)).isEqualTo("callable");
    assertThat(breaker.<String, RuntimeException>call(supplier::get)).isEqualTo("supplier");
  }

  @Test
  void a_method_that_declares_several_exceptions_is_called_with_what_they_have_in_common()
      throws Exception {
    CircuitBreaker breaker = breaker(settings -> {});

    assertThat(breaker.<String, Exception>call(() -> find("it"))).isEqualTo("found it");
    assertThatThrownBy(() -> breaker.<String, Exception>call(() -> find("missing")))
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> breaker.<String, Exception>call(() -> find("interrupted")))
        .isInstanceOf(InterruptedException.class);
    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
  }

  @Test
  @DisplayName("B1: an Error passes through as it is and is a failure")
  void error_passes_through() {
    CircuitBreaker breaker = small(1);
    Error own = new NoClassDefFoundError("own");

    assertThatThrownBy(
            () ->
                breaker.run(
                    () -> {
                      throw own;
                    }))
        .isSameAs(own)
        .hasNoSuppressedExceptions();

    assertThat(breaker).hasFailureRate(100).hasNoCallsInFlight();
  }

  @Test
  void null_may_be_returned() {
    CircuitBreaker breaker = small(1);

    assertThat(breaker.<Object, RuntimeException>call(() -> null)).isNull();
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void a_cancelled_call_is_no_failure() {
    CircuitBreaker breaker = small(1);

    assertThatThrownBy(
            () ->
                breaker.run(
                    () -> {
                      throw new CancellationException("never mind");
                    }))
        .isInstanceOf(CancellationException.class);

    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
    assertThat(breaker).hasFailureRate(Double.NaN);
  }

  @Test
  void a_refused_call_is_not_made() {
    CircuitBreaker breaker = breakers.inState(State.FORCED_OPEN, "inventory");
    AtomicInteger made = new AtomicInteger();

    assertThatThrownBy(() -> breaker.call(made::incrementAndGet))
        .isInstanceOf(CallNotPermittedException.class);
    assertThatThrownBy(() -> breaker.run(made::incrementAndGet))
        .isInstanceOf(CallNotPermittedException.class);

    assertThat(made).hasValue(0);
  }

  @Test
  void a_call_within_a_call_is_a_call_of_its_own() {
    CircuitBreaker breaker = small(1);

    String answer =
        breaker.call(() -> breaker.<String, RuntimeException>call(() -> "inner") + " and outer");

    assertThat(answer).isEqualTo("inner and outer");
    assertThat(breaker.metrics().succeeded()).isEqualTo(2);
  }

  @Test
  void no_call_is_an_error_at_once_and_says_nothing_about_the_dependency() {
    CircuitBreaker breaker = small(1);

    assertThatNullPointerException().isThrownBy(() -> breaker.call(null)).withMessage("call");
    assertThatNullPointerException().isThrownBy(() -> breaker.run(null)).withMessage("call");
    assertThatNullPointerException().isThrownBy(() -> breaker.callAsync(null)).withMessage("call");

    assertThat(breaker.metrics().admitted()).isZero();
  }
}
