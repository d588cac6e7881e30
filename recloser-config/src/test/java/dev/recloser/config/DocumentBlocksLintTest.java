package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.config.Finding.Severity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The configurations that Recloser was asked for with have no mistakes, and nothing is remarked on
 * them but what the same documents remark.
 */
final class DocumentBlocksLintTest {
  private static final Path EXAMPLES = Path.of("..", "docs", "replay");

  /** "Give trial calls a more generous timeout than steady-state calls." */
  private static final String PROBE_LIMIT = "probe-limit-as-tight";

  /** "Every synchronous call to a remote dependency ... deserves a timeout." */
  private static final String NO_TIMEOUT = "no-timeout";

  /** "Decide the failure predicate explicitly rather than relying on a default." */
  private static final String NOT_CHOSEN = "failures-not-chosen";

  /** "A dependency that answers in 9 seconds is functionally down." */
  private static final String NOT_COUNTED = "slow-calls-not-counted";

  @Test
  void orders_to_inventory() {
    Workload workload =
        Workload.of(
            calls -> calls.callsPerSecond(5).pool(200).errorRate(1).p99(Duration.ofMillis(50)));

    assertThat(remarks("orders-to-inventory.yml", workload))
        .containsExactlyInAnyOrder(PROBE_LIMIT, NO_TIMEOUT);
  }

  @Test
  void orders_to_inventory_in_many_replicas() {
    Workload workload = Workload.of(calls -> calls.replicas(50));

    // "Fifty probe sets hit the dependency together. Adding jitter to the wait spreads that out."
    assertThat(remarks("orders-to-inventory.yml", workload))
        .containsExactlyInAnyOrder(PROBE_LIMIT, NO_TIMEOUT, "no-jitter");
  }

  @Test
  void inventory_in_the_property_names_of_resilience4j() {
    assertThat(remarks("inventory.yml", Workload.unknown()))
        .containsExactlyInAnyOrder(PROBE_LIMIT, NO_TIMEOUT);
  }

  @Test
  void a_call_a_second() {
    assertThat(remarks("call-a-second.yml", Workload.of(calls -> calls.callsPerSecond(1))))
        .containsExactlyInAnyOrder(NO_TIMEOUT, NOT_CHOSEN, NOT_COUNTED);
  }

  private static List<String> remarks(String file, Workload workload) {
    List<Finding> findings = Lint.check(List.of(EXAMPLES.resolve(file)), workload);
    assertThat(findings).noneMatch(finding -> finding.severity() == Severity.ERROR);
    return findings.stream().map(Finding::rule).toList();
  }
}
