package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the exception of a refused call says (S22). */
final class RefusalTest extends Scenario {

  @Test
  void by_an_open_breaker() {
    CircuitBreaker breaker = small(1);
    open(breaker);
    time.advance(seconds(2));

    assertRefusal(
        refusal(breaker),
        State.OPEN,
        RefusalReason.OPEN,
        seconds(3),
        "inventory refused the call, it is OPEN: 2 of the last 2 calls failed (100 % >= 50 %),"
            + " last with IOException; try again in 3 s");
  }

  @Test
  void by_a_half_open_breaker() {
    CircuitBreaker breaker = small(1);
    Permit probe = openAndProbe(breaker);

    assertRefusal(
        refusal(breaker),
        State.HALF_OPEN,
        RefusalReason.HALF_OPEN,
        null,
        "inventory refused the call, it is HALF_OPEN and its probes are out:"
            + " the wait of 5 s is over");
    probe.close();
  }

  @Test
  void by_a_breaker_that_is_forced_open() {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(State.FORCED_OPEN);

    assertRefusal(
        refusal(breaker),
        State.FORCED_OPEN,
        RefusalReason.FORCED_OPEN,
        null,
        "inventory refused the call, it is FORCED_OPEN: set by an operator");
  }

  @Test
  void by_a_breaker_that_is_forced_open_for_a_time() {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(State.FORCED_OPEN, Duration.ofMinutes(10));
    time.advance(seconds(90));

    CallNotPermittedException refusal = refusal(breaker);

    assertThat(refusal.retryAfter()).contains(seconds(510));
    assertThat(refusal).hasMessageEndingWith("; try again in 8 min 30 s");
  }

  @Test
  void by_a_breaker_that_ramps_up() {
    CircuitBreaker breaker = small(1, settings -> settings.rampUpDuration(seconds(10)));
    openAndProbe(breaker).complete("fine");
    succeed(breaker);

    assertRefusal(
        refusal(breaker),
        State.CLOSED,
        RefusalReason.RAMP_UP,
        null,
        "inventory refused the call, it is CLOSED and still ramping up: 1 of 1 probe succeeded");
  }

  @Test
  void the_message_tells_of_the_refusal_and_not_of_the_breaker_later() {
    CircuitBreaker breaker = small(1);
    open(breaker);
    CallNotPermittedException refusal = refusal(breaker);
    time.advance(WAIT);
    breaker.reset();

    assertThat(refusal.state()).isEqualTo(State.OPEN);
    assertThat(refusal).hasMessageContaining("it is OPEN").hasMessageEndingWith("in 5 s");
  }

  @Test
  void there_is_no_stack_trace() {
    CircuitBreaker breaker = breakers.inState(State.FORCED_OPEN, "inventory");

    assertThat(refusal(breaker).getStackTrace()).isEmpty();
  }

  @Test
  void there_is_a_stack_trace_where_it_was_asked_for() {
    CircuitBreaker breaker =
        breakers.inState(
            State.FORCED_OPEN, "inventory", settings -> settings.writableStackTraceEnabled(true));

    assertThat(refusal(breaker).getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(RefusalTest.class.getName()));
  }

  @Test
  void a_refused_call_is_not_made() {
    CircuitBreaker breaker = breakers.inState(State.FORCED_OPEN, "inventory");
    boolean[] made = new boolean[1];

    CallNotPermittedException refusal =
        catchThrowableOfType(
            CallNotPermittedException.class, () -> breaker.run(() -> made[0] = true));

    assertThat(refusal.policy()).isEqualTo("inventory");
    assertThat(made[0]).isFalse();
    assertThat(breaker).hasNoCallsInFlight();
  }

  private static CallNotPermittedException refusal(CircuitBreaker breaker) {
    return catchThrowableOfType(CallNotPermittedException.class, breaker::acquire);
  }

  private static void assertRefusal(
      CallNotPermittedException refusal,
      State state,
      RefusalReason reason,
      Duration retryAfter,
      String message) {
    assertThat(refusal.policy()).isEqualTo("inventory");
    assertThat(refusal.state()).isEqualTo(state);
    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(refusal.retryAfter().orElse(null)).isEqualTo(retryAfter);
    assertThat(refusal).hasMessage(message);
  }
}
