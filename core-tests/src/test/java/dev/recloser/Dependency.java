package dev.recloser;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Something that is called, and whose calls go as a test says: each takes its time on fake time,
 * and ends with a result or an exception. A plain call gives way to interrupts, and a stage to
 * being cancelled.
 */
final class Dependency implements Way.Client {
  private final FakeTime time;
  private final Scheduler timers;
  private final List<Step> steps;
  private final List<Duration> begun = Collections.synchronizedList(new ArrayList<>());
  private final List<Duration> left = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger stopped = new AtomicInteger();

  /** How long a call takes, and what it ends with: a Throwable is thrown. */
  record Step(Duration takes, Object end) {}

  /**
   * Makes one.
   *
   * @param timers what plain calls sleep on
   * @param steps one for each call, the last for all further ones: a {@link Step}, or what a call
   *     ends with at once
   */
  Dependency(FakeTime time, Scheduler timers, Object... steps) {
    this.time = time;
    this.timers = timers;
    this.steps = new ArrayList<>();
    for (Object step : steps) {
      this.steps.add(step instanceof Step s ? s : new Step(Duration.ZERO, step));
    }
  }

  @Override
  public Object get() throws Throwable {
    Step step = begin();
    try {
      if (!step.takes().isZero()) {
        timers.sleep(step.takes());
      }
    } catch (InterruptedException e) {
      stopped.incrementAndGet();
      throw e;
    } finally {
      running.decrementAndGet();
    }
    if (step.end() instanceof Throwable thrown) {
      throw thrown;
    }
    return step.end();
  }

  @Override
  public CompletableFuture<Object> getAsync() {
    Step step = begin();
    CompletableFuture<Object> stage = new CompletableFuture<>();
    var unused =
        stage.whenComplete(
            (result, thrown) -> {
              running.decrementAndGet();
              if (stage.isCancelled() && thrown != step.end()) {
                stopped.incrementAndGet();
              }
            });
    if (step.takes().isZero()) {
      end(stage, step.end());
    } else {
      Cancellable timer = time.schedule(() -> end(stage, step.end()), step.takes());
      var unusedTimer = stage.whenComplete((result, thrown) -> timer.cancel());
    }
    return stage;
  }

  /** How many calls have begun. */
  int calls() {
    return begun.size();
  }

  /** When each began. */
  List<Duration> begun() {
    return begun;
  }

  /** How long each had when it began; none where nothing limited it. */
  List<Duration> left() {
    return left;
  }

  /** How many go on now. */
  int running() {
    return running.get();
  }

  /** How many were interrupted or cancelled. */
  int stopped() {
    return stopped.get();
  }

  private Step begin() {
    running.incrementAndGet();
    Optional<Duration> remaining = Deadline.remainingOfCall();
    remaining.ifPresent(left::add);
    synchronized (begun) {
      begun.add(time.elapsed());
      return steps.get(Math.min(begun.size(), steps.size()) - 1);
    }
  }

  private static void end(CompletableFuture<Object> stage, Object end) {
    if (end instanceof Throwable thrown) {
      stage.completeExceptionally(thrown);
    } else {
      stage.complete(end);
    }
  }
}
