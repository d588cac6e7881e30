package dev.recloser.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.Hedge;
import dev.recloser.HedgeConfig;
import dev.recloser.HedgeMetrics;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.LZ_Result;

/** A hedged call has one answer and is counted once, as what its caller was told. */
public final class HedgedAnswers {
  private static final Duration DELAY = Duration.ofMillis(100);

  /** A call with two attempts under way. */
  private static final class Hedged {
    final CompletableFuture<String> first = new CompletableFuture<>();
    final CompletableFuture<String> second = new CompletableFuture<>();
    final FakeTime time = FakeTime.create();
    final Hedge hedge =
        Hedge.create(
            "stress",
            HedgeConfig.of(
                c ->
                    c.idempotent(true)
                        .delay(DELAY)
                        .executor(Runnable::run)
                        .ticker(time)
                        .scheduler(time)));
    final CompletableFuture<String> call;
    private int attempts;

    Hedged() {
      call = hedge.callAsync(() -> attempts++ == 0 ? first : second);
      time.advance(DELAY);
    }

    /** What the caller was told, and whether the counts say the same. */
    String told() {
      HedgeMetrics metrics = hedge.metrics();
      String told = call.isCancelled() ? "cancelled" : call.isDone() ? call.join() : "nothing";
      String counted =
          metrics.calls() != 1
              ? metrics.calls() + " times"
              : metrics.cancelled() == 1
                  ? "cancelled"
                  : metrics.wonByFirst() == 1 ? "first" : "second";
      return told.equals(counted) ? told : told + " but counted " + counted;
    }
  }

  private HedgedAnswers() {}

  /** Both attempts succeed. */
  @JCStressTest
  @Outcome(id = "first, 0", expect = ACCEPTABLE, desc = "The first is the answer, and counted.")
  @Outcome(id = "second, 0", expect = ACCEPTABLE, desc = "The second is the answer, and counted.")
  @Outcome(expect = FORBIDDEN, desc = "No answer, another count, or a timer is left.")
  @State
  public static class TwoSuccesses {
    private final Hedged hedged = new Hedged();

    @Actor
    public void first() {
      hedged.first.complete("first");
    }

    @Actor
    public void second() {
      hedged.second.complete("second");
    }

    @Arbiter
    public void look(LI_Result r) {
      r.r1 = hedged.told();
      r.r2 = hedged.time.pendingTimers();
    }
  }

  /** The caller cancels while an attempt succeeds. */
  @JCStressTest
  @Outcome(id = "first, true", expect = ACCEPTABLE, desc = "It had its answer first.")
  @Outcome(id = "cancelled, true", expect = ACCEPTABLE, desc = "It was cancelled first.")
  @Outcome(
      id = "cancelled but counted first, true",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Counted as answered, and cancelled before the answer was handed over.")
  @Outcome(expect = FORBIDDEN, desc = "Counted twice or not at all, or an attempt goes on.")
  @State
  public static class CancelMeetsSuccess {
    private final Hedged hedged = new Hedged();

    @Actor
    public void succeed() {
      hedged.first.complete("first");
    }

    @Actor
    public void cancel() {
      hedged.call.cancel(true);
    }

    @Arbiter
    public void look(LZ_Result r) {
      r.r1 = hedged.told();
      r.r2 = hedged.first.isDone() && hedged.second.isDone();
    }
  }

  /** Looks whether there is an answer, and only then counts and gives its own. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "One of the two is counted.")
  @Outcome(expect = FORBIDDEN, desc = "Both are counted.")
  @State
  public static class WrongTwoSuccesses {
    private final CompletableFuture<String> call = new CompletableFuture<>();
    private final AtomicInteger won = new AtomicInteger();

    @Actor
    public void first() {
      succeed("first");
    }

    @Actor
    public void second() {
      succeed("second");
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = won.get();
    }

    private void succeed(String answer) {
      if (!call.isDone()) {
        won.getAndIncrement();
        call.complete(answer);
      }
    }
  }
}
