package dev.recloser.stress;

import static dev.recloser.Outcome.FAILURE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.Permit;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.LII_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.LZZ_Result;
import org.openjdk.jcstress.infra.results.LZ_Result;

/**
 * Each crossing moves the breaker exactly once, and each transition is told exactly once, in order,
 * whoever else is about to make the same one.
 */
public final class OneTransition {
  private static final Duration WAIT = Duration.ofSeconds(1);

  /** Opens at the second failure. */
  private static final CircuitBreakerConfig CONFIG =
      CircuitBreakerConfig.of(
          c ->
              c.slidingWindowSize(10)
                  .minimumNumberOfCalls(2)
                  .failureRateThreshold(50)
                  .permittedNumberOfCallsInHalfOpenState(2)
                  .waitDurationInOpenState(WAIT));

  private OneTransition() {}

  /** Writes down what a breaker tells, which it does one at a time. */
  private static final class Diary {
    private final StringBuilder text = new StringBuilder();

    Diary(CircuitBreaker breaker) {
      var unused = breaker.on(StateTransition.class, this::add);
    }

    private synchronized void add(StateTransition event) {
      text.append(text.length() == 0 ? "" : " ").append(event.to());
    }

    synchronized String text() {
      return text.toString();
    }
  }

  /** Two calls fail, each of which is enough to open the breaker. */
  @JCStressTest
  @Outcome(id = "OPEN, 1, 1", expect = ACCEPTABLE, desc = "One opens it; the other is late.")
  @Outcome(expect = FORBIDDEN, desc = "It has opened twice or not at all, or told otherwise.")
  @State
  public static class TwoFailures {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", CONFIG);
    private final Diary diary = new Diary(breaker);
    private final Permit first = breaker.acquire();
    private final Permit second = breaker.acquire();

    public TwoFailures() {
      breaker.acquire().record(FAILURE);
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
    public void look(LII_Result r) {
      r.r1 = diary.text();
      r.r2 = breaker.transitions().size();
      r.r3 = (int) breaker.metrics().late();
    }
  }

  /** Looks at the state, and only then changes it. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "It has opened once.")
  @Outcome(expect = FORBIDDEN, desc = "It has opened twice.")
  @State
  public static class WrongTwoFailures {
    private final AtomicInteger events = new AtomicInteger();
    private volatile boolean open;

    @Actor
    public void first() {
      fail();
    }

    @Actor
    public void second() {
      fail();
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = events.get();
    }

    private void fail() {
      if (!open) {
        open = true;
        events.getAndIncrement();
      }
    }
  }

  /** Two calls come when the wait is over. */
  @JCStressTest
  @Outcome(
      id = "HALF_OPEN, true, true",
      expect = ACCEPTABLE,
      desc = "One of them makes the transition, both probe.")
  @Outcome(expect = FORBIDDEN, desc = "Two transitions, or a slot that is lost.")
  @State
  public static class WaitOver {
    private final FakeTime time = FakeTime.create();
    private final CircuitBreaker breaker =
        CircuitBreaker.create("stress", CONFIG.with(c -> c.ticker(time)));
    private final Diary diary;

    public WaitOver() {
      breaker.transitionTo(CircuitBreaker.State.OPEN);
      diary = new Diary(breaker);
      time.advance(WAIT);
    }

    @Actor
    public void first(LZZ_Result r) {
      r.r2 = breaker.tryAcquire() != null;
    }

    @Actor
    public void second(LZZ_Result r) {
      r.r3 = breaker.tryAcquire() != null;
    }

    @Arbiter
    public void look(LZZ_Result r) {
      r.r1 = diary.text();
    }
  }

  /** The timer of the open state meets a call. */
  @JCStressTest
  @Outcome(id = "HALF_OPEN, true", expect = ACCEPTABLE, desc = "Timer or call; the call probes.")
  @Outcome(id = "HALF_OPEN, false", expect = ACCEPTABLE, desc = "The call came too early.")
  @Outcome(expect = FORBIDDEN, desc = "The timer and the call have each made it, or none.")
  @State
  public static class TimerMeetsCall {
    private final FakeTime time = FakeTime.create();
    private final CircuitBreaker breaker =
        CircuitBreaker.create(
            "stress",
            CONFIG.with(
                c ->
                    c.ticker(time)
                        .scheduler(time)
                        .automaticTransitionFromOpenToHalfOpenEnabled(true)));
    private final Diary diary;

    public TimerMeetsCall() {
      breaker.transitionTo(CircuitBreaker.State.OPEN);
      diary = new Diary(breaker);
    }

    @Actor
    public void timer() {
      time.advance(WAIT);
    }

    @Actor
    public void call(LZ_Result r) {
      r.r2 = breaker.tryAcquire() != null;
    }

    @Arbiter
    public void look(LZ_Result r) {
      r.r1 = diary.text();
    }
  }

  /** An operator forces the breaker open while a failure opens it. */
  @JCStressTest
  @Outcome(id = "FORCED_OPEN, 1", expect = ACCEPTABLE, desc = "The operator came first.")
  @Outcome(id = "OPEN FORCED_OPEN, 2", expect = ACCEPTABLE, desc = "The failure came first.")
  @Outcome(expect = FORBIDDEN, desc = "The operator was overruled, or events were lost.")
  @State
  public static class OperatorMeetsFailure {
    private final CircuitBreaker breaker = CircuitBreaker.create("stress", CONFIG);
    private final Diary diary = new Diary(breaker);
    private final Permit call = breaker.acquire();

    public OperatorMeetsFailure() {
      breaker.acquire().record(FAILURE);
    }

    @Actor
    public void operator() {
      breaker.transitionTo(CircuitBreaker.State.FORCED_OPEN);
    }

    @Actor
    public void fail() {
      call.record(FAILURE);
    }

    @Arbiter
    public void look(LI_Result r) {
      r.r1 = diary.text();
      r.r2 = breaker.transitions().size();
    }
  }
}
