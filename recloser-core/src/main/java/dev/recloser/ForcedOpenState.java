package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Refuses every call. */
final class ForcedOpenState extends OperatorState {
  ForcedOpenState(Departure from, @Nullable Duration expiry) {
    super(from, State.FORCED_OPEN, expiry);
  }

  @Override
  State kind() {
    return State.FORCED_OPEN;
  }

  @Override
  @Nullable BreakerPermit admit(long now, boolean timed) {
    return null;
  }

  @Override
  RefusalReason refusal() {
    return RefusalReason.FORCED_OPEN;
  }

  @Override
  Settlement take(BreakerPermit permit, Result result) {
    throw new AssertionError("a breaker that is forced open has issued a permit");
  }
}
