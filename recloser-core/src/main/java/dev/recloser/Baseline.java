package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long calls normally take, as an adaptive limit has learnt it. Not thread-safe. */
final class Baseline {
  /*
   * What is normal decides everything, and it cannot be seen while the limit is at work: under a
   * full load calls take as long as that load makes them. Three ways are known to lose it.
   *
   *  - A long average of all latencies (the Gradient2 of Netflix' concurrency-limits, and the
   *    baseline of failsafe-go) follows a slow spell: after some minutes slow is normal, and the limit
   *    grows in the middle of the incident.
   *  - The least latency ever seen (Vegas; Brakmo and Peterson, 1995) is made by one lucky call, and
   *    never forgotten when the dependency changes for good.
   *  - Holding the limit at its floor every few minutes to measure anew (Envoy's minRTT window; BBR's
   *    ProbeRTT, Cardwell et al., 2016) refuses calls though nothing is wrong, and takes whatever it
   *    finds, an incident too.
   *
   * So here it goes down easily and up reluctantly:
   *
   *  - It is first set by a quiet round, one in which no more calls than the floor ran at once.
   *  - It goes down with each faster round, quiet or not, for load makes nothing faster; by an eighth
   *    of the way, so that a lucky round is not believed, and some dozens of them, which are seconds,
   *    are.
   *  - It goes up only when, for the whole of maxSlowSpellDuration, quiet rounds have been slower, all
   *    of them: then to the fastest of these. No spell that is shorter can raise it, a change for the
   *    worse that lasts is found after one to two of these times, and so is that it was too low. Of a
   *    pause between quiet rounds no more than a part counts, so that two slow evenings do not make
   *    a slow day.
   *  - Where the load leaves no quiet rounds, one is asked for: before the limit is raised for the
   *    first time, and once in a while during a slow spell, when the limit has been lowered anyway.
   *    While all is well, never.
   */
  private static final int FALL = 8;
  private static final int LOOKS = 24;

  private final double tolerance;
  private final long maxLatency;
  private final boolean given;
  private final long maxSpell;
  private final long part;

  /** Zero while it is not known. */
  private long nanos;

  /** When a round was last quiet or not too slow. */
  private long lookedAt;

  /** How long quiet rounds have all been slower, and the fastest of them; zero for none. */
  private long slowFor;

  private long fastestSlow;

  Baseline(AdaptiveLimitConfig config) {
    tolerance = config.latencyTolerance();
    maxLatency = nanosOr(config.maxLatency(), Long.MAX_VALUE);
    given = config.baselineLatency() != null;
    nanos = nanosOr(config.baselineLatency(), 0);
    maxSpell = config.maxSlowSpellDuration().toNanos();
    part = Math.max(1, maxSpell / LOOKS);
  }

  /** Goes on with what another one has learnt, unless it is given. */
  Baseline(AdaptiveLimitConfig config, Baseline before) {
    this(config);
    if (!given && !before.given) {
      nanos = before.nanos;
      lookedAt = before.lookedAt;
      slowFor = before.slowFor;
      fastestSlow = before.fastestSlow;
    }
  }

  boolean isKnown() {
    return nanos > 0;
  }

  /** Nanoseconds; zero while it is not known. */
  long nanos() {
    return nanos;
  }

  /** How long calls may take, in nanoseconds. */
  long tolerated() {
    return isKnown() ? Math.min(maxLatency, (long) (nanos * tolerance)) : maxLatency;
  }

  /** Whether a quiet round is asked for, rounds having been loaded and too slow for a while. */
  boolean wantsQuiet(long now) {
    return isKnown() && !given && now - lookedAt >= part;
  }

  /**
   * Learns from a round.
   *
   * @param latency its median, more than zero
   * @param quiet whether few calls ran at once
   */
  void learn(long latency, boolean quiet, long now) {
    if (given) {
      return;
    }
    if (!isKnown()) {
      if (quiet) {
        nanos = latency;
        lookedAt = now;
      }
      return;
    }
    if (latency <= nanos) {
      nanos -= (nanos - latency) / FALL;
      forgetSlow();
    } else if (quiet) {
      learnSlow(latency, now);
    }
    if (quiet || latency <= tolerated()) {
      lookedAt = now;
    }
  }

  private void learnSlow(long latency, long now) {
    slowFor += fastestSlow == 0 ? 0 : Math.max(0, Math.min(part, now - lookedAt));
    fastestSlow = fastestSlow == 0 ? latency : Math.min(fastestSlow, latency);
    if (slowFor >= maxSpell) {
      nanos = fastestSlow;
      forgetSlow();
    }
  }

  private void forgetSlow() {
    slowFor = 0;
    fastestSlow = 0;
  }

  private static long nanosOr(@Nullable Duration duration, long otherwise) {
    return duration == null ? otherwise : duration.toNanos();
  }
}
