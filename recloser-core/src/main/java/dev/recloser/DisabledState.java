package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Admits every call and judges none; they are counted like any other. */
final class DisabledState extends OperatorState {
  DisabledState(Departure from, @Nullable Duration expiry) {
    super(from, State.DISABLED, expiry);
  }

  @Override
  State kind() {
    return State.DISABLED;
  }

  @Override
  boolean isTimed() {
    return super.isTimed() || breaker.config().slowCallNanos > 0;
  }

  @Override
  BreakerPermit admit(long now, boolean timed) {
    boolean wanted = timed && breaker.config().slowCallNanos > 0;
    return new BreakerPermit(this, /* probe= */ false, wanted, now);
  }

  @Override
  double admittedPercentage(long now) {
    return 100;
  }

  @Override
  RefusalReason refusal() {
    throw new AssertionError("a disabled breaker has refused a call");
  }

  @Override
  Settlement take(BreakerPermit permit, Result result) {
    return breaker.isIn(this) ? Settlement.COUNTED : Settlement.LATE;
  }
}
