package dev.recloser.config;

import static dev.recloser.config.Kind.COUNT;
import static dev.recloser.config.Kind.PERCENT;

import dev.recloser.RetryBudget;
import dev.recloser.config.Key.Setting;
import java.util.function.BiConsumer;

/** The keys of the budget that further attempts are charged to. */
final class BudgetKeys {
  private BudgetKeys() {}

  /**
   * The share of the calls.
   *
   * @param what the attempts are called
   */
  static <B> Setting<BudgetedDraft<B>, Double> percentage(String what) {
    return Setting.<BudgetedDraft<B>, Double>of(
            BudgetFigures.PERCENTAGE,
            PERCENT,
            BudgetedDraft::budgetPercentage,
            "The share of the recent calls that %s may come to.".formatted(what))
        .ours();
  }

  /**
   * The floor under it.
   *
   * @param what the attempts are called
   */
  static <B> Setting<BudgetedDraft<B>, Integer> minimumPerSecond(String what) {
    return Setting.<BudgetedDraft<B>, Integer>of(
            BudgetFigures.MINIMUM_PER_SECOND,
            COUNT,
            BudgetedDraft::budgetMinimumPerSecond,
            "How many %s a second there may be in any case.".formatted(what))
        .ours();
  }

  /** One that is there already. */
  static <B> Setting<BudgetedDraft<B>, RetryBudget> shared(BiConsumer<B, RetryBudget> setter) {
    return Setting.<BudgetedDraft<B>, RetryBudget>of(
            Budgeted.BUDGET,
            NamedObject.of(RetryBudget.class),
            (draft, budget) -> draft.budget(budget, setter),
            "A RetryBudget that others share, in place of the two figures.")
        .ours()
        .byDefault("one of its own")
        .judgedBy(BudgetFigures.PERCENTAGE, BudgetFigures.MINIMUM_PER_SECOND);
  }
}
