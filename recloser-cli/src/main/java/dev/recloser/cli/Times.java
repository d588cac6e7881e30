package dev.recloser.cli;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.HdrHistogram.Histogram;

/**
 * How long answers took.
 *
 * @param median half of them took no longer
 * @param p99 99 % of them took no longer
 */
record Times(Duration median, Duration p99) {

  /** Reads a histogram of microseconds; zero if it is empty. */
  static Times of(Histogram micros) {
    return new Times(percentile(micros, 50), percentile(micros, 99));
  }

  private static Duration percentile(Histogram micros, double percent) {
    return Duration.of(micros.getValueAtPercentile(percent), ChronoUnit.MICROS);
  }
}
