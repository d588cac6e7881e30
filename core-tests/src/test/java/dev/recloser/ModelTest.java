package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerMetrics.TransitionKind;
import dev.recloser.ModelSetup.Timers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The breaker against a naive model of its rules, on random configurations and operations.
 *
 * <p>A difference is printed with the seed, the configuration and the shortest list of operations
 * that was found to show it. {@code -Dmodel.seed=N} starts from another seed.
 */
final class ModelTest {
  private static final long FIRST_SEED = Long.getLong("model.seed", 1_000);
  private static final int SEEDS = 500;
  private static final int STEPS = 500;

  private static final long[] ORIGINS = {
    0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 20_000_000, -1_000_000, 1L << 62
  };

  @ParameterizedTest
  @EnumSource(Timers.class)
  void aMillionOperationsDoWhatTheRulesSay(Timers timers) {
    long first = FIRST_SEED + (long) timers.ordinal() * SEEDS;
    System.out.printf(
        "%d operations from each of the seeds %d to %d, timers %s%n",
        STEPS, first, first + SEEDS - 1, timers);
    for (long seed = first; seed < first + SEEDS; seed++) {
      ModelSetup setup = setup(seed, timers);
      List<ModelStep> steps = ModelStep.draw(seed, STEPS);
      if (ModelRun.firstDifference(setup, steps) != null) {
        fail(ModelRun.firstDifference(setup, shrunk(setup, steps)));
      }
    }
  }

  @Test
  void theOperationsReachEveryCorner() {
    Set<TransitionKind> kinds = new HashSet<>();
    Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
    long expired = 0;
    long wouldHaveOpened = 0;
    long late = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 2) {
      List<ModelStep> steps = ModelStep.draw(seed, STEPS);
      var metrics = ModelRun.breakerAfter(setup(seed, Timers.ON_TIME), steps).metrics();
      kinds.addAll(metrics.transitions().keySet());
      metrics.refused().forEach((reason, times) -> refused.merge(reason, times, Long::sum));
      expired += metrics.expiredProbes();
      wouldHaveOpened += metrics.wouldHaveOpened();
      late += metrics.late();
    }
    assertThat(kinds).containsAll(movesByThemselves());
    assertThat(refused.values()).hasSize(4).allMatch(times -> times > 100);
    assertThat(List.of(expired, wouldHaveOpened, late)).allMatch(times -> times > 100);
  }

  private static Set<TransitionKind> movesByThemselves() {
    return Set.of(
        new TransitionKind(State.CLOSED, State.OPEN, TransitionCause.FAILURE_RATE),
        new TransitionKind(State.CLOSED, State.OPEN, TransitionCause.SLOW_CALL_RATE),
        new TransitionKind(State.OPEN, State.HALF_OPEN, TransitionCause.WAIT_ELAPSED),
        new TransitionKind(State.HALF_OPEN, State.CLOSED, TransitionCause.PROBES_SUCCEEDED),
        new TransitionKind(State.HALF_OPEN, State.OPEN, TransitionCause.PROBES_FAILED),
        new TransitionKind(State.HALF_OPEN, State.OPEN, TransitionCause.HALF_OPEN_TIMEOUT),
        new TransitionKind(State.FORCED_OPEN, State.CLOSED, TransitionCause.WAIT_ELAPSED),
        new TransitionKind(State.DISABLED, State.CLOSED, TransitionCause.WAIT_ELAPSED),
        new TransitionKind(State.METRICS_ONLY, State.CLOSED, TransitionCause.WAIT_ELAPSED));
  }

  private static ModelSetup setup(long seed, Timers timers) {
    return new ModelSetup(seed, ORIGINS[(int) Math.floorMod(seed, (long) ORIGINS.length)], timers);
  }

  /** Leaves out ever smaller parts of the steps as long as there is a difference. */
  private static List<ModelStep> shrunk(ModelSetup setup, List<ModelStep> steps) {
    List<ModelStep> shortest = steps;
    for (int size = steps.size() / 2; size >= 1; size /= 2) {
      for (int from = 0; from + size <= shortest.size(); ) {
        List<ModelStep> shorter = new ArrayList<>(shortest);
        shorter.subList(from, from + size).clear();
        boolean differs = ModelRun.firstDifference(setup, shorter) != null;
        shortest = differs ? shorter : shortest;
        from += differs ? 0 : size;
      }
    }
    return shortest.size() < steps.size() ? shrunk(setup, shortest) : shortest;
  }
}
