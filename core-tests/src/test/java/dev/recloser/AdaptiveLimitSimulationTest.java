package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An adaptive limit in front of a dependency whose capacity is known, on fake time. The dependency
 * serves {@link #CAPACITY} calls at once in {@link #SERVICE} each, give or take a third; beyond
 * that it gives them turns, so that all take longer and no more get done. 300 callers keep calling,
 * and those that are refused come back after a pause.
 */
final class AdaptiveLimitSimulationTest {
  private static final int CAPACITY = 50;
  private static final int CALLERS = 300;
  private static final Duration SERVICE = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final double MOST_PER_SECOND = CAPACITY / 0.1;

  private final FakeTime time = FakeTime.create();
  private final Random random = new Random(1);

  private Bulkhead bulkhead = Bulkhead.create("none", config -> {});
  private boolean failing;
  private double slowness = 1;
  private int callers = CALLERS;

  // Counted since the last start of a phase.
  private int served;
  private long servedNanos;
  private long limits;
  private int looks;

  private void start(Consumer<BulkheadConfig.Builder> settings) {
    bulkhead = Bulkhead.create("inventory", config -> settings.accept(config.ticker(time)));
    for (int caller = 0; caller < CALLERS; caller++) {
      int number = caller;
      time.schedule(() -> call(number), Duration.ofMillis(random.nextInt(100)));
    }
  }

  private void start(LimitAlgorithm algorithm) {
    start(config -> config.adaptiveLimit(a -> a.algorithm(algorithm).initialLimit(20)));
  }

  private void call(int number) {
    if (number >= callers) {
      time.schedule(() -> call(number), Duration.ofSeconds(1));
      return;
    }
    var unused =
        bulkhead
            .callAsync(this::serve)
            .whenComplete(
                (result, thrown) ->
                    time.schedule(
                        () -> call(number),
                        thrown instanceof BulkheadFullException ? PAUSE : Duration.ZERO));
  }

  private CompletableFuture<String> serve() {
    CompletableFuture<String> answer = new CompletableFuture<>();
    if (failing) {
      time.schedule(
          () -> answer.completeExceptionally(new IOException("503")), Duration.ofMillis(2));
      return answer;
    }
    double load = Math.max(1, (double) bulkhead.metrics().running() / CAPACITY);
    double spread = Math.exp(0.3 * random.nextGaussian());
    long nanos = (long) (SERVICE.toNanos() * load * spread * slowness);
    time.schedule(
        () -> {
          served++;
          servedNanos += nanos;
          answer.complete("stock");
        },
        Duration.ofNanos(nanos));
    return answer;
  }

  private void run(int seconds) {
    served = 0;
    servedNanos = 0;
    limits = 0;
    looks = seconds * 10;
    for (int look = 0; look < looks; look++) {
      time.advance(Duration.ofMillis(100));
      limits += limit();
    }
  }

  private int limit() {
    return bulkhead.metrics().limit();
  }

  private double averageLimit() {
    return (double) limits / looks;
  }

  private double perSecond() {
    return served * 10.0 / looks;
  }

  private Duration averageLatency() {
    return Duration.ofNanos(servedNanos / served);
  }

  @ParameterizedTest
  @EnumSource
  void it_finds_the_capacity_and_beats_a_fixed_limit_that_is_too_high_or_too_low(
      LimitAlgorithm algorithm) {
    start(algorithm);
    run(30);
    run(60);

    assertThat(averageLimit()).isBetween(45.0, 95.0);
    assertThat(perSecond()).isGreaterThan(0.85 * MOST_PER_SECOND);
    assertThat(averageLatency()).isLessThan(SERVICE.multipliedBy(2));

    AdaptiveLimitSimulationTest tooHigh = new AdaptiveLimitSimulationTest();
    tooHigh.start(config -> config.maxConcurrentCalls(200));
    tooHigh.run(60);
    assertThat(tooHigh.perSecond()).isLessThan(1.1 * perSecond());
    assertThat(tooHigh.averageLatency()).isGreaterThan(averageLatency().multipliedBy(2));

    AdaptiveLimitSimulationTest tooLow = new AdaptiveLimitSimulationTest();
    tooLow.start(config -> config.maxConcurrentCalls(20));
    tooLow.run(60);
    assertThat(tooLow.perSecond()).isLessThan(0.5 * perSecond());
  }

  @ParameterizedTest
  @EnumSource
  void it_starts_right_though_the_dependency_is_overloaded_from_the_first_call(
      LimitAlgorithm algorithm) {
    start(config -> config.adaptiveLimit(a -> a.algorithm(algorithm).initialLimit(200)));
    run(30);
    run(30);

    assertThat(averageLimit()).isBetween(45.0, 95.0);
    assertThat(averageLatency()).isLessThan(SERVICE.multipliedBy(2));
  }

  @ParameterizedTest
  @EnumSource
  void it_goes_to_the_floor_while_all_fails_at_once_and_comes_back_after_that(
      LimitAlgorithm algorithm) {
    start(algorithm);
    run(30);

    failing = true;
    run(1);
    assertThat(limit()).isEqualTo(AdaptiveLimitConfig.DEFAULT_MIN_LIMIT);
    run(10);
    assertThat(averageLimit()).isEqualTo(AdaptiveLimitConfig.DEFAULT_MIN_LIMIT);
    failing = false;
    run(30);
    run(30);

    assertThat(averageLimit()).isBetween(45.0, 95.0);
    assertThat(perSecond()).isGreaterThan(0.85 * MOST_PER_SECOND);
  }

  @ParameterizedTest
  @EnumSource
  void it_stays_low_through_a_slow_spell_and_comes_back_after_that(LimitAlgorithm algorithm) {
    start(algorithm);
    run(30);

    slowness = 5;
    run(30);
    run(100);
    assertThat(averageLimit()).isLessThan(5);
    slowness = 1;
    run(30);
    run(30);

    assertThat(averageLimit()).isBetween(45.0, 95.0);
    assertThat(perSecond()).isGreaterThan(0.85 * MOST_PER_SECOND);
  }

  @ParameterizedTest
  @EnumSource
  void it_stays_above_what_is_used_and_knows_what_is_normal_while_few_call(
      LimitAlgorithm algorithm) {
    start(algorithm);
    run(30);

    callers = 10;
    run(10);
    int before = limit();
    run(100);

    assertThat(limit()).isBetween(callers, before);
    assertThat(bulkhead.metrics().baselineLatency())
        .isBetween(Duration.ofMillis(75), Duration.ofMillis(115));
  }
}
