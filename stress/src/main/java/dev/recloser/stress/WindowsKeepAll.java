package dev.recloser.stress;

import static dev.recloser.Outcome.FAILURE;
import static dev.recloser.Outcome.SUCCESS;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Permit;
import dev.recloser.WindowSnapshot;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A window loses no result and doubles none: a count window while the ring turns and while it is
 * read or resized, a time window also while a slice ends.
 */
public final class WindowsKeepAll {
  private static final Duration SLICE = Duration.ofSeconds(1);

  private static final CircuitBreakerConfig COUNT_OF_TWO =
      CircuitBreakerConfig.of(
          c -> c.slidingWindowSize(2).minimumNumberOfCalls(2).failureRateThreshold(100));

  private static final CircuitBreakerConfig TEN_SLICES =
      CircuitBreakerConfig.of(
          c -> c.slidingWindowSize(SLICE.multipliedBy(10)).minimumNumberOfCalls(100));

  private WindowsKeepAll() {}

  private static void record(CircuitBreaker breaker, dev.recloser.Outcome outcome) {
    breaker.acquire().record(outcome);
  }

  private static String text(WindowSnapshot window) {
    return window.failed() + " of " + window.calls();
  }

  /** Two results push two others out. */
  @JCStressTest
  @Outcome(id = "1 of 2", expect = ACCEPTABLE, desc = "The two new ones are in, the others out.")
  @Outcome(expect = FORBIDDEN, desc = "A result was lost or doubled.")
  @State
  public static class RingTurns {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", COUNT_OF_TWO);

    public RingTurns() {
      record(breaker, SUCCESS);
      record(breaker, SUCCESS);
    }

    @Actor
    public void succeed() {
      record(breaker, SUCCESS);
    }

    @Actor
    public void fail() {
      record(breaker, FAILURE);
    }

    @Arbiter
    public void look(L_Result r) {
      r.r1 = text(breaker.snapshot().window());
    }
  }

  /** A ring without a lock. */
  @JCStressTest
  @Outcome(id = "1 of 2", expect = ACCEPTABLE, desc = "The two new ones are in, the others out.")
  @Outcome(expect = FORBIDDEN, desc = "A result was lost or doubled.")
  @State
  public static class WrongRingTurns {
    private final boolean[] failed = new boolean[2];
    private volatile int next;

    @Actor
    public void succeed() {
      record(false);
    }

    @Actor
    public void fail() {
      record(true);
    }

    @Arbiter
    public void look(L_Result r) {
      r.r1 = (failed[0] ? 1 : 0) + (failed[1] ? 1 : 0) + " of " + next;
    }

    private void record(boolean callFailed) {
      int at = next;
      failed[at] = callFailed;
      next = at + 1;
    }
  }

  /** A window is read while a result pushes another out: it is never empty, overfull or mixed. */
  @JCStressTest
  @Outcome(id = "1 of 2", expect = ACCEPTABLE, desc = "Before: the failure is in.")
  @Outcome(id = "0 of 2", expect = ACCEPTABLE, desc = "After: the failure is out.")
  @Outcome(expect = FORBIDDEN, desc = "Numbers of two moments.")
  @State
  public static class ReadWhileRingTurns {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", COUNT_OF_TWO);

    public ReadWhileRingTurns() {
      record(breaker, FAILURE);
      record(breaker, SUCCESS);
    }

    @Actor
    public void succeed() {
      record(breaker, SUCCESS);
    }

    @Actor
    public void read(L_Result r) {
      r.r1 = text(breaker.snapshot().window());
    }
  }

  /** A window is made larger while a result comes. */
  @JCStressTest
  @Outcome(id = "1 of 3", expect = ACCEPTABLE, desc = "First larger, then the result: all are in.")
  @Outcome(id = "0 of 2", expect = ACCEPTABLE, desc = "First the result, which pushes one out.")
  @Outcome(expect = FORBIDDEN, desc = "A result was lost or doubled.")
  @State
  public static class ResizedMeanwhile {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", COUNT_OF_TWO);
    private final Permit call = breaker.acquire();

    public ResizedMeanwhile() {
      record(breaker, FAILURE);
      record(breaker, SUCCESS);
    }

    @Actor
    public void resize() {
      breaker.reconfigure(c -> c.slidingWindowSize(5));
    }

    @Actor
    public void succeed() {
      call.complete("answer");
    }

    @Arbiter
    public void look(L_Result r) {
      r.r1 = text(breaker.snapshot().window());
    }
  }

  /** A slice ends while two results come; none is old enough to go. */
  @JCStressTest
  @Outcome(id = "2 of 3", expect = ACCEPTABLE, desc = "All are in.")
  @Outcome(expect = FORBIDDEN, desc = "A result was lost or doubled.")
  @State
  public static class SliceEnds {
    private final FakeTime time = FakeTime.create();
    private final CircuitBreaker breaker =
        CircuitBreaker.create("stress", TEN_SLICES.with(c -> c.ticker(time)));

    public SliceEnds() {
      record(breaker, FAILURE);
    }

    @Actor
    public void later() {
      time.advance(SLICE);
      record(breaker, FAILURE);
    }

    @Actor
    public void now() {
      record(breaker, SUCCESS);
    }

    @Arbiter
    public void look(L_Result r) {
      r.r1 = text(breaker.snapshot().window());
    }
  }

  /** The oldest slice goes while a result comes into the newest, which takes its place. */
  @JCStressTest
  @Outcome(id = "1 of 2", expect = ACCEPTABLE, desc = "The old one is out, the new ones are in.")
  @Outcome(
      id = "1 of 1",
      expect = ACCEPTABLE,
      desc = "One came before the slice went, and went too.")
  @Outcome(expect = FORBIDDEN, desc = "A new result was lost, or an old one kept.")
  @State
  public static class SliceGoes {
    private final FakeTime time = FakeTime.create();
    private final CircuitBreaker breaker =
        CircuitBreaker.create("stress", TEN_SLICES.with(c -> c.ticker(time)));

    public SliceGoes() {
      record(breaker, SUCCESS);
      record(breaker, SUCCESS);
    }

    @Actor
    public void later() {
      time.advance(SLICE.multipliedBy(10));
      record(breaker, FAILURE);
    }

    @Actor
    public void now() {
      record(breaker, SUCCESS);
    }

    @Arbiter
    public void look(L_Result r) {
      r.r1 = text(breaker.snapshot().window());
    }
  }

  /** Whoever finds a slice old empties it, and so perhaps what another has put into it. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "Both new results are in.")
  @Outcome(expect = FORBIDDEN, desc = "A new result was lost.")
  @State
  public static class WrongSliceGoes {
    private final AtomicInteger slice = new AtomicInteger(5);
    private volatile int epoch;

    @Actor
    public void first() {
      record(1);
    }

    @Actor
    public void second() {
      record(1);
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = slice.get();
    }

    private void record(int now) {
      if (epoch != now) {
        slice.set(0);
        epoch = now;
      }
      slice.getAndIncrement();
    }
  }

  /** A call past the limit ends: it is in flight and slow, or recorded and slow, never both. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Still in flight.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Recorded.")
  @Outcome(expect = FORBIDDEN, desc = "Counted twice or not at all.")
  @State
  public static class SlowCallEnds {
    private static final Duration LIMIT = Duration.ofMillis(100);

    private final FakeTime time = FakeTime.create();
    private final CircuitBreaker breaker =
        CircuitBreaker.create(
            "stress", COUNT_OF_TWO.with(c -> c.ticker(time).slowCallDurationThreshold(LIMIT)));
    private final Permit call = breaker.acquire();

    public SlowCallEnds() {
      time.advance(LIMIT.multipliedBy(2));
    }

    @Actor
    public void end() {
      call.complete("answer");
    }

    @Actor
    public void read(II_Result r) {
      WindowSnapshot window = breaker.snapshot().window();
      r.r1 = window.slowInFlight();
      r.r2 = window.slow();
    }
  }
}
