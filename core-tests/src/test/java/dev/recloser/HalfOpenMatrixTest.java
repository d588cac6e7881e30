package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The rows of the half-open matrix (polly-envoy-go 1.8), each under both rules. */
@ParameterizedClass
@EnumSource(HalfOpenRule.class)
final class HalfOpenMatrixTest extends Scenario {
  @Parameter HalfOpenRule rule;

  @Test
  @DisplayName("Matrix, probes: as many as permitted, no more")
  void probes() {
    CircuitBreaker breaker = waiting(3);

    List<Permit> probes = acquire(breaker, 3);

    assertThat(isRefused(breaker)).isTrue();
    probes.forEach(Permit::close);
  }

  @Test
  @DisplayName("Matrix, close rule: closes as soon as the other probes cannot change it")
  void close_rule() {
    CircuitBreaker breaker = waiting(3);
    succeed(breaker);
    assertThat(breaker).isHalfOpen();

    succeed(breaker);
    // One failure of three stays below half of them, but is one too many where all must succeed.
    assertThat(breaker)
        .isInState(
            rule == HalfOpenRule.RATE
                ? CircuitBreaker.State.CLOSED
                : CircuitBreaker.State.HALF_OPEN);

    if (rule == HalfOpenRule.ALL_SUCCEED) {
      succeed(breaker);
    }
    assertThat(breaker).isClosed();
  }

  @Test
  @DisplayName("Matrix, excess callers: refused at once")
  void excess_callers() {
    CircuitBreaker breaker = waiting(1);
    Permit probe = breaker.acquire();

    assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);
    probe.close();
  }

  @Test
  @DisplayName("Matrix, hung probe: failed when its lease ends, and the next round probes again")
  void hung_probe() {
    CircuitBreaker breaker = waiting(1);
    Permit hung = breaker.acquire();
    time.advance(WAIT);
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);

    time.advance(WAIT);
    succeed(breaker);

    assertThat(breaker).isClosed();
    hung.close();
  }

  @Test
  @DisplayName("Matrix, ignored outcome in a probe: gives the slot back")
  void ignored_outcome() {
    CircuitBreaker breaker = waiting(1);

    ignore(breaker);

    assertThat(breaker).isHalfOpen();
    assertThat(breaker.snapshot().probesLeft()).isEqualTo(1);
  }

  @Test
  @DisplayName("Matrix, late success from before the break: moves nothing")
  void late_success() {
    CircuitBreaker breaker = small(1, settings -> settings.halfOpenRule(rule));
    Permit late = breaker.acquire();
    Permit probe = openAndProbe(breaker);

    late.complete("late");

    assertThat(breaker).isHalfOpen().refusesCalls(RefusalReason.HALF_OPEN);
    probe.close();
  }

  @Test
  @DisplayName("Matrix, late failure from before the break: moves nothing")
  void late_failure() {
    CircuitBreaker breaker = small(1, settings -> settings.halfOpenRule(rule));
    Permit late = breaker.acquire();
    Permit probe = openAndProbe(breaker);

    late.fail(new IOException("late"));

    assertThat(breaker).isHalfOpen().refusesCalls(RefusalReason.HALF_OPEN);
    probe.complete("fine");
    assertThat(breaker).isClosed();
  }

  @Test
  @DisplayName("Matrix, caller cancels a probe: gives the slot back")
  void cancelled_probe() {
    CircuitBreaker breaker = waiting(1);

    breaker.acquire().fail(new CancellationException());
    breaker.acquire().fail(new InterruptedException());
    breaker.acquire().close();

    assertThat(breaker).isHalfOpen();
    assertThat(breaker.snapshot().probesLeft()).isEqualTo(1);
  }

  @Test
  @DisplayName("Matrix, throwing predicate: the probe is a failure and its slot is used up")
  void throwing_predicate() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .halfOpenRule(rule)
                    .recordResult(
                        result -> {
                          throw new IllegalStateException("broken predicate");
                        }));
    Permit probe = openAndProbe(breaker);

    probe.complete("fine");

    assertThat(breaker).isOpen().hasNoCallsInFlight();
  }

  @Test
  @DisplayName("Matrix, failed probe: reopens for a full wait")
  void failed_probe() {
    CircuitBreaker breaker = waiting(1);

    fail(breaker);

    assertThat(breaker).isOpen();
    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
  }

  /** An open breaker whose wait is over. */
  private CircuitBreaker waiting(int probes) {
    CircuitBreaker breaker = small(probes, settings -> settings.halfOpenRule(rule));
    open(breaker);
    time.advance(WAIT);
    return breaker;
  }
}
