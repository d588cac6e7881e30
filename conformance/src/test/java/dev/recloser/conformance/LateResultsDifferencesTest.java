package dev.recloser.conformance;

import static dev.recloser.conformance.SideBySide.AFTER_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Outcome;
import dev.recloser.Permit;
import org.junit.jupiter.api.Test;

/** Results that arrive after the state that admitted the call has passed, and twice. */
final class LateResultsDifferencesTest {

  @Test
  void a_late_success_does_not_close_the_breaker() {
    SideBySide both = SideBySide.create();
    Permit late = both.recloser.acquire();
    both.resilience4j.acquirePermission();
    both.openAndWait();
    both.recloser.acquire();
    both.resilience4j.acquirePermission();

    late.record(Outcome.SUCCESS);
    both.end(Outcome.SUCCESS);

    assertThat(both.stateOfRecloser()).isEqualTo("HALF_OPEN");
    assertThat(both.recloser.metrics().late()).isEqualTo(1);
    assertThat(both.stateOfResilience4j()).isEqualTo("CLOSED");
  }

  @Test
  void a_late_failure_does_not_reopen_the_breaker() {
    SideBySide both = SideBySide.create();
    Permit late = both.recloser.acquire();
    both.resilience4j.acquirePermission();
    both.openAndWait();
    both.recloser.acquire();
    both.resilience4j.acquirePermission();

    late.record(Outcome.FAILURE);
    both.end(Outcome.FAILURE);

    assertThat(both.stateOfRecloser()).isEqualTo("HALF_OPEN");
    assertThat(both.stateOfResilience4j()).isEqualTo("OPEN");
  }

  @Test
  void a_late_result_does_not_change_why_the_breaker_opened() {
    SideBySide both = SideBySide.create();
    Permit late = both.recloser.acquire();
    both.resilience4j.acquirePermission();
    both.fail(2);

    late.record(Outcome.SUCCESS);
    both.end(Outcome.SUCCESS);

    assertThat(both.recloser.snapshot().window().failureRate()).isEqualTo(100);
    assertThat(both.resilience4j.getMetrics().getFailureRate()).isEqualTo(50);
  }

  @Test
  void a_late_failure_after_a_reset_does_not_enter_the_new_window() {
    SideBySide both = SideBySide.create();
    Permit first = both.recloser.acquire();
    Permit second = both.recloser.acquire();
    both.recloser.reset();
    both.resilience4j.reset();

    first.record(Outcome.FAILURE);
    second.record(Outcome.FAILURE);
    both.end(Outcome.FAILURE);
    both.end(Outcome.FAILURE);

    assertThat(both.stateOfRecloser()).isEqualTo("CLOSED");
    assertThat(both.stateOfResilience4j()).isEqualTo("OPEN");
  }

  @Test
  void a_late_call_that_is_given_up_does_not_add_a_probe() {
    SideBySide both = SideBySide.create();
    Permit late = both.recloser.acquire();
    both.resilience4j.acquirePermission();
    both.openAndWait();
    both.recloser.acquire();
    both.resilience4j.acquirePermission();

    late.close();
    both.resilience4j.releasePermission();

    assertThat(both.recloser.tryAcquire()).isNull();
    assertThat(both.resilience4j.tryAcquirePermission()).isTrue();
  }

  @Test
  void a_call_that_ends_twice_is_counted_once() {
    SideBySide both = SideBySide.create();
    Permit permit = both.recloser.acquire();
    both.resilience4j.acquirePermission();

    permit.record(Outcome.FAILURE);
    permit.record(Outcome.FAILURE);
    both.end(Outcome.FAILURE);
    both.end(Outcome.FAILURE);

    assertThat(both.stateOfRecloser()).isEqualTo("CLOSED");
    assertThat(both.stateOfResilience4j()).isEqualTo("OPEN");
  }

  @Test
  void a_probe_that_is_given_up_twice_gives_back_one_slot() {
    SideBySide both = SideBySide.create();
    both.fail(2);
    both.advance(AFTER_WAIT);
    Permit probe = both.recloser.acquire();
    both.resilience4j.acquirePermission();

    probe.close();
    probe.close();
    both.resilience4j.releasePermission();
    both.resilience4j.releasePermission();

    assertThat(both.recloser.tryAcquire()).isNotNull();
    assertThat(both.recloser.tryAcquire()).isNull();
    assertThat(both.resilience4j.tryAcquirePermission()).isTrue();
    assertThat(both.resilience4j.tryAcquirePermission()).isTrue();
  }
}
