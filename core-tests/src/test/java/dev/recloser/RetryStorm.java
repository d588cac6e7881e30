package dev.recloser;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Many callers and one {@link FragileDependency}, on fake time: all is well, then every request
 * fails, then the dependency is back, but cold. Every caller makes a call each second, at a moment
 * of its own, whatever became of those before.
 */
final class RetryStorm {
  static final int CALLERS = 100;
  static final Duration HEALTHY = Duration.ofSeconds(10);
  static final Duration FAULT = Duration.ofSeconds(60);
  static final Duration AFTERWARDS = Duration.ofMinutes(2);

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final FakeTime time;
  private final FragileDependency dependency;
  private final StormCallers.Way way;
  private final Random random;

  private int calls;
  private int answered;
  private Duration lastFailure = Duration.ZERO;

  private RetryStorm(StormCallers callers, FakeTime time, long seed) {
    this.time = time;
    dependency = new FragileDependency(time);
    way = callers.on(time, seed);
    random = new Random(seed);
  }

  /** What happened in a part of it. */
  record Part(int calls, int answered, int requests) {
    double requestsPerCall() {
      return (double) requests / calls;
    }

    double answeredPercent() {
      return 100.0 * answered / calls;
    }

    Part minus(Part before) {
      return new Part(calls - before.calls, answered - before.answered, requests - before.requests);
    }
  }

  /**
   * What came of it.
   *
   * @param fault the part in which every request failed
   * @param afterwards the part after that
   * @param busiestSecond the most requests in a second until the end of the fault
   * @param knockedOver how often load knocked the dependency over when it was back
   * @param troubled how long after the fault a call failed or was refused for the last time
   */
  record Outcome(
      Part fault, Part afterwards, int busiestSecond, int knockedOver, Duration troubled) {
    boolean isRecovered() {
      return troubled.compareTo(AFTERWARDS.dividedBy(2)) < 0;
    }
  }

  static Outcome run(StormCallers callers, FakeTime time, long seed) {
    return new RetryStorm(callers, time, seed).run();
  }

  private Outcome run() {
    for (int caller = 0; caller < CALLERS; caller++) {
      time.schedule(this::callEachSecond, Duration.ofNanos(random.nextInt(1_000_000_000)));
    }
    time.advance(HEALTHY);
    dependency.failFor(FAULT);
    Part healthy = soFar();
    time.advance(FAULT);
    Part fault = soFar();
    int busiestSecond = dependency.busiestSecond();
    time.advance(AFTERWARDS);
    return new Outcome(
        fault.minus(healthy),
        soFar().minus(fault),
        busiestSecond,
        dependency.knockedOver(),
        lastFailure.minus(HEALTHY).minus(FAULT));
  }

  private void callEachSecond() {
    time.schedule(this::callEachSecond, INTERVAL);
    calls++;
    CompletableFuture<String> unused =
        way.call(dependency::request).whenComplete((stock, thrown) -> ended(thrown == null));
  }

  private void ended(boolean hasAnswer) {
    if (hasAnswer) {
      answered++;
    } else {
      lastFailure = time.elapsed();
    }
  }

  private Part soFar() {
    return new Part(calls, answered, dependency.requests());
  }
}
