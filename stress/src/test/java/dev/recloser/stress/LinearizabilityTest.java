package dev.recloser.stress;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.Set;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads do to a breaker at once, they get what they would get from {@link BreakerModel},
 * one operation after the other.
 *
 * <p>Lincheck runs generated scenarios under its own scheduler, which tries one interleaving after
 * the other, down to single reads and writes of fields. The properties {@code lincheck.scenarios}
 * and {@code lincheck.interleavings} say how many; they are the same ones each time.
 */
final class LinearizabilityTest {
  private static final int SCENARIOS = Integer.getInteger("lincheck.scenarios", 30);
  private static final int INTERLEAVINGS = Integer.getInteger("lincheck.interleavings", 25);

  @Test
  void twoThreadsGetWhatOneWouldGet() {
    options(2, 3).check(BreakerOperations.class);
  }

  @Test
  void threeThreadsGetWhatOneWouldGet() {
    options(3, 2).check(BreakerOperations.class);
  }

  /** The model is a breaker in which nothing is guarded: the wrong variant of all claims here. */
  @Test
  void aBreakerWithoutLocksIsFoundOut() {
    assertThatThrownBy(() -> options(2, 3).check(BreakerModel.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }

  private static ModelCheckingOptions options(int threads, int length) {
    return new ModelCheckingOptions()
        .threads(threads)
        .actorsPerThread(length)
        .iterations(SCENARIOS)
        .invocationsPerIteration(INTERLEAVINGS)
        .executionGenerator(CallsGenerator.class)
        .sequentialSpecification(BreakerModel.class)
        .addGuarantee(nothingShared())
        .addGuarantee(onlyWhileNothingElseGoesOn());
  }

  /** Values, and the making of sentences, in which no switch of threads can change anything. */
  private static ManagedStrategyGuarantee nothingShared() {
    Set<String> values =
        Set.of(
            "CallNotPermittedException",
            "CallRejectedException",
            "CircuitBreakerConfig",
            "CircuitBreakerMetrics",
            "CircuitBreakerSnapshot",
            "FailureSample",
            "Findings",
            "Reasons",
            "Result",
            "Settlement",
            "Text",
            "Threshold",
            "Verdict",
            "WindowSnapshot");
    return forClasses(
            (String name) ->
                name.startsWith("dev.recloser.")
                    && values.contains(name.substring("dev.recloser.".length())))
        .allMethods()
        .ignore();
  }

  private static ManagedStrategyGuarantee onlyWhileNothingElseGoesOn() {
    return forClasses("dev.recloser.CircuitBreaker").methods("metrics").ignore();
  }
}
