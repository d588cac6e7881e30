package dev.recloser.conformance;

import dev.recloser.test.FakeTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * A wall clock that follows a fake time, and that can be set as an operating system's clock can.
 * Resilience4j reads its waits and time windows from such a clock.
 */
final class WallClock extends Clock {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final FakeTime time;
  private Instant startsAt = START;

  WallClock(FakeTime time) {
    this.time = time;
  }

  /** Sets the clock forward, or backward if the step is negative; the fake time stands still. */
  void step(Duration step) {
    startsAt = startsAt.plus(step);
  }

  /** Sets the clock forward to the next whole second, unless it shows one. */
  void stepToWholeSecond() {
    Instant now = instant();
    Instant second = now.truncatedTo(ChronoUnit.SECONDS);
    if (second.isBefore(now)) {
      step(Duration.between(now, second.plusSeconds(1)));
    }
  }

  @Override
  public Instant instant() {
    return startsAt.plus(time.elapsed());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("a wall clock of a test stays in UTC");
  }
}
