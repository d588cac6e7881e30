package dev.recloser.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.TestGrading;

/**
 * The core keeps all claims, and the wrong variants are seen to break them.
 *
 * <p>Quick, unless the property {@code stress.options} has options for jcstress itself.
 */
final class ClaimsTest {
  private static final String OPTIONS = System.getProperty("stress.options", "");

  /** A wrong variant that has a bad day is tried again, more than a minute long. */
  private static final int TRIES = 200;

  @TestFactory
  Stream<DynamicTest> claimsAreKept() throws Exception {
    Map<String, List<TestResult>> forked = OPTIONS.isBlank() ? null : Claims.runForked(OPTIONS);
    return Claims.names().stream()
        .filter(name -> forked == null || forked.containsKey(name))
        .sorted()
        .map(
            name ->
                dynamicTest(
                    name.substring("dev.recloser.".length()),
                    () -> check(name, forked == null ? List.of() : forked.get(name))));
  }

  @Test
  void eachClaimHasAWrongVariant() {
    Map<String, Boolean> hasWrongVariant = new TreeMap<>();
    for (String name : Claims.names()) {
      String claim = name.substring(0, name.lastIndexOf('.'));
      hasWrongVariant.merge(claim, Claims.isWrong(name), Boolean::logicalOr);
    }
    assertThat(hasWrongVariant).hasSizeGreaterThan(1).doesNotContainValue(false);
  }

  private static void check(String name, List<TestResult> forked) {
    List<String> broken = forked.isEmpty() ? broken(Claims.runHere(name)) : List.of();
    for (TestResult result : forked) {
      broken = broken.isEmpty() ? broken(result) : broken;
    }
    if (!Claims.isWrong(name)) {
      assertThat(broken).as(name).isEmpty();
      return;
    }
    for (int i = 0; i < TRIES && broken.isEmpty(); i++) {
      broken = broken(Claims.runHere(name));
    }
    assertThat(broken).as("what %s must be seen to do", name).isNotEmpty();
  }

  private static List<String> broken(TestResult result) {
    assertThat(result.status())
        .as("%s%s", result.getMessages(), result.getVmErr())
        .isEqualTo(Status.NORMAL);
    assertThat(result.getTotalCount()).as("samples").isPositive();
    return TestGrading.grade(result).failureMessages;
  }
}
