package dev.recloser.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.Timeout;
import dev.recloser.TimeoutExceededException;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;
import org.openjdk.jcstress.infra.results.LZI_Result;
import org.openjdk.jcstress.infra.results.LZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A call under a timeout ends once, as answered or as timed out; whatever the moment, its thread
 * keeps no interrupt of it, and its timer is gone.
 */
public final class TimeoutEnds {
  private static final Duration LIMIT = Duration.ofMillis(100);

  private static Timeout timeout(FakeTime time) {
    return Timeout.create("stress", c -> c.timeoutDuration(LIMIT).ticker(time).scheduler(time));
  }

  private TimeoutEnds() {}

  private static String counted(Timeout timeout) {
    var metrics = timeout.metrics();
    return metrics.succeeded() + " answered " + metrics.timedOut() + " timed out";
  }

  /** The timer goes off while a plain call ends. */
  @JCStressTest
  @Outcome(id = "1 answered 0 timed out, false, 0", expect = ACCEPTABLE, desc = "In time.")
  @Outcome(id = "0 answered 1 timed out, false, 0", expect = ACCEPTABLE, desc = "Timed out.")
  @Outcome(expect = FORBIDDEN, desc = "An interrupt or a timer is left, or a count is wrong.")
  @State
  public static class TimerMeetsEnd {
    private final FakeTime time = FakeTime.create();
    private final Timeout timeout = timeout(time);
    private volatile boolean ringing;
    private volatile boolean rung;

    @Actor
    public void call(LZI_Result r) {
      try {
        var unused = timeout.call(this::answer);
      } catch (TimeoutExceededException e) {
        // That is one of the two.
      }
      boolean interrupted = Thread.interrupted();
      while (!rung) {
        Thread.onSpinWait();
      }
      r.r2 = interrupted || Thread.interrupted();
    }

    @Actor
    public void timer() {
      ringing = true;
      time.advance(LIMIT);
      rung = true;
    }

    @Arbiter
    public void look(LZI_Result r) {
      r.r1 = counted(timeout);
      r.r3 = time.pendingTimers();
    }

    /** Ends when the timer is about to go off, so that they meet. */
    private String answer() {
      while (!ringing) {
        Thread.onSpinWait();
      }
      return "answer";
    }
  }

  /** Looks whether the call goes on, and only then interrupts; a flag stands for the thread's. */
  @JCStressTest
  @Outcome(id = "false", expect = ACCEPTABLE, desc = "No interrupt is left.")
  @Outcome(id = "true", expect = FORBIDDEN, desc = "The thread was interrupted after the call.")
  @State
  public static class WrongTimerMeetsEnd {
    private volatile boolean ended;
    private volatile boolean interrupted;

    @Actor
    public void call() {
      ended = true;
      interrupted = false;
    }

    @Actor
    public void timer() {
      if (!ended) {
        interrupted = true;
      }
    }

    @Arbiter
    public void look(Z_Result r) {
      r.r1 = interrupted;
    }
  }

  /** The timer goes off while a stage ends. */
  @JCStressTest
  @Outcome(id = "1 answered 0 timed out, answer, 0", expect = ACCEPTABLE, desc = "In time.")
  @Outcome(id = "0 answered 1 timed out, timeout, 0", expect = ACCEPTABLE, desc = "Timed out.")
  @Outcome(expect = FORBIDDEN, desc = "Ended in two ways or in none, or a timer is left.")
  @State
  public static class TimerMeetsStage {
    private final FakeTime time = FakeTime.create();
    private final Timeout timeout = timeout(time);
    private final CompletableFuture<String> stage = new CompletableFuture<>();
    private final CompletableFuture<String> call = timeout.callAsync(() -> stage);

    @Actor
    public void end() {
      stage.complete("answer");
    }

    @Actor
    public void timer() {
      time.advance(LIMIT);
    }

    @Arbiter
    public void look(LLI_Result r) {
      r.r1 = counted(timeout);
      r.r2 = call.exceptionally(thrown -> "timeout").getNow("nothing");
      r.r3 = time.pendingTimers();
    }
  }

  /** A stage ends while its timer is being set: the timer is taken back. */
  @JCStressTest
  @Outcome(
      id = "1 answered 0 timed out, answer, 0",
      expect = ACCEPTABLE,
      desc = "No timer is left.")
  @Outcome(expect = FORBIDDEN, desc = "A timer is left, or a count is wrong.")
  @State
  public static class StageEndsAtOnce {
    private final FakeTime time = FakeTime.create();
    private final Timeout timeout = timeout(time);
    private final CompletableFuture<String> stage = new CompletableFuture<>();
    private volatile boolean calling;

    @Actor
    public void call(LLI_Result r) {
      r.r2 =
          timeout
              .callAsync(
                  () -> {
                    calling = true;
                    return stage;
                  })
              .join();
    }

    @Actor
    public void end() {
      while (!calling) {
        Thread.onSpinWait();
      }
      stage.complete("answer");
    }

    @Arbiter
    public void look(LLI_Result r) {
      r.r1 = counted(timeout);
      r.r3 = time.pendingTimers();
    }
  }

  /** Two calls on the system's time are over at once, and share the timer's wheel. */
  @JCStressTest
  @Outcome(id = "2 answered 0 timed out, false, false", expect = ACCEPTABLE, desc = "No trace.")
  @Outcome(expect = FORBIDDEN, desc = "An interrupt is left, or a count is wrong.")
  @State
  public static class TwoQuickCalls {
    private static final Duration LONG = Duration.ofHours(1);

    private final Timeout timeout = Timeout.create("stress", LONG);

    @Actor
    public void first(LZZ_Result r) {
      var unused = timeout.call(() -> "answer");
      r.r2 = Thread.interrupted();
    }

    @Actor
    public void second(LZZ_Result r) {
      var unused = timeout.call(() -> "answer");
      r.r3 = Thread.interrupted();
    }

    @Arbiter
    public void look(LZZ_Result r) {
      r.r1 = counted(timeout);
    }
  }
}
