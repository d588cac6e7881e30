package dev.recloser.stress;

import static dev.recloser.Outcome.FAILURE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.Permit;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * The numbers of a breaker's life miss nothing and never go back, and no more calls have ended than
 * began.
 */
public final class CountersAddUp {
  private static final CircuitBreakerConfig CONFIG = CircuitBreakerConfig.defaults();

  /** One after the other, so that one can begin and end between two reads. */
  private static final int CALLS = 10;

  /** The wait of a breaker that opens. */
  private static final Duration STEP = Duration.ofMillis(1);

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

  /** The metrics are read twice while calls succeed, fail and are refused, and states pass. */
  @JCStressTest
  @Outcome(id = "grown", expect = ACCEPTABLE, desc = "No number has gone back.")
  @Outcome(expect = FORBIDDEN, desc = "A number has gone back, or a call ended before it began.")
  @State
  public static class ReadTwice {
    private final FakeTime time = FakeTime.create();
    private final CircuitBreaker breaker =
        CircuitBreaker.create(
            "stress",
            CircuitBreakerConfig.of(
                c -> c.minimumNumberOfCalls(2).waitDurationInOpenState(STEP).ticker(time)));

    @Actor
    public void succeed() {
      for (int i = 0; i < CALLS; i++) {
        end(breaker.tryAcquire(), dev.recloser.Outcome.SUCCESS);
      }
    }

    @Actor
    public void fail() {
      for (int i = 0; i < CALLS; i++) {
        end(breaker.tryAcquire(), FAILURE);
        time.advance(STEP);
      }
    }

    @Actor
    public void read(L_Result r) {
      CircuitBreakerMetrics before = breaker.metrics();
      CircuitBreakerMetrics after = breaker.metrics();
      r.r1 = "grown";
      for (CircuitBreakerMetrics each : List.of(before, after)) {
        if (each.callsInFlight() < 0) {
          r.r1 = "more ended than began: " + each;
        }
      }
      if (!hasGrown(before, after)) {
        r.r1 = "from " + before + " to " + after;
      }
    }

    private static void end(@Nullable Permit permit, dev.recloser.Outcome outcome) {
      if (permit != null) {
        permit.record(outcome);
      }
    }

    private static boolean hasGrown(CircuitBreakerMetrics before, CircuitBreakerMetrics after) {
      return after.admitted() >= before.admitted()
          && after.succeeded() >= before.succeeded()
          && after.failed() >= before.failed()
          && after.late() >= before.late()
          && after.totalRefused() >= before.totalRefused()
          && before.transitions().entrySet().stream()
              .allMatch(e -> after.transitions().getOrDefault(e.getKey(), 0L) >= e.getValue())
          && before.timeInState().entrySet().stream()
              .allMatch(
                  e ->
                      after
                              .timeInState()
                              .getOrDefault(e.getKey(), Duration.ZERO)
                              .compareTo(e.getValue())
                          >= 0);
    }
  }

  /** Takes what is in flight off what began, in two reads of each. */
  @JCStressTest
  @Outcome(id = "grown", expect = ACCEPTABLE, desc = "The number has not gone back.")
  @Outcome(expect = FORBIDDEN, desc = "The number has gone back.")
  @State
  public static class WrongReadTwice {
    private final AtomicInteger began = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();

    @Actor
    public void call() {
      for (int i = 0; i < CALLS; i++) {
        began.getAndIncrement();
        inFlight.getAndIncrement();
        inFlight.getAndDecrement();
      }
    }

    @Actor
    public void read(L_Result r) {
      int before = ended();
      r.r1 = ended() >= before ? "grown" : "gone back";
    }

    private int ended() {
      return began.get() - inFlight.get();
    }
  }
}
