package dev.recloser.stress;

import static dev.recloser.Outcome.FAILURE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.Permit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A result that meets a transition is in the window that the transition was decided on, or late;
 * never both, never neither.
 */
public final class CountedOrLate {
  /** Two failures in two calls open it, as do two in three. */
  private static final CircuitBreakerConfig CONFIG =
      CircuitBreakerConfig.of(
          c -> c.slidingWindowSize(10).minimumNumberOfCalls(2).failureRateThreshold(60));

  private CountedOrLate() {}

  /** A success meets the failure that opens the breaker. */
  @JCStressTest
  @Outcome(id = "3, 0", expect = ACCEPTABLE, desc = "The success is in the window.")
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "The success is late.")
  @Outcome(id = "3, 1", expect = FORBIDDEN, desc = "It is in the window and late.")
  @Outcome(id = "2, 0", expect = FORBIDDEN, desc = "It is neither.")
  @Outcome(expect = FORBIDDEN, desc = "Nothing of the kind.")
  @State
  public static class SuccessMeetsOpening {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", CONFIG);
    private final Permit failing = breaker.acquire();
    private final Permit succeeding = breaker.acquire();

    public SuccessMeetsOpening() {
      breaker.acquire().record(FAILURE);
    }

    @Actor
    public void fail() {
      failing.record(FAILURE);
    }

    @Actor
    public void succeed() {
      succeeding.complete("answer");
    }

    @Arbiter
    public void look(II_Result r) {
      r.r1 = breaker.transitions().get(0).window().calls();
      r.r2 = (int) breaker.metrics().late();
    }
  }

  /** Looks whether the breaker is open, and records after that. */
  @JCStressTest
  @Outcome(id = "3, 0", expect = ACCEPTABLE, desc = "The success is in the window.")
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "The success is late.")
  @Outcome(expect = FORBIDDEN, desc = "It is both or neither.")
  @State
  public static class WrongSuccessMeetsOpening {
    private final AtomicInteger calls = new AtomicInteger(1);
    private volatile boolean open;

    @Actor
    public void fail(II_Result r) {
      r.r1 = calls.incrementAndGet();
      open = true;
    }

    @Actor
    public void succeed(II_Result r) {
      if (open) {
        r.r2 = 1;
      } else {
        calls.incrementAndGet();
      }
    }
  }

  /** The verdict of the probes meets a probe that is not needed for it any more. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The first is the verdict, the second is late.")
  @Outcome(expect = FORBIDDEN, desc = "Both are the verdict, or none.")
  @State
  public static class TwoProbesFail {
    private final CircuitBreaker breaker =
        CircuitBreaker.create(
            "stress",
            CONFIG.with(c -> c.permittedNumberOfCallsInHalfOpenState(2).failureRateThreshold(50)));
    private final Permit first;
    private final Permit second;

    public TwoProbesFail() {
      breaker.transitionTo(CircuitBreaker.State.HALF_OPEN);
      first = breaker.acquire();
      second = breaker.acquire();
    }

    @Actor
    public void first() {
      first.record(FAILURE);
    }

    @Actor
    public void second() {
      second.record(FAILURE);
    }

    @Arbiter
    public void look(II_Result r) {
      r.r1 = breaker.transitions().get(1).window().calls();
      r.r2 = (int) breaker.metrics().late();
    }
  }

  /** A success meets an operator, who looks at the window before he switches. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "It is in the window that the event tells of.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It is late.")
  @Outcome(expect = FORBIDDEN, desc = "It is in the window and late, or neither.")
  @State
  public static class SuccessMeetsOperator {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", CONFIG);
    private final Permit call = breaker.acquire();

    @Actor
    public void operator() {
      breaker.transitionTo(CircuitBreaker.State.OPEN);
    }

    @Actor
    public void succeed() {
      call.complete("answer");
    }

    @Arbiter
    public void look(II_Result r) {
      r.r1 = breaker.transitions().get(0).window().calls();
      r.r2 = (int) breaker.metrics().late();
    }
  }

  /** A success meets a reset: it is counted once, and the new window has nothing of it. */
  @JCStressTest
  @Outcome(id = "1 on time, 0 late, 0 new", expect = ACCEPTABLE, desc = "The reset tells of it.")
  @Outcome(id = "0 on time, 1 late, 0 new", expect = ACCEPTABLE, desc = "It is late.")
  @Outcome(expect = FORBIDDEN, desc = "It is in two windows, late as well, or nowhere.")
  @State
  public static class SuccessMeetsReset {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", CONFIG);
    private final Permit call = breaker.acquire();

    @Actor
    public void reset() {
      breaker.reset();
    }

    @Actor
    public void succeed() {
      call.complete("answer");
    }

    @Arbiter
    public void look(L_Result r) {
      CircuitBreakerMetrics metrics = breaker.metrics();
      String counts =
          breaker.transitions().get(0).window().calls()
              + " on time, "
              + metrics.late()
              + " late, "
              + breaker.snapshot().window().calls()
              + " new";
      r.r1 = metrics.succeeded() == 1 ? counts : metrics.toString();
    }
  }

  /** Who has seen the breaker leave a state ends a call of before: it is late for certain. */
  @JCStressTest
  @Outcome(id = "OPEN, 1", expect = ACCEPTABLE, desc = "It has seen the new state; it is late.")
  @Outcome(id = "CLOSED, [01]", expect = ACCEPTABLE, desc = "It has not; it may be either.")
  @Outcome(expect = FORBIDDEN, desc = "It is on time in a state that has passed.")
  @State
  public static class SuccessAfterSight {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", CONFIG);
    private final Permit call = breaker.acquire();

    @Actor
    public void operator() {
      breaker.transitionTo(CircuitBreaker.State.OPEN);
    }

    @Actor
    public void succeed(LI_Result r) {
      r.r1 = breaker.state();
      call.complete("answer");
      r.r2 = (int) breaker.metrics().late();
    }
  }

  /** Switches first and says so afterwards. */
  @JCStressTest
  @Outcome(id = "OPEN, 1", expect = ACCEPTABLE, desc = "It has seen the new state; it is late.")
  @Outcome(id = "CLOSED, [01]", expect = ACCEPTABLE, desc = "It has not; it may be either.")
  @Outcome(expect = FORBIDDEN, desc = "It is on time in a state that has passed.")
  @State
  public static class WrongSuccessAfterSight {
    private volatile boolean open;
    private volatile boolean passed;

    @Actor
    public void operator() {
      open = true;
      passed = true;
    }

    @Actor
    public void succeed(LI_Result r) {
      r.r1 = open ? "OPEN" : "CLOSED";
      r.r2 = passed ? 1 : 0;
    }
  }
}
