package dev.recloser;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with settings, so that all of it is told at once. */
final class Faults {
  static final Duration MAX_DURATION = Duration.ofDays(36_500);

  private final List<InvalidConfigurationException.Fault> faults = new ArrayList<>();

  void check(boolean right, String setting, Object value, String expected) {
    if (!right) {
      faults.add(new InvalidConfigurationException.Fault(setting, String.valueOf(value), expected));
    }
  }

  void checkPercent(String setting, double percent) {
    String expected = "a percentage above 0, at most 100, with at most six decimals";
    check(Threshold.isValid(percent), setting, percent, expected);
  }

  /** Whether it is right. */
  boolean checkDuration(String setting, Duration value, Duration least) {
    boolean fits = value.compareTo(least) >= 0 && value.compareTo(MAX_DURATION) <= 0;
    String lower =
        least.isZero()
            ? "zero or more"
            : least.toNanos() == 1 ? "more than zero" : "at least " + Text.of(least);
    check(fits, setting, Text.of(value), lower + ", at most 36,500 days");
    return fits;
  }

  void throwIfAny(String subject) {
    if (!faults.isEmpty()) {
      throw new InvalidConfigurationException(subject, faults);
    }
  }
}
