package dev.recloser.config;

import dev.recloser.RetryBudget;
import dev.recloser.RetryConfig;
import dev.recloser.Ticker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a retry, and the figures of its budget. A budget does not tell its figures
 * and is not equal to another with the same ones; here it can be told whether a file changes them.
 *
 * @param config with the budget in it
 * @param figures those of the budget; null if the file gives none
 * @param budget made of the figures
 */
record RetryPlan(
    RetryConfig config, @Nullable BudgetFigures figures, @Nullable RetryBudget budget) {

  /**
   * Makes one.
   *
   * @throws dev.recloser.InvalidConfigurationException when settings are wrong; lists them all
   */
  static RetryPlan of(Consumer<? super RetryDraft> settings) {
    RetryDraft draft = new RetryDraft();
    settings.accept(draft);
    FaultList faults = new FaultList();
    RetryConfig made = faults.make(() -> RetryConfig.of(draft::applyTo), Map.of());
    RetryConfig config = made == null ? RetryConfig.defaults() : made;
    BudgetFigures figures = draft.budget();
    RetryBudget budget = figures == null ? null : figures.budget(tickerOf(config), faults);
    faults.throwIfAny("A retry");
    return budget == null
        ? new RetryPlan(config, null, null)
        : new RetryPlan(config.with(builder -> builder.budget(budget)), figures, budget);
  }

  /** What is set; of a budget that a file or nobody gives, its figures. */
  Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>(config.settings());
    if (figures != null || all.get("budget") == null) {
      all.remove("budget");
      BudgetFigures present = figures == null ? BudgetFigures.of(null, null) : figures;
      all.put(BudgetFigures.PERCENTAGE, present.percentage());
      all.put(BudgetFigures.MINIMUM_PER_SECOND, present.minimumPerSecond());
    }
    return all;
  }

  /** This plan, with the budget of the one before if that has the same figures. */
  RetryPlan keepingBudgetOf(RetryPlan before) {
    boolean same = figures != null && figures.equals(before.figures);
    return same
        ? new RetryPlan(
            config.with(builder -> builder.budget(before.budget)), figures, before.budget)
        : this;
  }

  private static Ticker tickerOf(RetryConfig config) {
    return (Ticker) Objects.requireNonNull(config.settings().get("ticker"), "ticker");
  }
}
