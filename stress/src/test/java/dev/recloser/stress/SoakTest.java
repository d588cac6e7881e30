package dev.recloser.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerMetrics;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * After a time in which everything happened at once, all numbers add up and nothing is left behind.
 * The property {@code soak.seconds} says how long, on the wall.
 */
final class SoakTest {
  private static final int SECONDS = Integer.getInteger("soak.seconds", 30);

  /** Far more than the policies need, and far less than what a leak makes of so many calls. */
  private static final long MOST_GROWTH = 16L << 20;

  @Test
  void allCallsAreAccountedForAndNothingIsLeft() throws Exception {
    Soak soak = new Soak();
    Duration warmUp = Duration.ofSeconds(SECONDS).dividedBy(4);
    soak.run(warmUp);
    checkAll(soak);
    long before = usedHeap();

    soak.run(Duration.ofSeconds(SECONDS).minus(warmUp));
    checkAll(soak);
    assertThat(usedHeap() - before).as("growth of the heap").isLessThan(MOST_GROWTH);
    checkMuchHasHappened(soak);
  }

  /** Else it would have shown nothing. */
  private static void checkMuchHasHappened(Soak soak) {
    CircuitBreakerMetrics direct = soak.breaker.metrics();
    assertThat(direct.late()).as("late").isPositive();
    assertThat(direct.expiredProbes()).as("expired probes").isPositive();
    assertThat(direct.refused()).as("refused").doesNotContainValue(0L);
    assertThat(direct.transitions()).as("transitions").hasSizeGreaterThan(20);
    assertThat(soak.timeout.metrics().timedOut()).as("timed out").isPositive();
    assertThat(soak.retry.metrics().retries()).as("retries").isPositive();
    assertThat(soak.hedge.metrics().hedges()).as("hedges").isPositive();
    assertThat(soak.hedge.metrics().cancelled()).as("cancelled").isPositive();
  }

  private static void checkAll(Soak soak) {
    CircuitBreakerMetrics direct = soak.breaker.metrics();
    assertThat(direct.admitted()).as("admitted").isEqualTo(soak.admitted.sum());
    assertThat(direct.totalRefused()).as("refused").isEqualTo(soak.refused.sum());
    assertThat(soak.finished.sum()).as("told as finished").isEqualTo(direct.admitted());
    assertThat(soak.transitions.get()).as("told as transitions").isEqualTo(transitions(direct));
    assertThat(soak.outOfOrder).as("transitions told out of order").hasValue(0);
    assertThat(soak.waitsTooLong).as("waits by the wall clock").hasValue(0);
    assertThat(soak.interrupts).as("interrupts left behind").hasValue(0);
    checkIdle(soak.breaker);
    checkIdle(soak.inner);
    checkOthers(soak);
    assertThat(soak.time.pendingTimers()).as("timers").isZero();
  }

  private static void checkIdle(CircuitBreaker breaker) {
    CircuitBreakerMetrics metrics = breaker.metrics();
    assertThat(metrics.succeeded() + metrics.failed() + metrics.ignored() + metrics.cancelled())
        .as("ended of %s", breaker.name())
        .isEqualTo(metrics.admitted());
    assertThat(breaker.snapshot().callsInFlight()).as("in flight").isZero();
    assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.CLOSED);
    assertThat(breaker.snapshot().window().calls()).as("calls after the reset").isZero();
  }

  private static void checkOthers(Soak soak) {
    var bulkhead = soak.bulkhead.metrics();
    var timeout = soak.timeout.metrics();
    assertThat(bulkhead.running()).as("slots that are out").isZero();
    assertThat(bulkhead.mostRunning()).as("slots").isLessThanOrEqualTo(Soak.MOST_SLOTS);
    assertThat(bulkhead.waiting()).as("calls that wait for a slot").isZero();
    assertThat(soak.limiter.metrics().waiting()).as("requests that wait").isZero();
    assertThat(timeout.succeeded() + timeout.failed() + timeout.timedOut())
        .as("calls under the timeout")
        .isEqualTo(bulkhead.admitted());
    assertThat(soak.retry.metrics().calls()).isEqualTo(soak.pipelineCalls.sum());
    assertThat(soak.hedge.metrics().calls()).isEqualTo(soak.hedgedCalls.sum());
  }

  private static long transitions(CircuitBreakerMetrics metrics) {
    return metrics.transitions().values().stream().mapToLong(Long::longValue).sum();
  }

  private static long usedHeap() {
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
