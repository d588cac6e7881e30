package dev.recloser.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.Bulkhead;
import dev.recloser.BulkheadConfig;
import dev.recloser.BulkheadMetrics;
import dev.recloser.BulkheadSlot;
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
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.IZZ_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A bulkhead never lets more run than it may, and loses and doubles no slot. */
public final class BulkheadSlots {
  private static final BulkheadConfig ONE_SLOT = BulkheadConfig.of(c -> c.maxConcurrentCalls(1));

  /** One slot, and patience. */
  private static BulkheadConfig waiting(FakeTime time) {
    return ONE_SLOT.with(
        c -> c.maxWaitDuration(Duration.ofSeconds(1)).scheduler(time).executor(Runnable::run));
  }

  private BulkheadSlots() {}

  /** Two calls ask for the last slot. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The first call has it.")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The second call has it.")
  @Outcome(expect = FORBIDDEN, desc = "Both have it, or none.")
  @State
  public static class LastSlot {
    private final Bulkhead bulkhead = Bulkhead.create("stress", ONE_SLOT);

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = bulkhead.tryAcquire() != null;
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = bulkhead.tryAcquire() != null;
    }
  }

  /** A slot is closed twice, which frees one. */
  @JCStressTest
  @Outcome(id = "0, true, false", expect = ACCEPTABLE, desc = "One slot is free, and only one.")
  @Outcome(expect = FORBIDDEN, desc = "The slot is lost or doubled.")
  @State
  public static class TwoCloses {
    private final Bulkhead bulkhead = Bulkhead.create("stress", ONE_SLOT);
    private final BulkheadSlot slot = bulkhead.acquire();

    @Actor
    public void first() {
      slot.close();
    }

    @Actor
    public void second() {
      slot.close();
    }

    @Arbiter
    public void look(IZZ_Result r) {
      r.r1 = bulkhead.metrics().running();
      r.r2 = bulkhead.tryAcquire() != null;
      r.r3 = bulkhead.tryAcquire() != null;
    }
  }

  /** A call that waits is cancelled while the slot comes free for it. */
  @JCStressTest
  @Outcome(id = "0, 0, 0, 1", expect = ACCEPTABLE, desc = "Cancelled, and never made.")
  @Outcome(id = "0, 0, 1, 0", expect = ACCEPTABLE, desc = "Made; it was cancelled in its course.")
  @Outcome(expect = FORBIDDEN, desc = "A slot, a place in the queue, a timer or a count is wrong.")
  @State
  public static class CancelMeetsRelease {
    private final FakeTime time = FakeTime.create();
    private final Bulkhead bulkhead = Bulkhead.create("stress", waiting(time));
    private final BulkheadSlot slot = bulkhead.acquire();
    private final AtomicInteger made = new AtomicInteger();
    private final CompletableFuture<String> waiting =
        bulkhead.callAsync(
            () -> {
              made.getAndIncrement();
              return new CompletableFuture<>();
            });

    @Actor
    public void release() {
      slot.close();
    }

    @Actor
    public void cancel() {
      waiting.cancel(true);
    }

    @Arbiter
    public void look(IIII_Result r) {
      BulkheadMetrics metrics = bulkhead.metrics();
      r.r1 = metrics.running() + metrics.waiting();
      r.r2 = time.pendingTimers();
      r.r3 = made.get() == metrics.admitted() - 1 ? made.get() : -1;
      r.r4 = (int) metrics.cancelled();
    }
  }

  /** Looks whether the one who waits has left, and only then gives it the slot. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "The slot is free, whoever came first.")
  @Outcome(expect = FORBIDDEN, desc = "The slot is lost with one who has left.")
  @State
  public static class WrongCancelMeetsRelease {
    private final AtomicInteger running = new AtomicInteger(1);
    private volatile boolean left;
    private volatile boolean started;

    @Actor
    public void release() {
      if (left) {
        running.getAndDecrement();
      } else {
        started = true; // The slot goes on to the call that waits.
      }
    }

    @Actor
    public void cancel() {
      if (started) {
        running.getAndDecrement(); // The call ends, and gives it back.
      } else {
        left = true;
      }
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = running.get();
    }
  }

  /** The time of a call that waits is over while the slot comes free for it. */
  @JCStressTest
  @Outcome(id = "0, 0, 1, 0", expect = ACCEPTABLE, desc = "Made.")
  @Outcome(id = "0, 0, 0, 1", expect = ACCEPTABLE, desc = "Refused.")
  @Outcome(expect = FORBIDDEN, desc = "A slot, a place in the queue, a timer or a count is wrong.")
  @State
  public static class TimeUpMeetsRelease {
    private final FakeTime time = FakeTime.create();
    private final Bulkhead bulkhead = Bulkhead.create("stress", waiting(time));
    private final BulkheadSlot slot = bulkhead.acquire();
    private final AtomicInteger made = new AtomicInteger();

    public TimeUpMeetsRelease() {
      var unused =
          bulkhead.callAsync(
              () -> {
                made.getAndIncrement();
                return CompletableFuture.completedFuture("answer");
              });
    }

    @Actor
    public void release() {
      slot.close();
    }

    @Actor
    public void timeUp() {
      time.advance(Duration.ofSeconds(1));
    }

    @Arbiter
    public void look(IIII_Result r) {
      BulkheadMetrics metrics = bulkhead.metrics();
      r.r1 = metrics.running() + metrics.waiting();
      r.r2 = time.pendingTimers();
      r.r3 = made.get();
      r.r4 = (int) metrics.refused();
    }
  }

  /** The limit is raised for one who waits while the slot in use is given back. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "It runs, once, in one of two slots.")
  @Outcome(expect = FORBIDDEN, desc = "It was forgotten or started twice.")
  @State
  public static class RaiseMeetsRelease {
    private final FakeTime time = FakeTime.create();
    private final Bulkhead bulkhead = Bulkhead.create("stress", waiting(time));
    private final BulkheadSlot slot = bulkhead.acquire();
    private final AtomicInteger made = new AtomicInteger();

    public RaiseMeetsRelease() {
      var unused =
          bulkhead.callAsync(
              () -> {
                made.getAndIncrement();
                return new CompletableFuture<String>();
              });
    }

    @Actor
    public void raise() {
      bulkhead.reconfigure(c -> c.maxConcurrentCalls(2));
    }

    @Actor
    public void release() {
      slot.close();
    }

    @Arbiter
    public void look(III_Result r) {
      BulkheadMetrics metrics = bulkhead.metrics();
      r.r1 = metrics.running();
      r.r2 = metrics.waiting();
      r.r3 = made.get();
    }
  }

  /** The limit is lowered while a call asks: once it is down, nobody is let in above it. */
  @JCStressTest
  @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "It came in before.")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "It was refused.")
  @Outcome(expect = FORBIDDEN, desc = "It came in above the limit.")
  @State
  public static class LowerMeetsCall {
    private final Bulkhead bulkhead =
        Bulkhead.create("stress", BulkheadConfig.of(c -> c.maxConcurrentCalls(2)));
    private volatile boolean lowered;

    public LowerMeetsCall() {
      var unused = bulkhead.acquire();
    }

    @Actor
    public void lower() {
      bulkhead.reconfigure(c -> c.maxConcurrentCalls(1));
      lowered = true;
    }

    @Actor
    public void ask(ZI_Result r) {
      boolean before = lowered;
      r.r1 = bulkhead.tryAcquire() != null;
      r.r2 = r.r1 && before ? 1 : 0;
    }
  }
}
