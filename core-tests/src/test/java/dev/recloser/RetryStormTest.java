package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.recloser.RetryStorm.Outcome;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers who retry do not keep a failing dependency down, nor knock it over again (P3, S17). */
final class RetryStormTest {
  private static final long SEED = 1;
  private static final int SECONDS = 10;

  /** What came of it with {@link #SEED}; made when it is first asked for. */
  private static final Map<StormCallers, Outcome> OUTCOMES = new ConcurrentHashMap<>();

  private static Outcome outcome(StormCallers callers) {
    return OUTCOMES.computeIfAbsent(callers, made -> RetryStorm.run(made, FakeTime.create(), SEED));
  }

  /** Calls and retries in each second, as a naive count of what a budget allows. */
  private static final class Ledger {
    private final int[] calls = new int[61];
    private final int[] retries = new int[61];
    private final double share;
    private final int floor;
    private int most;

    Ledger(double percentage, int floor) {
      share = percentage / 100;
      this.floor = floor;
    }

    void retried(int second) {
      retries[second]++;
      int allowed = allowed(second);
      int made = inTheLastSeconds(retries, second);
      assertThat(made).as("retries up to second %d", second).isLessThanOrEqualTo(allowed);
      most = made == allowed ? most + 1 : most;
    }

    int allowed(int second) {
      return SECONDS * floor + (int) (share * inTheLastSeconds(calls, second));
    }

    /** How often the last retry that there may be was made. */
    int used() {
      return most;
    }

    private static int inTheLastSeconds(int[] counts, int second) {
      return IntStream.rangeClosed(Math.max(0, second - SECONDS + 1), second)
          .map(i -> counts[i])
          .sum();
    }
  }

  /**
   * At no moment of a minute in which every call fails, and from no clock origin, are there more
   * retries than the share of the calls and the floor; and there are as many. The callers use four
   * retries, which share the budget.
   */
  @ParameterizedTest
  @CsvSource({
    "200, 20, 10, 0",
    "200, 20, 0, -1",
    "200, 12.5, 3, 9223372036854775807",
    "20, 20, 1, 9223372006854775807",
    "3, 50, 0, -9223372036854775808"
  })
  void a_failing_dependency_sees_the_budgets_share_of_extra_calls_and_not_one_more(
      int callers, double percentage, int floor, long origin) {
    FakeTime time = FakeTime.startingAt(origin);
    Ledger ledger = new Ledger(percentage, floor);
    RetryBudget budget = RetryBudget.create(percentage, floor, time);
    Retry[] retries =
        IntStream.range(0, 4).mapToObj(i -> retry(time, budget, i)).toArray(Retry[]::new);
    for (Retry retry : retries) {
      retry.on(RetryEvent.Retrying.class, event -> ledger.retried(second(time)));
    }
    Random random = new Random(SEED);
    for (int caller = 0; caller < callers; caller++) {
      Retry retry = retries[caller % retries.length];
      time.schedule(
          () -> callEachSecond(time, retry, ledger),
          Duration.ofNanos(random.nextInt(1_000_000_000)));
    }

    time.advance(Duration.ofSeconds(60));

    assertThat(ledger.used()).as("times that the budget was used up").isGreaterThan(SECONDS);
  }

  private static Retry retry(FakeTime time, RetryBudget budget, long seed) {
    return Retry.create(
        "inventory",
        s ->
            s.budget(budget)
                .random(new Random(seed)::nextDouble)
                .ticker(time)
                .scheduler(time)
                .executor(Runnable::run));
  }

  private static void callEachSecond(FakeTime time, Retry retry, Ledger ledger) {
    time.schedule(() -> callEachSecond(time, retry, ledger), Duration.ofSeconds(1));
    ledger.calls[second(time)]++;
    var unused =
        retry.callAsync(() -> CompletableFuture.failedFuture(new IOException("always down")));
  }

  private static int second(FakeTime time) {
    return (int) time.elapsed().toSeconds();
  }

  @Test
  void a_storm_without_a_budget_is_three_times_the_load_and_with_it_not_a_third_more() {
    assertThat(outcome(StormCallers.ONE_ATTEMPT).fault().requestsPerCall()).isEqualTo(1);
    assertThat(outcome(StormCallers.FIXED_WAITS).fault().requestsPerCall())
        .isCloseTo(3, within(0.05));
    assertThat(outcome(StormCallers.JITTERED_WAITS).fault().requestsPerCall())
        .isCloseTo(3, within(0.05));
    // 20 % of the 100 calls a second, and 10.
    assertThat(outcome(StormCallers.BUDGET).fault().requestsPerCall()).isCloseTo(1.3, within(0.01));
  }

  @ParameterizedTest
  @EnumSource(
      value = StormCallers.class,
      names = {"ONE_ATTEMPT", "FIXED_WAITS", "JITTERED_WAITS", "BUDGET"})
  void without_a_breaker_it_never_gets_up(StormCallers callers) {
    assertThat(outcome(callers).isRecovered()).isFalse();
    assertThat(outcome(callers).afterwards().answered()).isZero();
  }

  @Test
  void behind_a_breaker_it_sees_next_to_nothing_while_it_fails() {
    assertThat(outcome(StormCallers.RAMP_UP).fault().requestsPerCall()).isLessThan(0.05);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 4})
  void recovered_it_is_knocked_over_again_and_again_if_all_come_back_at_once(long seed) {
    Outcome outcome = RetryStorm.run(StormCallers.BREAKER, FakeTime.create(), seed);

    assertThat(outcome.knockedOver()).isGreaterThan(5);
    assertThat(outcome.isRecovered()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 4})
  void recovered_it_is_not_knocked_over_with_ramp_up(long seed) {
    Outcome outcome = RetryStorm.run(StormCallers.RAMP_UP, FakeTime.create(), seed);

    assertThat(outcome.knockedOver()).isZero();
    assertThat(outcome.isRecovered()).isTrue();
    assertThat(outcome.troubled())
        .isLessThanOrEqualTo(StormCallers.OPEN.plus(StormCallers.RAMP).plusSeconds(1));
  }

  @Test
  void the_document_shows_these_figures() throws IOException {
    GeneratedDocument.assertIs("retry-storm.md", document());
  }

  private static String document() {
    StringBuilder storm = new StringBuilder();
    StringBuilder recovery = new StringBuilder();
    for (StormCallers callers : StormCallers.values()) {
      storm.append(stormRow(callers, outcome(callers)));
      recovery.append(recoveryRow(callers, outcome(callers)));
    }
    return TEXT.formatted(
        RetryStorm.CALLERS,
        RetryStorm.FAULT.toSeconds(),
        storm,
        FragileDependency.COLD_CAPACITY,
        FragileDependency.FULL_CAPACITY,
        FragileDependency.WARM_UP.toSeconds(),
        FragileDependency.RESTART.toSeconds(),
        RetryStorm.AFTERWARDS.toMinutes(),
        recovery,
        StormCallers.OPEN.toSeconds(),
        StormCallers.RAMP.toSeconds());
  }

  private static String stormRow(StormCallers callers, Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %,d | %.2f | %,d |\n",
        callers,
        outcome.fault().calls(),
        outcome.fault().requests(),
        outcome.fault().requestsPerCall(),
        outcome.busiestSecond());
  }

  private static String recoveryRow(StormCallers callers, Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %s | %.0f %% |\n",
        callers,
        outcome.knockedOver(),
        outcome.isRecovered()
            ? String.format(Locale.ROOT, "%.0f s", outcome.troubled().toMillis() / 1e3)
            : "never",
        outcome.afterwards().answeredPercent());
  }

  private static final String TEXT =
      """
      # A retry storm

      A dependency fails, its callers try again, and their retries are what keeps it down. The figures are those of a simulation on
      fake time, `RetryStormTest`, which writes this page and fails when it says anything else. %d callers make a call a second each,
      whatever became of their calls before.

      ## While every request fails

      For %d s.

      | callers | calls | requests | requests a call | busiest second |
      | --- | --- | --- | --- | --- |
      %s
      Without a budget every call is three requests; jitter only spreads them. With the budget, which is on by default, there are never
      more retries in ten seconds than 20 %% of the calls in them and ten a second, so here three for ten calls. `RetryStormTest` counts
      that at every retry, for other shares and floors too, and for a budget that several retries share. What ten seconds allow may be
      spent at once: the busiest second is the first of the fault. Behind a breaker, only what opens it and its probes get through.

      ## When it is back

      It comes back cold: it bears %d requests a second at first, and %d once it has warmed up for %d s. One more knocks it over; it then
      restarts, which takes %d s, and is cold again. This is over %d minutes.

      | callers | knocked over | last failure after | answered |
      | --- | --- | --- | --- |
      %s
      Without a breaker nobody holds the load back, retries or not. A breaker lets the dependency rest, for %d s at a time; but if all
      come back as soon as its probes have succeeded, their load is what knocks the dependency over. With ramp-up the breaker admits a
      share of the calls that grows to all of them over %d s, which the dependency can bear on the way: `rampUpDuration` should be longer
      than a cold start. Calls that are refused on the way say `RAMP_UP` and are not retried; a fallback has an answer for them.
      """;
}
