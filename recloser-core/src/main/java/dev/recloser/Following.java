package dev.recloser;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does something about each policy of a source as long as it is there. Hears of policies one at a
 * time, in the order in which they come and go, and may hear of one twice that came just before.
 *
 * <p>The lock is held for what is kept only: what begins and ends is user code.
 */
final class Following<P extends Policy> implements Cancellable {
  private final Function<? super P, ? extends Cancellable> start;

  // Guarded by this.
  private final Map<P, Cancellable> begun = new HashMap<>();
  private boolean over;

  Following(Function<? super P, ? extends Cancellable> start) {
    this.start = start;
  }

  void begin(P policy) {
    if (isKnown(policy)) {
      return;
    }
    Cancellable end;
    try {
      end = start.apply(policy);
    } catch (Throwable e) {
      Listeners.log("What follows policies threw at the beginning of " + policy.name(), e);
      return;
    }
    if (!keep(policy, end)) {
      end(policy, end);
    }
  }

  void end(P policy) {
    end(policy, forget(policy));
  }

  @Override
  public void cancel() {
    forgetAll().forEach(Following::end);
  }

  private synchronized boolean isKnown(P policy) {
    return over || begun.containsKey(policy);
  }

  /** False if it was over by the time it had begun. */
  private synchronized boolean keep(P policy, Cancellable end) {
    if (!over) {
      begun.put(policy, end);
    }
    return !over;
  }

  private synchronized @Nullable Cancellable forget(P policy) {
    return begun.remove(policy);
  }

  private synchronized Map<P, Cancellable> forgetAll() {
    over = true;
    Map<P, Cancellable> all = Map.copyOf(begun);
    begun.clear();
    return all;
  }

  private static void end(Policy policy, @Nullable Cancellable end) {
    if (end != null) {
      try {
        end.cancel();
      } catch (Throwable e) {
        Listeners.log("What follows policies threw at the end of " + policy.name(), e);
      }
    }
  }
}
