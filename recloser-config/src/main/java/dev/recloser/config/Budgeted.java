package dev.recloser.config;

import dev.recloser.PolicyConfig;
import dev.recloser.RetryBudget;
import dev.recloser.Ticker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a policy that makes further attempts, and the figures of its budget. A
 * budget does not tell its figures and is not equal to another with the same ones; here it can be
 * told whether a file changes them.
 *
 * @param config with the budget in it
 * @param figures those of the budget; null if the file gives none
 * @param budget made of the figures
 */
record Budgeted<C extends PolicyConfig>(
    C config, @Nullable BudgetFigures figures, @Nullable RetryBudget budget) {

  /** What a configuration calls its budget. */
  static final String BUDGET = "budget";

  /**
   * Makes one.
   *
   * @param make makes a configuration
   * @param anyConfig what to look further with where that fails
   * @param charging a configuration with another budget
   * @throws dev.recloser.InvalidConfigurationException when settings are wrong; lists them all
   */
  static <B, C extends PolicyConfig> Budgeted<C> of(
      String what,
      Consumer<? super BudgetedDraft<B>> settings,
      Function<Consumer<B>, C> make,
      C anyConfig,
      BiFunction<C, RetryBudget, C> charging) {
    BudgetedDraft<B> draft = new BudgetedDraft<>();
    settings.accept(draft);
    FaultList faults = new FaultList();
    C made = faults.make(() -> make.apply(draft::applyTo), Map.of());
    C config = made == null ? anyConfig : made;
    BudgetFigures figures = draft.figures();
    RetryBudget budget = figures == null ? null : figures.budget(tickerOf(config), faults);
    draft.check(faults);
    faults.throwIfAny(what);
    return budget == null
        ? new Budgeted<>(config, null, null)
        : new Budgeted<>(charging.apply(config, budget), figures, budget);
  }

  /** What is set; of a budget that a file or nobody gives, its figures. */
  Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>(config.settings());
    if (figures != null || all.get(BUDGET) == null) {
      all.remove(BUDGET);
      BudgetFigures present = figures == null ? BudgetFigures.of(null, null) : figures;
      all.put(BudgetFigures.PERCENTAGE, present.percentage());
      all.put(BudgetFigures.MINIMUM_PER_SECOND, present.minimumPerSecond());
    }
    return all;
  }

  /** This, with the budget of the one before if that has the same figures. */
  Budgeted<C> keepingBudgetOf(Budgeted<C> before, BiFunction<C, RetryBudget, C> charging) {
    RetryBudget kept = before.budget;
    return kept != null && figures != null && figures.equals(before.figures)
        ? new Budgeted<>(charging.apply(config, kept), figures, kept)
        : this;
  }

  private static Ticker tickerOf(PolicyConfig config) {
    return (Ticker) Objects.requireNonNull(config.settings().get("ticker"), "ticker");
  }
}
