package dev.recloser.config;

import dev.recloser.RetryConfig;
import dev.recloser.config.Finding.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Attempts that a failing dependency sees as a multiple of its load. */
final class RetriesMultiplyLoad extends Check {
  private static final double MOST = 1.5;

  /** So many say it all; more might not fit into a number. */
  private static final int MOST_TOLD = 1_000_000;

  RetriesMultiplyLoad() {
    super(
        "retries-multiply-load",
        Severity.WARNING,
        "Retries may bring a failing dependency more than one and a half times its load.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Guard guard : scene.guards()) {
      List<Subject<Budgeted<RetryConfig>>> retries = guard.all(PolicyKind.RETRY);
      retries.forEach(
          retry -> look(retry, scene.workloadOf(retry, guard).callsPerSecond(), findings));
      if (retries.stream().filter(retry -> attempts(retry) > 1).count() > 1) {
        lookAtAll(retries, findings);
      }
    }
  }

  private void look(
      Subject<Budgeted<RetryConfig>> retry, @Nullable Double rate, Findings findings) {
    BudgetFigures budget = budgetOf(retry);
    if (budget == null) {
      return;
    }
    double extra =
        budget.percentage() / 100 + (rate == null ? 0 : budget.minimumPerSecond() / rate);
    double load = Math.min(attempts(retry), 1 + extra);
    if (load > MOST) {
      findings.add(
          this,
          retry,
          rate == null ? BudgetFigures.PERCENTAGE : "maxAttempts",
          "a failing dependency sees up to %s times its load".formatted(Told.number(load)),
          rate == null
              ? "the budget lets retries be %s of the calls"
                  .formatted(Told.percent(budget.percentage()))
              : "there may be %s attempts, and a budget of %s and %s a second hardly limits calls that come in at %s a second"
                  .formatted(
                      attempts(retry),
                      Told.percent(budget.percentage()),
                      budget.minimumPerSecond(),
                      Told.number(rate)),
          rate == null
              ? "write a retryBudgetPercentage of 10 to 20"
              : "write a smaller retryBudgetMinimumPerSecond, or fewer attempts");
    }
  }

  private void lookAtAll(List<Subject<Budgeted<RetryConfig>>> retries, Findings findings) {
    Subject<Budgeted<RetryConfig>> inner = retries.get(retries.size() - 1);
    int attempts =
        retries.stream()
            .mapToInt(RetriesMultiplyLoad::attempts) // At most 1,000 each, so this fits.
            .reduce(1, (all, each) -> Math.min(all * each, MOST_TOLD));
    findings.add(
        this,
        inner,
        "maxAttempts",
        "one call may become " + (attempts < MOST_TOLD ? attempts : "a million or more"),
        "each attempt of one retry is retried by the other",
        "leave one of them out");
  }

  private static int attempts(Subject<Budgeted<RetryConfig>> retry) {
    return Math.min(retry.config().config().maxAttempts(), 1_000);
  }

  /** Null where the base gives a budget, of which nothing is known. */
  private static @Nullable BudgetFigures budgetOf(Subject<Budgeted<RetryConfig>> retry) {
    Budgeted<RetryConfig> plan = retry.config();
    boolean ofBase = plan.figures() == null && plan.config().settings().get("budget") != null;
    return plan.figures() != null ? plan.figures() : ofBase ? null : BudgetFigures.of(null, null);
  }
}
