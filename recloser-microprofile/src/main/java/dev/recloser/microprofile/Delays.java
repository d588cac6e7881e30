package dev.recloser.microprofile;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;

/**
 * The waits between attempts as the specification has them: anything from so much less than the
 * delay to so much more, but not less than nothing. The delay may grow, which is ours.
 *
 * @param random a number from 0 to 1 each time
 */
record Delays(
    long delayNanos, long jitterNanos, double multiplier, long mostNanos, DoubleSupplier random)
    implements IntFunction<Duration> {
  static Delays of(Duration delay, Duration jitter, double multiplier, Duration most) {
    return new Delays(
        delay.toNanos(),
        jitter.toNanos(),
        multiplier,
        most.toNanos(),
        () -> ThreadLocalRandom.current().nextDouble());
  }

  /** In doubles, whose infinity is less trouble than an overflow. */
  @Override
  public Duration apply(int attempt) {
    double grown = delayNanos * Math.pow(multiplier, attempt - 1.0);
    double spread = jitterNanos == 0 ? 0 : (2 * random.getAsDouble() - 1) * (double) jitterNanos;
    return Duration.ofNanos((long) Math.max(0, Math.min((double) mostNanos, grown + spread)));
  }
}
