package dev.recloser.config;

import dev.recloser.RetryBudget;
import dev.recloser.Ticker;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a retry budget is made of. */
record BudgetFigures(double percentage, int minimumPerSecond) {
  static final String PERCENTAGE = "retryBudgetPercentage";
  static final String MINIMUM_PER_SECOND = "retryBudgetMinimumPerSecond";

  /** What the figures are called where a budget is made, and what in a file. */
  private static final Map<String, String> KEYS =
      Map.of("percentage", PERCENTAGE, "minimumPerSecond", MINIMUM_PER_SECOND);

  /** These figures, with the defaults in place of null. */
  static BudgetFigures of(@Nullable Double percentage, @Nullable Integer minimumPerSecond) {
    return new BudgetFigures(
        percentage == null ? RetryBudget.DEFAULT_PERCENTAGE : percentage,
        minimumPerSecond == null ? RetryBudget.DEFAULT_MINIMUM_PER_SECOND : minimumPerSecond);
  }

  /** A budget with these figures; null if they are wrong, which is then added to the faults. */
  @Nullable RetryBudget budget(Ticker ticker, FaultList faults) {
    return faults.make(() -> RetryBudget.create(percentage, minimumPerSecond, ticker), KEYS);
  }
}
