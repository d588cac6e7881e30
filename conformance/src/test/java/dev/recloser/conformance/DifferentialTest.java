package dev.recloser.conformance;

import static dev.recloser.CircuitBreaker.State.CLOSED;
import static dev.recloser.CircuitBreaker.State.HALF_OPEN;
import static dev.recloser.CircuitBreaker.State.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.CircuitBreakerMetrics.TransitionKind;
import dev.recloser.TransitionCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same random traces through Recloser and Resilience4j. A divergence tells the seed of its
 * trace, from which everything follows.
 */
final class DifferentialTest {
  private static final int TRACES = 500;
  private static final int STEPS = 1_500;
  private static final Set<Translation> ALL = EnumSet.allOf(Translation.class);

  @Test
  void both_admit_the_same_calls_and_are_in_the_same_states_with_the_same_windows(
      TestReporter reporter) {
    reporter.publishEntry("seeds", "1 to " + TRACES + ", " + STEPS + " steps each");

    assertThat(firstDivergence(ALL, config -> config)).isEmpty();
  }

  @Test
  void the_traces_come_through_everything_many_times() {
    List<CircuitBreakerMetrics> metrics = new ArrayList<>();
    for (long seed = 1; seed <= TRACES; seed++) {
      Comparison comparison = new Comparison(seed, ALL, config -> config);
      comparison.run(STEPS);
      metrics.add(comparison.metrics());
    }

    assertThat(sum(metrics, CircuitBreakerMetrics::admitted)).isGreaterThan(100_000);
    assertThat(sum(metrics, CircuitBreakerMetrics::totalRefused)).isGreaterThan(50_000);
    assertThat(sum(metrics, CircuitBreakerMetrics::late)).isGreaterThan(10_000);
    assertThat(times(metrics, CLOSED, OPEN, TransitionCause.FAILURE_RATE)).isGreaterThan(1_000);
    assertThat(times(metrics, CLOSED, OPEN, TransitionCause.SLOW_CALL_RATE)).isGreaterThan(1_000);
    assertThat(times(metrics, OPEN, HALF_OPEN, TransitionCause.WAIT_ELAPSED)).isGreaterThan(1_000);
    assertThat(times(metrics, HALF_OPEN, OPEN, TransitionCause.PROBES_FAILED)).isGreaterThan(1_000);
    assertThat(times(metrics, HALF_OPEN, CLOSED, TransitionCause.PROBES_SUCCEEDED))
        .isGreaterThan(1_000);
    assertThat(times(metrics, HALF_OPEN, OPEN, TransitionCause.HALF_OPEN_TIMEOUT))
        .isGreaterThan(1_000);
    for (State state : State.values()) {
      assertThat(sum(metrics, m -> m.timeInState().get(state).toMinutes()))
          .as("minutes in %s", state)
          .isGreaterThan(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void every_translation_is_needed(Translation missing) {
    Set<Translation> others = EnumSet.complementOf(EnumSet.of(missing));

    assertThat(firstDivergence(others, config -> config)).isPresent();
  }

  @ParameterizedTest
  @MethodSource("changes")
  void another_configuration_is_noticed(UnaryOperator<CircuitBreakerConfig> change) {
    assertThat(firstDivergence(ALL, change)).isPresent();
  }

  private static Stream<Named<UnaryOperator<CircuitBreakerConfig>>> changes() {
    Duration millisecond = Duration.ofMillis(1);
    return Stream.of(
        Named.of(
            "failureRateThreshold",
            c -> c.with(b -> b.failureRateThreshold(oneUpTo100(c.failureRateThreshold())))),
        Named.of(
            "slowCallRateThreshold",
            c -> c.with(b -> b.slowCallRateThreshold(oneUpTo100(c.slowCallRateThreshold())))),
        Named.of(
            "minimumNumberOfCalls",
            c -> c.with(b -> b.minimumNumberOfCalls(Math.max(1, c.minimumNumberOfCalls() - 1)))),
        Named.of(
            "slidingWindowSize in calls",
            c ->
                c.slidingWindowCalls() == 0
                    ? c
                    : c.with(b -> b.slidingWindowSize(c.slidingWindowCalls() + 1))),
        Named.of(
            "slidingWindowSize in seconds",
            c ->
                c.slidingWindowCalls() > 0
                    ? c
                    : c.with(
                        b ->
                            b.slidingWindowSize(c.slidingWindowDuration().plusSeconds(1))
                                .slidingWindowSlices(c.slidingWindowSlices() + 1))),
        Named.of(
            "slowCallDurationThreshold",
            c ->
                c.with(
                    b ->
                        b.slowCallDurationThreshold(
                            c.slowCallDurationThreshold().plus(millisecond)))),
        Named.of(
            "waitDurationInOpenState",
            c ->
                c.with(
                    b -> b.waitDurationInOpenState(c.waitDurationInOpenState().plus(millisecond)))),
        Named.of(
            "permittedNumberOfCallsInHalfOpenState",
            c ->
                c.with(
                    b ->
                        b.permittedNumberOfCallsInHalfOpenState(
                            c.permittedNumberOfCallsInHalfOpenState() + 1))));
  }

  private static double oneUpTo100(double percent) {
    return Math.min(100, percent + 1);
  }

  private static Optional<Divergence> firstDivergence(
      Set<Translation> translations, UnaryOperator<CircuitBreakerConfig> change) {
    return LongStream.rangeClosed(1, TRACES)
        .mapToObj(seed -> new Comparison(seed, translations, change).run(STEPS))
        .filter(Objects::nonNull)
        .findFirst();
  }

  private static long times(
      List<CircuitBreakerMetrics> metrics, State from, State to, TransitionCause cause) {
    TransitionKind kind = new TransitionKind(from, to, cause);
    return sum(metrics, m -> m.transitions().getOrDefault(kind, 0L));
  }

  private static long sum(
      List<CircuitBreakerMetrics> metrics, ToLongFunction<CircuitBreakerMetrics> number) {
    return metrics.stream().mapToLong(number).sum();
  }
}
