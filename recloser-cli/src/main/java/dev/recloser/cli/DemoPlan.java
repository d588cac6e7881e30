package dev.recloser.cli;

import java.time.Duration;

/**
 * When what happens in a run; everything stretches and shrinks with its length.
 *
 * @param length how long requests are sent
 * @param sickFrom when inventory turns sick, from the start
 * @param sickUntil when it is healthy again, from the start
 */
record DemoPlan(Duration length, Duration sickFrom, Duration sickUntil) {
  /** The shortest demo that has room for a few waits of the breaker, in seconds. */
  static final int MIN_SECONDS = 8;

  static final int MAX_SECONDS = 300;

  /** Starting the JVM, warming up, and waiting for the last answers. */
  private static final Duration OVERHEAD = Duration.ofMillis(2_400);

  private static final long[] TICKS_IN_MILLIS = {250, 500, 1_000, 2_000, 5_000};

  /** Plans one of the two runs of a demo that takes so many seconds in all. */
  static DemoPlan ofDemo(int seconds) {
    return ofRun(Duration.ofSeconds(seconds).minus(OVERHEAD).dividedBy(2));
  }

  /** Plans a run of this length: healthy for 20 % of it, sick for 40 %, recovered for the rest. */
  static DemoPlan ofRun(Duration length) {
    return new DemoPlan(length, percent(length, 20), percent(length, 60));
  }

  /** Plans a run in which inventory stays healthy. */
  static DemoPlan healthy(Duration length) {
    return new DemoPlan(length, length.multipliedBy(2), length.multipliedBy(2));
  }

  Phase phaseAt(Duration elapsed) {
    if (elapsed.compareTo(sickFrom) < 0) {
      return Phase.HEALTHY;
    }
    return elapsed.compareTo(sickUntil) < 0 ? Phase.SICK : Phase.RECOVERED;
  }

  Duration sickFor() {
    return sickUntil.minus(sickFrom);
  }

  /** The breaker's wait: short enough to probe a few times while inventory is sick. */
  Duration waitDurationInOpenState() {
    return percent(length, 10);
  }

  Duration rampUpDuration() {
    return percent(length, 8);
  }

  /** The time between two lines of a log, of which there are about twenty in a run. */
  Duration tick() {
    long wanted = length.toMillis() / 20;
    long tick = TICKS_IN_MILLIS[0];
    for (long candidate : TICKS_IN_MILLIS) {
      tick = candidate <= wanted * 5 / 4 ? candidate : tick;
    }
    return Duration.ofMillis(tick);
  }

  private static Duration percent(Duration whole, int percent) {
    return whole.multipliedBy(percent).dividedBy(100);
  }
}
