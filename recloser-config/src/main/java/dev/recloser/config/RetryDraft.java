package dev.recloser.config;

import dev.recloser.RetryConfig;
import org.jspecify.annotations.Nullable;

/** What a file says about a retry. The builder takes a budget in one piece, a file in two. */
final class RetryDraft extends Draft<RetryConfig.Builder> {
  private @Nullable Double budgetPercentage;
  private @Nullable Integer budgetMinimumPerSecond;

  void budgetPercentage(double percentage) {
    budgetPercentage = percentage;
  }

  void budgetMinimumPerSecond(int retries) {
    budgetMinimumPerSecond = retries;
  }

  /** The figures of the budget, null if none is given. */
  @Nullable BudgetFigures budget() {
    return budgetPercentage == null && budgetMinimumPerSecond == null
        ? null
        : BudgetFigures.of(budgetPercentage, budgetMinimumPerSecond);
  }
}
