package dev.recloser.test;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.TransitionCause;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RecloserExtension.class)
class FlakyCallTest {
  private final FakeTime time;
  private final FlakyCall<String> call;

  FlakyCallTest(FakeTime time) {
    this.time = time;
    call = FlakyCall.returning("7 left", time);
  }

  @Test
  void succeeds_at_once_without_a_script() throws Exception {
    assertThat(call.get()).isEqualTo("7 left");
    assertThat(call.start()).isCompletedWithValue("7 left");
    assertThat(time.elapsed()).isZero();
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void follows_its_script_part_by_part_and_is_healthy_after_it() throws Exception {
    call.fail(2, IOException::new)
        .succeed(1, ofMillis(300))
        .succeed(1)
        .fail(1, ofSeconds(2), TimeoutException::new);

    assertThatExceptionOfType(IOException.class).isThrownBy(call::get);
    assertThatExceptionOfType(IOException.class).isThrownBy(call::get);
    assertThat(time.elapsed()).isZero();
    assertThat(call.get()).isEqualTo("7 left");
    assertThat(time.elapsed()).isEqualTo(ofMillis(300));
    assertThat(call.get()).isEqualTo("7 left");
    assertThat(time.elapsed()).isEqualTo(ofMillis(300));
    assertThatExceptionOfType(TimeoutException.class).isThrownBy(call::get);
    assertThat(time.elapsed()).isEqualTo(ofMillis(2_300));
    assertThat(call.get()).isEqualTo("7 left");
    assertThat(call.calls()).isEqualTo(6);
  }

  @Test
  void can_return_null_and_throw_errors() throws Exception {
    FlakyCall<String> odd = FlakyCall.<String>returning(null, time).fail(1, OutOfMemoryError::new);

    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(odd::get);
    assertThat(odd.get()).isNull();
  }

  @Test
  void ends_an_asynchronous_call_when_its_time_has_come() {
    call.succeed(1, ofSeconds(1)).fail(1, ofSeconds(1), IOException::new);

    CompletableFuture<String> good = call.start();
    CompletableFuture<String> bad = call.start();
    time.advance(ofMillis(999));
    assertThat(good).isNotDone();
    time.advance(ofMillis(1));

    assertThat(good).isCompletedWithValue("7 left");
    assertThat(bad).isCompletedExceptionally();
    assertThat(bad)
        .failsWithin(ofSeconds(0))
        .withThrowableThat()
        .withCauseInstanceOf(IOException.class);
  }

  @Test
  void takes_what_a_fault_throws_for_what_it_makes() {
    call.fail(
        2,
        ofSeconds(1),
        () -> {
          throw new IllegalStateException("thrown by the fault");
        });

    CompletableFuture<String> started = call.start();
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(call::get);
    assertThat(started).isCompletedExceptionally();
  }

  @Test
  void leaves_no_timer_behind_when_an_asynchronous_call_is_cancelled() {
    CompletableFuture<String> started = call.succeed(1, ofSeconds(1)).start();
    assertThat(time.pendingTimers()).isOne();

    started.cancel(true);

    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void shows_which_calls_a_breaker_lets_through(Breakers breakers) {
    CircuitBreaker breaker = breakers.create("inventory", config -> config.slidingWindowSize(4));
    call.fail(100, IOException::new);

    for (int i = 0; i < 4; i++) {
      assertThatExceptionOfType(IOException.class).isThrownBy(() -> breaker.call(call));
    }
    assertThatExceptionOfType(CallNotPermittedException.class).isThrownBy(() -> breaker.call(call));

    assertThat(breaker).isOpen();
    assertThat(call.calls()).isEqualTo(4);
  }

  @Test
  void opens_a_breaker_while_its_calls_still_hang(Breakers breakers) {
    CircuitBreaker breaker =
        breakers.create(
            "inventory",
            config -> config.slidingWindowSize(2).slowCallDurationThreshold(ofSeconds(1)));
    call.succeed(2, ofSeconds(60));

    CompletableFuture<String> first = breaker.callAsync(call::start);
    CompletableFuture<String> second = breaker.callAsync(call::start);
    time.advance(ofSeconds(2));

    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
    assertThat(breaker).isOpen().wasLastMovedBy(TransitionCause.SLOW_CALL_RATE).hasCallsInFlight(2);
    time.advance(ofSeconds(58));
    assertThat(breaker).hasNoCallsInFlight();
  }

  @Test
  void refuses_parts_that_make_no_sense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> call.succeed(0))
        .withMessage("calls: 0 (expected: at least 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> call.succeed(1, ofSeconds(-1)))
        .withMessage("after: PT-1S (expected: zero or more)");
  }
}
