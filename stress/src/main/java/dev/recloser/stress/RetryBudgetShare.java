package dev.recloser.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.recloser.Retry;
import dev.recloser.RetryBudget;
import dev.recloser.RetryConfig;
import dev.recloser.RetryMetrics;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Retries that share a budget are never more than it allows. */
public final class RetryBudgetShare {
  private RetryBudgetShare() {}

  /** Two calls fail, for which the budget allows one retry. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "One of the two was made again.")
  @Outcome(expect = FORBIDDEN, desc = "The budget was overdrawn, or not used.")
  @State
  public static class LastRetry {
    private final FakeTime time = FakeTime.create();
    private final RetryBudget budget = RetryBudget.create(50, 0, time);
    private final Retry retry =
        Retry.create(
            "stress",
            RetryConfig.of(
                c ->
                    c.maxAttempts(2)
                        .waitDuration(Duration.ZERO)
                        .retryOnResult("no answer"::equals)
                        .budget(budget)
                        .ticker(time)
                        .scheduler(time)));

    @Actor
    public void first() {
      var unused = retry.call(() -> "no answer");
    }

    @Actor
    public void second() {
      var unused = retry.call(() -> "no answer");
    }

    @Arbiter
    public void count(III_Result r) {
      RetryMetrics metrics = retry.metrics();
      r.r1 = (int) metrics.retries();
      r.r2 = (int) metrics.withoutBudget();
      r.r3 = budget.left();
    }
  }

  /** Looks whether the budget allows it, and only then charges it. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The first call is made again.")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The second call is made again.")
  @Outcome(expect = FORBIDDEN, desc = "The budget was overdrawn, or not used.")
  @State
  public static class WrongLastRetry {
    private final AtomicInteger retries = new AtomicInteger();

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = withdraw();
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = withdraw();
    }

    private boolean withdraw() {
      if (retries.get() == 1) {
        return false;
      }
      retries.getAndIncrement();
      return true;
    }
  }
}
