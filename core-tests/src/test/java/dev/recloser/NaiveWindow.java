package dev.recloser;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every recorded call in a list; what counts is found by looking at each of them. */
final class NaiveWindow {
  private final List<Recorded> recorded = new ArrayList<>();
  private CircuitBreakerConfig config;
  private long origin;

  /** Makes a window whose slices, if it has any, are counted from {@code origin}. */
  NaiveWindow(CircuitBreakerConfig config, long origin) {
    this.config = config;
    this.origin = origin;
  }

  void add(boolean failed, boolean slow, long now) {
    recorded.add(new Recorded(now, failed, slow));
  }

  int calls(long now) {
    return counting(now).size();
  }

  int failed(long now) {
    return (int) counting(now).stream().filter(Recorded::failed).count();
  }

  int slow(long now) {
    return (int) counting(now).stream().filter(Recorded::slow).count();
  }

  int slowFailed(long now) {
    return (int) counting(now).stream().filter(c -> c.failed && c.slow).count();
  }

  /** A count window of another size keeps the last calls; any other change of shape empties it. */
  void reshape(CircuitBreakerConfig after, long now) {
    CircuitBreakerConfig before = config;
    List<Recorded> kept = List.copyOf(counting(now));
    config = after;
    boolean countsBoth = !isTimed(before) && !isTimed(after);
    boolean sameSlices =
        isTimed(before)
            && isTimed(after)
            && before.slidingWindowDuration().equals(after.slidingWindowDuration())
            && before.slidingWindowSlices() == after.slidingWindowSlices();
    if (countsBoth || sameSlices) {
      replaceBy(kept);
      replaceBy(List.copyOf(counting(now)));
    } else {
      recorded.clear();
      origin = now;
    }
  }

  /** When the next slice begins; null where there are none. */
  @Nullable Long nextSliceAt(long now) {
    return isTimed(config) ? (Long) (origin + (slice(now) + 1) * sliceNanos()) : null;
  }

  private void replaceBy(List<Recorded> calls) {
    recorded.clear();
    recorded.addAll(calls);
  }

  private List<Recorded> counting(long now) {
    int size = recorded.size();
    if (!isTimed(config)) {
      return recorded.subList(Math.max(0, size - config.slidingWindowCalls()), size);
    }
    long oldest = slice(now) - (config.slidingWindowSlices() - 1);
    int first = size;
    while (first > 0 && slice(recorded.get(first - 1).at) >= oldest) {
      first--;
    }
    return recorded.subList(first, size);
  }

  private long slice(long at) {
    return Math.floorDiv(at - origin, sliceNanos());
  }

  private long sliceNanos() {
    long slices = config.slidingWindowSlices();
    return (config.slidingWindowDuration().toNanos() + slices - 1) / slices;
  }

  private static boolean isTimed(CircuitBreakerConfig config) {
    return config.slidingWindowType() == SlidingWindowType.TIME_BASED;
  }

  private record Recorded(long at, boolean failed, boolean slow) {}
}
