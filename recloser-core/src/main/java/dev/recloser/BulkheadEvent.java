package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that happened to a {@link Bulkhead}. */
public sealed interface BulkheadEvent extends PolicyEvent {
  /**
   * A call has a slot.
   *
   * @param policy the name of the bulkhead
   * @param waited how long it waited for it; zero if there was one at once
   */
  record CallAdmitted(String policy, Duration waited) implements BulkheadEvent {}

  /**
   * A call was refused, at once or after it had waited. One that was given up while it waited,
   * cancelled or interrupted, is not told.
   *
   * @param policy the name of the bulkhead
   * @param waited how long it waited in vain; zero if it was refused at once
   */
  record CallRefused(String policy, Duration waited) implements BulkheadEvent {}

  /**
   * A call has given its slot back.
   *
   * @param policy the name of the bulkhead
   * @param duration how long it had the slot; null if nobody listened when it got it
   */
  record CallFinished(String policy, @Nullable Duration duration) implements BulkheadEvent {}

  /**
   * The limit has changed: found anew by an adaptive limit, or set.
   *
   * @param policy the name of the bulkhead
   * @param from how many calls might run at once before
   * @param to how many may now
   * @param reason why
   */
  record LimitChanged(String policy, int from, int to, LimitChangeReason reason)
      implements BulkheadEvent {}
}
