package dev.recloser.stress;

import static dev.recloser.Outcome.FAILURE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerMetrics;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The numbers of a breaker's life miss nothing, and no more calls have ended than began. */
public final class CountersAddUp {
  private static final CircuitBreakerConfig CONFIG = CircuitBreakerConfig.defaults();

  /** One after the other, so that one can begin and end between two reads. */
  private static final int CALLS = 10;

  private CountersAddUp() {}

  /** The metrics are read while calls are made one after the other. */
  @JCStressTest
  @Outcome(id = "0|1", expect = ACCEPTABLE, desc = "None or one is in flight.")
  @Outcome(id = "[0-9]+", expect = ACCEPTABLE, desc = "Some began between the reads.")
  @Outcome(expect = FORBIDDEN, desc = "A call has ended that did not begin.")
  @State
  public static class ReadWhileCalling {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", CONFIG);

    @Actor
    public void call() {
      for (int i = 0; i < CALLS; i++) {
        breaker.acquire().complete("answer");
      }
    }

    @Actor
    public void read(I_Result r) {
      r.r1 = (int) breaker.metrics().callsInFlight();
    }
  }

  /** Reads those that began before those that have ended. */
  @JCStressTest
  @Outcome(id = "0|1", expect = ACCEPTABLE, desc = "None or one is in flight.")
  @Outcome(id = "[0-9]+", expect = ACCEPTABLE, desc = "Some began between the reads.")
  @Outcome(expect = FORBIDDEN, desc = "A call has ended that did not begin.")
  @State
  public static class WrongReadWhileCalling {
    private final AtomicInteger began = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    @Actor
    public void call() {
      for (int i = 0; i < CALLS; i++) {
        began.getAndIncrement();
        ended.getAndIncrement();
      }
    }

    @Actor
    public void read(I_Result r) {
      int begun = began.get();
      r.r1 = begun - ended.get();
    }
  }

  /** One call ends, another is made, and both are counted. */
  @JCStressTest
  @Outcome(id = "2, 1, 1", expect = ACCEPTABLE, desc = "Two admitted, each counted as it ended.")
  @Outcome(expect = FORBIDDEN, desc = "A count is missing.")
  @State
  public static class TwoCalls {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", CONFIG);

    @Actor
    public void succeed() {
      breaker.acquire().complete("answer");
    }

    @Actor
    public void fail() {
      breaker.acquire().record(FAILURE);
    }

    @Arbiter
    public void count(III_Result r) {
      CircuitBreakerMetrics metrics = breaker.metrics();
      r.r1 = (int) metrics.admitted();
      r.r2 = (int) metrics.succeeded();
      r.r3 = (int) metrics.failed();
    }
  }
}
