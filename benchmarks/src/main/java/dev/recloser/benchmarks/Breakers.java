package dev.recloser.benchmarks;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.Tracer;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRule;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRuleManager;
import dev.recloser.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Breakers of all libraries with the same settings, as far as each has them: a window of so many
 * calls ("100") or seconds ("10s"), at least 100 calls or a full window, open at a rate in percent,
 * slow after half a second, and a wait that outlasts every measurement.
 *
 * <p>What a peer has not: Failsafe, SmallRye and Helidon know no slow calls; SmallRye and Helidon
 * no time windows; Sentinel no count windows; Resilience4j cannot do without slow calls.
 */
final class Breakers {
  static final double HALF = 50;

  /** Not reached by calls of which every second one fails. */
  static final double MOST = 90;

  static final Duration SLOW = Duration.ofMillis(500);
  static final Duration LONG = Duration.ofDays(1);

  /** Of a half-open breaker; the default of those that have a rate for it. */
  static final int PROBES = 10;

  private static final int MINIMUM = 100;

  private Breakers() {}

  static CircuitBreaker recloser(String window, double rate, boolean slowCalls) {
    return CircuitBreaker.create(
        "inventory",
        s -> {
          s.failureRateThreshold(rate)
              .slowCallDurationThreshold(slowCalls ? SLOW : Duration.ZERO)
              .waitDurationInOpenState(LONG);
          if (isTime(window)) {
            s.slidingWindowSize(time(window)).minimumNumberOfCalls(MINIMUM);
          } else {
            s.slidingWindowSize(calls(window)).minimumNumberOfCalls(minimum(window));
          }
        });
  }

  static io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j(
      String window, double rate) {
    return resilience4j(window, rate, SlidingWindowSynchronizationStrategy.SYNCHRONIZED);
  }

  static io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jLockFree(
      String window, double rate) {
    return resilience4j(window, rate, SlidingWindowSynchronizationStrategy.LOCK_FREE);
  }

  private static io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j(
      String window, double rate, SlidingWindowSynchronizationStrategy strategy) {
    return io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
        "inventory",
        CircuitBreakerConfig.custom()
            .slidingWindow(
                isTime(window) ? (int) time(window).toSeconds() : calls(window),
                minimum(window),
                isTime(window) ? SlidingWindowType.TIME_BASED : SlidingWindowType.COUNT_BASED,
                strategy)
            .failureRateThreshold((float) rate)
            .slowCallDurationThreshold(SLOW)
            .waitDurationInOpenState(LONG)
            .build());
  }

  /** Another breaker like this one, whose refusals have no stack trace. */
  static io.github.resilience4j.circuitbreaker.CircuitBreaker withoutTrace(
      io.github.resilience4j.circuitbreaker.CircuitBreaker breaker) {
    return io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
        breaker.getName(),
        CircuitBreakerConfig.from(breaker.getCircuitBreakerConfig())
            .writableStackTraceEnabled(false)
            .build());
  }

  static dev.failsafe.CircuitBreaker<String> failsafe(String window, double rate) {
    var builder =
        dev.failsafe.CircuitBreaker.<String>builder().withDelay(LONG).withSuccessThreshold(PROBES);
    if (isTime(window)) {
      builder.withFailureRateThreshold((int) rate, MINIMUM, time(window));
    } else {
      builder.withFailureThreshold((int) (calls(window) * rate / 100), calls(window));
    }
    return builder.build();
  }

  static TypedGuard<String> smallrye(String window, double rate) {
    return guarded(TypedGuard.create(String.class), window, rate).build();
  }

  static <T> TypedGuard.Builder<T> guarded(
      TypedGuard.Builder<T> guard, String window, double rate) {
    return guard
        .withCircuitBreaker()
        .requestVolumeThreshold(calls(window))
        .failureRatio(rate / 100)
        .delay(LONG.toDays(), ChronoUnit.DAYS)
        .done();
  }

  static HelidonBreaker helidon(String window, double rate) {
    return HelidonBreaker.of(calls(window), (int) rate);
  }

  /** Lets Sentinel guard calls of this name. Its rule is about failures or about slow calls. */
  static void sentinel(String name, String window, double rate, boolean slowCalls) {
    DegradeRule rule =
        new DegradeRule(name)
            .setMinRequestAmount(MINIMUM)
            .setStatIntervalMs((int) time(window).toMillis())
            .setTimeWindow((int) LONG.toSeconds());
    if (slowCalls) {
      rule.setGrade(RuleConstant.DEGRADE_GRADE_RT)
          .setCount((double) SLOW.toMillis())
          .setSlowRatioThreshold(rate / 100);
    } else {
      rule.setGrade(RuleConstant.DEGRADE_GRADE_EXCEPTION_RATIO).setCount(rate / 100);
    }
    DegradeRuleManager.setRulesForResource(name, Set.of(rule));
  }

  /** A call through Sentinel, as its guide writes it. */
  static <T> T throughSentinel(String name, Supplier<T> call) throws BlockException {
    Entry entry = SphU.entry(name);
    try {
      return call.get();
    } catch (RuntimeException e) {
      Tracer.traceEntry(e, entry);
      throw e;
    } finally {
      entry.exit();
    }
  }

  private static boolean isTime(String window) {
    return window.endsWith("s");
  }

  private static int calls(String window) {
    return Integer.parseInt(window);
  }

  private static Duration time(String window) {
    return Duration.ofSeconds(Integer.parseInt(window.substring(0, window.length() - 1)));
  }

  private static int minimum(String window) {
    return isTime(window) ? MINIMUM : Math.min(MINIMUM, calls(window));
  }

  static {
    // Sentinel would write its logs into the home directory.
    System.setProperty("csp.sentinel.log.dir", System.getProperty("java.io.tmpdir") + "/sentinel");
  }
}
