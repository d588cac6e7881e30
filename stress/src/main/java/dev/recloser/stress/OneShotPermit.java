package dev.recloser.stress;

import static dev.recloser.Outcome.FAILURE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.Permit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A permit counts once, however many threads end it at the same moment. */
public final class OneShotPermit {
  private static final CircuitBreakerConfig CONFIG =
      CircuitBreakerConfig.of(c -> c.permittedNumberOfCallsInHalfOpenState(1));

  private OneShotPermit() {}

  /** A call ends as a success and as a failure. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "It was a success.")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "It was a failure.")
  @Outcome(expect = FORBIDDEN, desc = "Counted twice or not at all.")
  @State
  public static class SuccessAndFailure {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", CONFIG);
    private final Permit call = breaker.acquire();

    @Actor
    public void succeed() {
      call.complete("answer");
    }

    @Actor
    public void fail() {
      call.record(FAILURE);
    }

    @Arbiter
    public void count(III_Result r) {
      CircuitBreakerMetrics metrics = breaker.metrics();
      r.r1 = (int) metrics.succeeded();
      r.r2 = (int) metrics.failed();
      r.r3 = breaker.snapshot().window().calls();
    }
  }

  /** Looks whether the permit is used, and only then uses it. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "It was a success.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It was a failure.")
  @Outcome(expect = FORBIDDEN, desc = "Counted twice or not at all.")
  @State
  public static class WrongSuccessAndFailure {
    private volatile boolean done;

    @Actor
    public void succeed(II_Result r) {
      r.r1 = end();
    }

    @Actor
    public void fail(II_Result r) {
      r.r2 = end();
    }

    private int end() {
      if (done) {
        return 0;
      }
      done = true;
      return 1;
    }
  }

  /** A probe is closed twice, which gives one slot back. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "One slot is free again.")
  @Outcome(expect = FORBIDDEN, desc = "The slot is lost or doubled.")
  @State
  public static class TwoCloses {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", CONFIG);
    private final Permit probe;

    public TwoCloses() {
      breaker.transitionTo(CircuitBreaker.State.HALF_OPEN);
      probe = breaker.acquire();
    }

    @Actor
    public void first() {
      probe.close();
    }

    @Actor
    public void second() {
      probe.close();
    }

    @Arbiter
    public void count(II_Result r) {
      r.r1 = (int) breaker.metrics().cancelled();
      r.r2 = breaker.snapshot().probesLeft();
    }
  }
}
