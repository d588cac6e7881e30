package dev.recloser.config;

import dev.recloser.RetryConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a file says about a retry. The builder takes a budget in one piece, a file in two. */
final class RetryDraft {
  private final List<Consumer<? super RetryConfig.Builder>> settings = new ArrayList<>();
  private @Nullable Double budgetPercentage;
  private @Nullable Integer budgetMinimumPerSecond;

  void set(Consumer<? super RetryConfig.Builder> setting) {
    settings.add(setting);
  }

  void budgetPercentage(double percentage) {
    budgetPercentage = percentage;
  }

  void budgetMinimumPerSecond(int retries) {
    budgetMinimumPerSecond = retries;
  }

  void applyTo(RetryConfig.Builder builder) {
    settings.forEach(setting -> setting.accept(builder));
  }

  /** The figures of the budget, null if none is given. */
  @Nullable BudgetFigures budget() {
    return budgetPercentage == null && budgetMinimumPerSecond == null
        ? null
        : BudgetFigures.of(budgetPercentage, budgetMinimumPerSecond);
  }
}
