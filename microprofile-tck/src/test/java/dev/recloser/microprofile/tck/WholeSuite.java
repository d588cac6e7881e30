package dev.recloser.microprofile.tck;

import java.util.function.ToIntFunction;
import org.testng.ISuite;
import org.testng.ISuiteListener;
import org.testng.ITestContext;

/**
 * Fails a run that left tests out: a suite that ran in part, because an archive was not found or a
 * test was skipped, would else look like one that passed. How many there are stands in the suite's
 * file. Loaded through META-INF/services/org.testng.ITestNGListener.
 */
public final class WholeSuite implements ISuiteListener {
  @Override
  public void onFinish(ISuite suite) {
    String tests = suite.getParameter("tests");
    if (tests == null) {
      return; // Single tests, chosen by -Dtest.
    }
    int expected = Integer.parseInt(tests);
    int passed = sum(suite, test -> test.getPassedTests().size());
    int failed = sum(suite, test -> test.getFailedTests().size());
    int skipped = sum(suite, test -> test.getSkippedTests().size());
    System.out.printf("[tck] %d passed, %d failed, %d skipped%n", passed, failed, skipped);
    if (passed + failed != expected || skipped > 0) {
      throw new IllegalStateException(
          "%s: %d tests ran and %d were skipped (expected: %d and none)"
              .formatted(suite.getName(), passed + failed, skipped, expected));
    }
  }

  private static int sum(ISuite suite, ToIntFunction<ITestContext> count) {
    return suite.getResults().values().stream()
        .mapToInt(result -> count.applyAsInt(result.getTestContext()))
        .sum();
  }
}
