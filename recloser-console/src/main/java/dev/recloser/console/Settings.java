package dev.recloser.console;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Values of settings, for people. */
final class Settings {
  private Settings() {}

  static String text(@Nullable Object value) {
    if (value instanceof Duration duration) {
      return duration.isZero() ? "0 s" : text(duration);
    }
    return value == null ? "null" : textOf(value);
  }

  /** What has no text of its own is a function: whose it is says more than where in memory. */
  private static String textOf(Object value) {
    String name = value.getClass().getName();
    String text = value.toString();
    if (!text.startsWith(name + "@")) {
      return text;
    }
    int lambda = name.indexOf("$$Lambda");
    return lambda < 0 ? name : "a function of " + name.substring(0, lambda);
  }

  private static String text(Duration duration) {
    if (duration.toNanosPart() % 1_000_000 != 0) {
      return duration.toString();
    }
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + " ms";
    }
    return millis % 60_000 == 0 ? millis / 60_000 + " min" : millis / 1_000 + " s";
  }
}
