package dev.recloser.stress;

import static dev.recloser.Outcome.FAILURE;
import static dev.recloser.Outcome.SUCCESS;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.Permit;
import dev.recloser.WindowSnapshot;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * However many threads end calls at once, and wherever their results are kept until they matter,
 * the window and the metrics have each of them once.
 */
public final class StripedResults {
  /** Calls a thread, so that threads meet, and whatever grows with that does grow. */
  private static final int CALLS = 20;

  private StripedResults() {}

  private static CircuitBreaker breaker(int windowSize, int minimum, double threshold) {
    return CircuitBreaker.create(
        "stress",
        CircuitBreakerConfig.of(
            c ->
                c.slidingWindowSize(windowSize)
                    .minimumNumberOfCalls(minimum)
                    .failureRateThreshold(threshold)));
  }

  private static void end(CircuitBreaker breaker, int calls, dev.recloser.Outcome outcome) {
    for (int i = 0; i < calls; i++) {
      breaker.acquire().record(outcome);
    }
  }

  private static String text(WindowSnapshot window) {
    return window.failed() + " of " + window.calls();
  }

  private static String text(CircuitBreakerMetrics metrics) {
    return metrics.succeeded()
        + " and "
        + metrics.failed()
        + " of "
        + metrics.admitted()
        + ", late "
        + metrics.late();
  }

  /** Three threads end calls well and one badly, in a window that judges since long. */
  @JCStressTest
  @Outcome(id = "20 of 82, 62 and 20 of 82, late 0", expect = ACCEPTABLE, desc = "Each once.")
  @Outcome(expect = FORBIDDEN, desc = "A result was lost or doubled.")
  @State
  public static class FourThreads {
    private final CircuitBreaker breaker = breaker(200, 2, 100);

    public FourThreads() {
      end(breaker, 2, SUCCESS);
    }

    @Actor
    public void first() {
      end(breaker, CALLS, SUCCESS);
    }

    @Actor
    public void second() {
      end(breaker, CALLS, SUCCESS);
    }

    @Actor
    public void third() {
      end(breaker, CALLS, SUCCESS);
    }

    @Actor
    public void fail() {
      end(breaker, CALLS, FAILURE);
    }

    @Arbiter
    public void look(LL_Result r) {
      r.r1 = text(breaker.snapshot().window());
      r.r2 = text(breaker.metrics());
    }
  }

  /** The same results in a counter that is not added to in one step. */
  @JCStressTest
  @Outcome(id = "20 of 80", expect = ACCEPTABLE, desc = "Each once.")
  @Outcome(expect = FORBIDDEN, desc = "A result was lost.")
  @State
  public static class WrongFourThreads {
    private volatile int calls;
    private volatile int failed;

    @Actor
    public void first() {
      end(0);
    }

    @Actor
    public void second() {
      end(0);
    }

    @Actor
    public void third() {
      end(0);
    }

    @Actor
    public void fail() {
      end(1);
    }

    @Arbiter
    public void look(L_Result r) {
      r.r1 = failed + " of " + calls;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // That is what is wrong.
    private void end(int failures) {
      for (int i = 0; i < CALLS; i++) {
        calls += 1;
        failed += failures;
      }
    }
  }

  /** Four results are the minimum, and enough: whichever is the last opens the breaker. */
  @JCStressTest
  @Outcome(id = "1 of 4, 3 and 1 of 4, late 0", expect = ACCEPTABLE, desc = "Opened by all four.")
  @Outcome(expect = FORBIDDEN, desc = "It has opened too early, too late or not at all.")
  @State
  public static class LastOfTheMinimum {
    private final CircuitBreaker breaker = breaker(10, 4, 25);
    private final Permit one = breaker.acquire();
    private final Permit two = breaker.acquire();
    private final Permit three = breaker.acquire();
    private final Permit four = breaker.acquire();

    @Actor
    public void first() {
      one.record(SUCCESS);
    }

    @Actor
    public void second() {
      two.record(SUCCESS);
    }

    @Actor
    public void third() {
      three.record(SUCCESS);
    }

    @Actor
    public void fail() {
      four.record(FAILURE);
    }

    @Arbiter
    public void look(LL_Result r) {
      boolean open = breaker.state() == CircuitBreaker.State.OPEN;
      r.r1 = open ? text(breaker.transitions().get(0).window()) : breaker.state().toString();
      r.r2 = text(breaker.metrics());
    }
  }

  /** Two failures meet two successes that may keep the rate low, or come too late for that. */
  @JCStressTest
  @Outcome(id = "2 of 4, 4 and 2 of 6, late 2", expect = ACCEPTABLE, desc = "Both came late.")
  @Outcome(id = "CLOSED: 2 of 6, 4 and 2 of 6, late 0", expect = ACCEPTABLE, desc = "None did.")
  @Outcome(expect = FORBIDDEN, desc = "A result is in the window and late, or neither.")
  @State
  public static class RateThatFalls {
    private final CircuitBreaker breaker = breaker(10, 4, 50);
    private final Permit one;
    private final Permit two;
    private final Permit three;
    private final Permit four;

    public RateThatFalls() {
      end(breaker, 2, SUCCESS);
      one = breaker.acquire();
      two = breaker.acquire();
      three = breaker.acquire();
      four = breaker.acquire();
    }

    @Actor
    public void first() {
      one.record(SUCCESS);
    }

    @Actor
    public void second() {
      two.record(SUCCESS);
    }

    @Actor
    public void fail() {
      three.record(FAILURE);
    }

    @Actor
    public void failToo() {
      four.record(FAILURE);
    }

    @Arbiter
    public void look(LL_Result r) {
      boolean open = breaker.state() == CircuitBreaker.State.OPEN;
      r.r1 =
          open
              ? text(breaker.transitions().get(0).window())
              : "CLOSED: " + text(breaker.snapshot().window());
      r.r2 = text(breaker.metrics());
    }
  }
}
