package dev.recloser.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.RateLimiter;
import dev.recloser.RateLimiterConfig;
import dev.recloser.RateLimiterMetrics;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A rate limiter gives out no more permits than have come, and loses none that is given back. */
public final class RateLimiterPermits {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private static RateLimiterConfig onePermit(FakeTime time) {
    return RateLimiterConfig.of(
        c ->
            c.limitForPeriod(1)
                .limitRefreshPeriod(PERIOD)
                .timeoutDuration(PERIOD.multipliedBy(5))
                .ticker(time)
                .scheduler(time)
                .executor(Runnable::run));
  }

  private RateLimiterPermits() {}

  /** Two calls ask for the last permit. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The first call has it.")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The second call has it.")
  @Outcome(expect = FORBIDDEN, desc = "Both have it, or none.")
  @State
  public static class LastPermit {
    private final RateLimiter limiter = RateLimiter.create("stress", onePermit(FakeTime.create()));

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = limiter.tryAcquire();
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = limiter.tryAcquire();
    }
  }

  /** Looks whether there is a permit, and only then takes it. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The first call has it.")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The second call has it.")
  @Outcome(expect = FORBIDDEN, desc = "Both have it, or none.")
  @State
  public static class WrongLastPermit {
    private final AtomicInteger permits = new AtomicInteger(1);

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = tryAcquire();
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = tryAcquire();
    }

    private boolean tryAcquire() {
      if (permits.get() == 0) {
        return false;
      }
      permits.getAndDecrement();
      return true;
    }
  }

  /** A permit comes while two calls ask for it. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The one that waited for it has it.")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The other has it.")
  @Outcome(expect = FORBIDDEN, desc = "Both have it, or none.")
  @State
  public static class PermitComes {
    private final FakeTime time = FakeTime.create();
    private final RateLimiter limiter = RateLimiter.create("stress", onePermit(time));

    public PermitComes() {
      limiter.acquire();
    }

    @Actor
    public void later(ZZ_Result r) {
      time.advance(PERIOD);
      r.r1 = limiter.tryAcquire();
    }

    @Actor
    public void now(ZZ_Result r) {
      r.r2 = limiter.tryAcquire();
    }
  }

  /** A call that waits is given up at the moment of its turn: made or given up, and counted so. */
  @JCStressTest
  @Outcome(id = "1, 2, 0, 0", expect = ACCEPTABLE, desc = "Made; its permit is used up.")
  @Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "Given up; its permit is there.")
  @Outcome(expect = FORBIDDEN, desc = "A permit is lost or doubled, or a count is wrong.")
  @State
  public static class GiveUpMeetsTurn {
    private final FakeTime time = FakeTime.create();
    private final RateLimiter limiter = RateLimiter.create("stress", onePermit(time));
    private final AtomicInteger made = new AtomicInteger();
    private final CompletableFuture<String> waiting;

    public GiveUpMeetsTurn() {
      limiter.acquire();
      waiting =
          limiter.callAsync(
              () -> {
                made.getAndIncrement();
                return new CompletableFuture<>();
              });
    }

    @Actor
    public void turn() {
      time.advance(PERIOD);
    }

    @Actor
    public void giveUp() {
      waiting.cancel(true);
    }

    @Arbiter
    public void look(IIII_Result r) {
      RateLimiterMetrics metrics = limiter.metrics();
      r.r1 = made.get();
      r.r2 = (int) metrics.admitted();
      r.r3 = (int) metrics.cancelled();
      r.r4 = (int) metrics.availablePermits() + metrics.waiting() + time.pendingTimers();
    }
  }

  /** Looks whether it is its turn, and only then leaves the line. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Made; its permit is used up.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Given up; its permit is there.")
  @Outcome(expect = FORBIDDEN, desc = "A permit is lost or doubled.")
  @State
  public static class WrongGiveUpMeetsTurn {
    private volatile boolean started;
    private volatile boolean left;

    @Actor
    public void turn(II_Result r) {
      if (!left) {
        started = true;
        r.r1 = 1;
      }
    }

    @Actor
    public void giveUp(II_Result r) {
      if (!started) {
        left = true;
        r.r2 = 1;
      }
    }
  }
}
