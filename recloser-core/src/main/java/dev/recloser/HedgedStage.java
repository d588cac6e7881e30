package dev.recloser;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A call that is made again while it goes on, plain or with stages; ends with the first attempt
 * that succeeds, or with the last one that fails, by an exception or as its result says, and
 * cancels the others.
 */
final class HedgedStage<T extends @Nullable Object> {
  private static final int MAX_SUPPRESSED = 8;

  /** How an attempt is begun; never throws. */
  interface Starter<T extends @Nullable Object> {
    CompletableFuture<T> start(Invocation<T> attempt);
  }

  private final Hedge hedge;
  private final HedgeConfig config;
  private final Invocation<T> invocation;
  private final Starter<T> starter;
  private final Hop hop;
  private final long startedAt;
  private final CompletableFuture<T> future = new CompletableFuture<>();

  /**
   * Whether it has been decided, and counted, how the call ends. Whoever decides it does so alone.
   */
  private final AtomicBoolean over = new AtomicBoolean();

  // Guarded by this. An attempt is in the list from before it begins until it has failed.
  private final List<Attempt> running = new ArrayList<>(2);
  private int begun;
  private @Nullable Cancellable timer;
  private @Nullable Throwable last;

  HedgedStage(Hedge hedge, Invocation<T> invocation, Starter<T> starter) {
    this.hedge = hedge;
    this.invocation = invocation;
    this.starter = starter;
    config = hedge.config();
    hop = invocation.hop();
    startedAt = config.ticker.nanoTime();
    var unused = future.whenComplete((result, thrown) -> completed());
  }

  CompletableFuture<T> start() {
    begin(/* delay= */ 0);
    return future;
  }

  /** One attempt; whoever ends the call may find it before its stage is known. */
  private final class Attempt {
    final int number;
    final Invocation<T> own;
    @Nullable CompletableFuture<T> stage;

    Attempt(int number) {
      this.number = number;
      own = invocation.fork();
    }
  }

  private void begin(long delay) {
    Attempt attempt;
    synchronized (this) {
      timer = null;
      if (over.get()) {
        return;
      }
      attempt = new Attempt(++begun);
      running.add(attempt);
    }
    if (attempt.number > 1) {
      hedge.countHedge(attempt.number, delay);
    }
    CompletableFuture<T> stage = starter.start(attempt.own);
    synchronized (this) {
      attempt.stage = stage;
    }
    try {
      var unused = stage.whenComplete((result, thrown) -> ended(attempt, result, thrown));
    } catch (Throwable thrown) {
      ended(attempt, null, thrown); // A stage of the user's own making that cannot be waited for.
    }
    if (over.get()) {
      end(stage);
    } else {
      delayNext(attempt.number);
    }
  }

  /** Without a timer there is no further attempt. */
  private void delayNext(int number) {
    if (number >= config.maxAttempts()) {
      return;
    }
    long delay = hedge.delayNanos(config);
    if (delay >= hop.nanosLeft()) {
      return;
    }
    // Once, whatever the scheduler does: there would be more attempts than allowed.
    Runnable next = new Once(() -> Once.on(config.starter(), () -> hop.run(() -> next(delay))));
    Cancellable scheduled;
    try {
      scheduled = config.scheduler.schedule(next, Duration.ofNanos(delay));
    } catch (Throwable e) {
      hedge.schedulerFailed(e);
      return;
    }
    synchronized (this) {
      if (begun == number) { // It may have gone off already, and the next one have been set.
        timer = scheduled;
      }
    }
    if (over.get()) {
      cancelTimer();
    }
  }

  private void next(long delay) {
    if (!over.get() && hedge.mayHedge(config)) {
      begin(delay);
    }
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void ended(Attempt attempt, @Nullable T result, @Nullable Throwable thrown) {
    if (thrown != null || isFailure(result)) {
      failed(attempt, result, thrown);
    } else if (over.compareAndSet(false, true)) {
      if (attempt.number == 1 || firstGoesOn()) {
        hedge.measured(startedAt, config); // How long the first took, or has taken so far.
      }
      endWhatGoesOn();
      invocation.answeredBy(attempt.own);
      hedge.countWon(attempt.number);
      future.complete(result);
    }
  }

  /** A failed attempt ends the call if no other goes on, and none before it was better. */
  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void failed(Attempt attempt, @Nullable T result, @Nullable Throwable thrown) {
    boolean isLast;
    synchronized (this) {
      running.remove(attempt);
      if (thrown != null) {
        remember(ExceptionRules.unwrap(thrown));
      }
      isLast = running.isEmpty();
    }
    if (isLast && over.compareAndSet(false, true)) {
      endWhatGoesOn();
      invocation.answeredBy(attempt.own);
      hedge.countFailed();
      Stages.complete(future, result, thrown);
    }
  }

  /** One that cannot be judged is none: the policies inside have told of that. */
  private static boolean isFailure(@Nullable Object result) {
    try {
      return result instanceof JudgedResult judged && judged.outcome() == Outcome.FAILURE;
    } catch (Throwable ofTheResult) {
      return false;
    }
  }

  /** The caller sees the last failure, with those before as suppressed ones. */
  private void remember(Throwable thrown) {
    if (last != null && thrown != last && thrown.getSuppressed().length < MAX_SUPPRESSED) {
      thrown.addSuppressed(last);
    }
    last = thrown;
  }

  private synchronized boolean firstGoesOn() {
    return running.stream().anyMatch(attempt -> attempt.number == 1);
  }

  private void completed() {
    if (over.compareAndSet(false, true)) {
      hedge.countGivenUp();
      endWhatGoesOn();
    }
  }

  private void endWhatGoesOn() {
    cancelTimer();
    List<Attempt> losers;
    synchronized (this) {
      losers = List.copyOf(running);
    }
    for (Attempt loser : losers) {
      CompletableFuture<T> stage;
      synchronized (this) {
        stage = loser.stage;
      }
      if (stage != null) {
        end(stage);
      }
    }
  }

  /** Ends an attempt as the caller has ended the call, or cancels it because of a better one. */
  private void end(CompletableFuture<T> stage) {
    if (future.isDone()) {
      Stages.cancel(stage, future);
    } else {
      Stages.cancel(stage);
    }
  }

  private void cancelTimer() {
    Cancellable scheduled;
    synchronized (this) {
      scheduled = timer;
      timer = null;
    }
    hedge.cancel(scheduled);
  }
}
