package dev.recloser.microprofile;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.HalfOpenRule;
import dev.recloser.Outcome;
import dev.recloser.Scheduler;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;

/**
 * What a {@code @CircuitBreaker} says.
 *
 * @param volume how many calls the window holds, which must be full before a rate is believed
 */
record CircuitBreakerSettings(
    Members<CircuitBreaker> members,
    Duration delay,
    int volume,
    double ratio,
    int successes,
    ThrownTypes types) {
  /** The smallest rate there is: one failure in a window of ten million reaches it. */
  private static final BigDecimal LEAST_PERCENT = new BigDecimal("0.000001");

  private static final int PERCENT_DECIMALS = 6;

  /**
   * How long a probe may take at least before it counts as failed, where that is not configured.
   * The specification has no such time, and with a delay of zero there would be none; without one,
   * a probe that never ends would keep the breaker half-open for ever.
   */
  private static final Duration LEAST_LEASE = Duration.ofMinutes(1);

  static CircuitBreakerSettings of(Members<CircuitBreaker> members) {
    CircuitBreaker said = members.declared();
    return new CircuitBreakerSettings(
        members,
        members.time("delay", said.delay(), "delayUnit", said.delayUnit()),
        members.whole("requestVolumeThreshold", said.requestVolumeThreshold(), 1),
        members.share("failureRatio", said.failureRatio()),
        members.whole("successThreshold", said.successThreshold(), 1),
        ThrownTypes.of(members, "failOn", said.failOn(), "skipOn", said.skipOn()));
  }

  CircuitBreakerConfig config(Scheduler scheduler) {
    return CircuitBreakerConfig.of(
        config -> {
          config
              .slidingWindowSize(volume)
              .minimumNumberOfCalls(volume)
              .failureRateThreshold(percent())
              .slowCallDurationThreshold(Duration.ZERO)
              .waitDurationInOpenState(atLeast(Duration.ofNanos(1)))
              .maxProbeDuration(atLeast(LEAST_LEASE))
              .permittedNumberOfCallsInHalfOpenState(successes)
              .halfOpenRule(HalfOpenRule.ALL_SUCCEED)
              .classifier(types.classifier(Outcome.SUCCESS))
              .scheduler(scheduler);
          OwnSettings.CIRCUIT_BREAKER.apply(members, config);
        });
  }

  /**
   * In percent, and not more than it is, so that as many failures as make up the ratio reach it. A
   * ratio of zero is reached by every failure, but not by a window without any.
   */
  private double percent() {
    return BigDecimal.valueOf(ratio)
        .movePointRight(2)
        .setScale(PERCENT_DECIMALS, RoundingMode.FLOOR)
        .max(LEAST_PERCENT)
        .doubleValue();
  }

  private Duration atLeast(Duration least) {
    return delay.compareTo(least) < 0 ? least : delay;
  }
}
