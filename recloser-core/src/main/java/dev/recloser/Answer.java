package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A result, and where it came from: what a fallback gives is not what the dependency gave.
 *
 * @param <T> the type of the result
 * @param value the result; null where its type allows it
 * @param source where it came from
 * @param age how old it is; zero unless it is {@link Source#STALE}
 */
public record Answer<T extends @Nullable Object>(T value, Source source, Duration age) {
  /** Where an answer came from. */
  public enum Source {
    /** The dependency, just now. */
    LIVE,
    /** A fallback that knows nothing of the dependency's answers. */
    FALLBACK,
    /** The last good answer of the dependency. */
    STALE
  }

  /** Whether it is anything but the dependency's answer. */
  public boolean isDegraded() {
    return source != Source.LIVE;
  }
}
