package dev.recloser.config;

import dev.recloser.RetryBudget;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a file says about a policy that makes further attempts. The builder takes a budget in one
 * piece, a file in two figures, or by the name of one that others share.
 */
final class BudgetedDraft<B> extends Draft<B> {
  private @Nullable Double percentage;
  private @Nullable Integer minimumPerSecond;
  private boolean hasBudget;

  void budgetPercentage(double percentage) {
    this.percentage = percentage;
  }

  void budgetMinimumPerSecond(int attempts) {
    minimumPerSecond = attempts;
  }

  /** Sets a budget that is there already. */
  void budget(RetryBudget budget, BiConsumer<B, RetryBudget> setter) {
    hasBudget = true;
    set(builder -> setter.accept(builder, budget));
  }

  /** The figures of the budget, null if none is given. */
  @Nullable BudgetFigures figures() {
    return percentage == null && minimumPerSecond == null
        ? null
        : BudgetFigures.of(percentage, minimumPerSecond);
  }

  /** Adds what does not go together. */
  void check(FaultList faults) {
    boolean both = hasBudget && figures() != null;
    String expected = "either this, or retryBudgetPercentage and retryBudgetMinimumPerSecond";
    faults.check(!both, Budgeted.BUDGET, "one of its own figures too", expected);
  }
}
