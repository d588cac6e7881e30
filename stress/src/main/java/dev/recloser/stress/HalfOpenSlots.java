package dev.recloser.stress;

import static dev.recloser.Outcome.FAILURE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.Permit;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.LII_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A half-open breaker admits no more probes than it is set to, counted over its whole stay,
 * whatever is given back, expires, is reset or is reconfigured at the same moment.
 */
public final class HalfOpenSlots {
  private static final Duration LEASE = Duration.ofSeconds(1);

  private static final CircuitBreakerConfig ONE_SLOT =
      CircuitBreakerConfig.of(c -> c.permittedNumberOfCallsInHalfOpenState(1));

  /** Three slots, so that neither one success nor one failure is a verdict. */
  private static final CircuitBreakerConfig THREE_SLOTS =
      CircuitBreakerConfig.of(
          c ->
              c.permittedNumberOfCallsInHalfOpenState(3)
                  .failureRateThreshold(50)
                  .maxProbeDuration(LEASE));

  private HalfOpenSlots() {}

  private static CircuitBreaker halfOpen(CircuitBreakerConfig config) {
    CircuitBreaker breaker = CircuitBreaker.create("stress", config);
    breaker.transitionTo(CircuitBreaker.State.HALF_OPEN);
    return breaker;
  }

  private static int admitted(CircuitBreaker breaker, int tries) {
    int admitted = 0;
    for (int i = 0; i < tries; i++) {
      admitted += breaker.tryAcquire() == null ? 0 : 1;
    }
    return admitted;
  }

  /** Two calls ask for one slot. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The first call probes.")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The second call probes.")
  @Outcome(expect = FORBIDDEN, desc = "One slot makes no or two probes.")
  @State
  public static class LastSlot {
    private final CircuitBreaker breaker = halfOpen(ONE_SLOT);

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = breaker.tryAcquire() != null;
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = breaker.tryAcquire() != null;
    }
  }

  /** Looks whether there is a slot, and only then takes it. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The first call probes.")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The second call probes.")
  @Outcome(expect = FORBIDDEN, desc = "One slot makes no or two probes.")
  @State
  public static class WrongLastSlot {
    private volatile int taken;

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = tryAcquire();
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = tryAcquire();
    }

    private boolean tryAcquire() {
      if (taken == 1) {
        return false;
      }
      taken = 1;
      return true;
    }
  }

  /** A probe is cancelled while others ask for its slot. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Refused: the slot was not back yet.")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Admitted: the slot was back.")
  @Outcome(id = ".*, 1", expect = FORBIDDEN, desc = "Admitted before the slot was given back.")
  @Outcome(expect = FORBIDDEN, desc = "The slot was given back more than once.")
  @State
  public static class CancelledProbe {
    private final CircuitBreaker breaker = halfOpen(ONE_SLOT);
    private final Permit probe = breaker.acquire();
    private volatile boolean cancelled;

    @Actor
    public void cancel() {
      cancelled = true;
      probe.close();
    }

    @Actor
    public void ask(II_Result r) {
      r.r1 = admitted(breaker, 2);
      r.r2 = r.r1 > 0 && !cancelled ? 1 : 0;
    }
  }

  /**
   * The lease of a probe ends while it reports: it is counted, or late and replaced by a failure.
   */
  @JCStressTest
  @Outcome(id = "2, 0, 0", expect = ACCEPTABLE, desc = "In time; its slot is used up.")
  @Outcome(id = "2, 1, 1", expect = ACCEPTABLE, desc = "Expired and late; its slot is used up.")
  @Outcome(id = ".*, 1, 0", expect = FORBIDDEN, desc = "Counted twice.")
  @Outcome(id = ".*, 0, 1", expect = FORBIDDEN, desc = "Counted not at all.")
  @Outcome(expect = FORBIDDEN, desc = "Too few or too many probes.")
  @State
  public static class LeaseOver {
    private final FakeTime time = FakeTime.create();
    private final CircuitBreaker breaker = halfOpen(THREE_SLOTS.with(c -> c.ticker(time)));
    private final Permit probe = breaker.acquire();

    @Actor
    public void leaseEnds(III_Result r) {
      time.advance(LEASE);
      r.r1 = admitted(breaker, 4);
    }

    @Actor
    public void report() {
      probe.complete("answer");
    }

    @Arbiter
    public void count(III_Result r) {
      CircuitBreakerMetrics metrics = breaker.metrics();
      r.r2 = (int) metrics.expiredProbes();
      r.r3 = (int) metrics.late();
    }
  }

  /** Each of the two looks whether the probe is out, and only then takes it off the list. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "In time.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Expired.")
  @Outcome(expect = FORBIDDEN, desc = "Counted twice, or not at all.")
  @State
  public static class WrongLeaseOver {
    private volatile boolean out = true;

    @Actor
    public void report(II_Result r) {
      if (out) {
        out = false;
        r.r1 = 1;
      }
    }

    @Actor
    public void leaseEnds(II_Result r) {
      if (out) {
        out = false;
        r.r2 = 1;
      }
    }
  }

  /** Two probes are cancelled at once: both slots come back. */
  @JCStressTest
  @Outcome(id = "3", expect = ACCEPTABLE, desc = "All three slots are free.")
  @Outcome(expect = FORBIDDEN, desc = "A slot was lost or doubled.")
  @State
  public static class TwoCancelledProbes {
    private final CircuitBreaker breaker = halfOpen(THREE_SLOTS);
    private final Permit first = breaker.acquire();
    private final Permit second = breaker.acquire();

    @Actor
    public void first() {
      first.close();
    }

    @Actor
    public void second() {
      second.close();
    }

    @Arbiter
    public void askAgain(I_Result r) {
      r.r1 = admitted(breaker, 4);
    }
  }

  /** The lease of a probe ends while it is cancelled: its slot comes back, or is used up. */
  @JCStressTest
  @Outcome(id = "3, 0, 0", expect = ACCEPTABLE, desc = "Cancelled in time; all slots are free.")
  @Outcome(id = "2, 1, 1", expect = ACCEPTABLE, desc = "Expired and late; its slot is used up.")
  @Outcome(expect = FORBIDDEN, desc = "A slot was lost or doubled.")
  @State
  public static class LeaseOverWhileCancelled {
    private final FakeTime time = FakeTime.create();
    private final CircuitBreaker breaker = halfOpen(THREE_SLOTS.with(c -> c.ticker(time)));
    private final Permit probe = breaker.acquire();

    @Actor
    public void leaseEnds(III_Result r) {
      time.advance(LEASE);
      r.r1 = admitted(breaker, 4);
    }

    @Actor
    public void cancel() {
      probe.close();
    }

    @Arbiter
    public void count(III_Result r) {
      CircuitBreakerMetrics metrics = breaker.metrics();
      r.r2 = (int) metrics.expiredProbes();
      r.r3 = (int) metrics.late();
    }
  }

  /** A reset meets a probe that fails: whatever comes first, the breaker is closed and new. */
  @JCStressTest
  @Outcome(id = "CLOSED, 0, 3", expect = ACCEPTABLE, desc = "It opened, and was then reset.")
  @Outcome(id = "CLOSED, 1, 2", expect = ACCEPTABLE, desc = "It was reset; the probe was late.")
  @Outcome(
      id = "CLOSED, 0, 2",
      expect = ACCEPTABLE_INTERESTING,
      desc = "The probe was in time for a verdict, and the reset overtook that.")
  @Outcome(expect = FORBIDDEN, desc = "The past has reached the present.")
  @State
  public static class ResetMeetsFailure {
    private final CircuitBreaker breaker = halfOpen(ONE_SLOT);
    private final Permit probe = breaker.acquire();

    @Actor
    public void reset() {
      breaker.reset();
    }

    @Actor
    public void fail() {
      probe.record(FAILURE);
    }

    @Arbiter
    public void look(LII_Result r) {
      int seen = breaker.snapshot().window().calls();
      r.r1 = seen == 0 ? breaker.state() : "a window of " + seen;
      r.r2 = (int) breaker.metrics().late();
      r.r3 = breaker.transitions().size();
    }
  }

  /** A new number of probes is for the next stay: this one keeps the number it began with. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "One slot, one probe.")
  @Outcome(expect = FORBIDDEN, desc = "The number of slots has changed during the stay.")
  @State
  public static class Reconfigured {
    private final CircuitBreaker breaker = halfOpen(ONE_SLOT);

    @Actor
    public void reconfigure() {
      breaker.reconfigure(c -> c.permittedNumberOfCallsInHalfOpenState(5));
    }

    @Actor
    public void ask(I_Result r) {
      r.r1 = admitted(breaker, 2);
    }

    @Arbiter
    public void askAgain(I_Result r) {
      r.r1 += admitted(breaker, 1);
    }
  }

  /** An operator closes a breaker that has a slot left: there is no moment to refuse a call in. */
  @JCStressTest
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "It probes, or is let in by the closed state.")
  @Outcome(expect = FORBIDDEN, desc = "Refused, though either state would let it in.")
  @State
  public static class OperatorCloses {
    private final CircuitBreaker breaker = halfOpen(ONE_SLOT);

    @Actor
    public void close() {
      breaker.transitionTo(CircuitBreaker.State.CLOSED);
    }

    @Actor
    public void ask(Z_Result r) {
      r.r1 = breaker.tryAcquire() != null;
    }
  }

  /** Leaves one state before it enters the next. */
  @JCStressTest
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "It probes, or is let in by the closed state.")
  @Outcome(expect = FORBIDDEN, desc = "Refused, though either state would let it in.")
  @State
  public static class WrongOperatorCloses {
    private volatile boolean halfOpen = true;
    private volatile boolean closed;

    @Actor
    public void close() {
      halfOpen = false;
      closed = true;
    }

    @Actor
    public void ask(Z_Result r) {
      r.r1 = halfOpen || closed;
    }
  }
}
