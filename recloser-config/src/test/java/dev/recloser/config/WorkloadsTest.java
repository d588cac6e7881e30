package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file says of the calls of each dependency. */
final class WorkloadsTest {
  private static final String POLICIES =
      """
      recloser:
        timelimiter.instances:
          inventory: {timeoutDuration: 1s}
          pricing: {timeoutDuration: 1s}
        pipelines.orders: [timelimiter: inventory]
      """;

  @Test
  void each_policy_is_judged_by_the_calls_through_it() {
    assertThat(
            timeouts("  lint.workload: {inventory: {p99: 100ms}, pricing: {p99: 2s}}", calls -> {}))
        .containsExactly(
            "timeout-far-above-p99 timelimiter.instances.inventory.timeoutDuration",
            "timeout-below-p99 timelimiter.instances.pricing.timeoutDuration");
  }

  @Test
  void the_name_of_a_pipeline_stands_for_its_policies() {
    assertThat(timeouts("  lint.workload.orders.p99: 100ms", calls -> {}))
        .containsExactly("timeout-far-above-p99 timelimiter.instances.inventory.timeoutDuration");
  }

  @Test
  void what_holds_in_general_is_for_the_others_and_goes_before_the_default() {
    String text = "  lint.workload: {default: {p99: 2s}, inventory: {p99: 300ms}}";

    assertThat(timeouts(text, calls -> {}))
        .containsExactly("timeout-below-p99 timelimiter.instances.pricing.timeoutDuration");
    assertThat(timeouts(text, calls -> calls.p99(Duration.ofMillis(100))))
        .containsExactly("timeout-far-above-p99 timelimiter.instances.pricing.timeoutDuration");
  }

  @Test
  void figures_add_up() {
    String text =
        """
          ratelimiter.instances.inventory: {limitForPeriod: 10, limitRefreshPeriod: 1s}
          lint.workload: {default: {callsPerSecond: 20}, inventory: {p99: 300ms}}
        """;

    assertThat(PolicyConfigs.loadYaml("x.yml", POLICIES + text).findings())
        .extracting(Finding::rule)
        .contains("rate-limit-below-traffic");
  }

  @Test
  void an_application_that_reads_the_file_is_told_too() {
    PolicyConfigs configs =
        PolicyConfigs.loadProperties(
            "x.properties",
            """
            recloser.timelimiter.instances[api.example.com].timeoutDuration=1s
            recloser.lint.workload[api.example.com].p99=2s
            """);

    assertThat(configs.findings()).extracting(Finding::rule).contains("timeout-below-p99");
  }

  @Test
  void a_name_that_nothing_has_is_found_in_a_file_of_workloads_too(@TempDir Path folder)
      throws IOException {
    Path policies = Files.writeString(folder.resolve("x.yml"), POLICIES);
    Path workloads =
        Files.writeString(folder.resolve("w.yml"), "recloser.lint.workload.inventori.p99: 1s");

    assertThat(Lint.check(List.of(policies, workloads), Workload.unknown()))
        .filteredOn(finding -> finding.file().equals(workloads.toString()))
        .extracting(Finding::effect)
        .containsExactly("no policy and no pipeline has this name");
  }

  @Test
  void a_name_that_nothing_has_is_noted() {
    assertThat(
            PolicyConfigs.loadYaml("x.yml", POLICIES + "  lint.workload.inventori.p99: 1s").notes())
        .extracting(BreakerConfigs.Note::toString)
        .contains(
            "x.yml:6: lint.workload.inventori: no policy and no pipeline has this name; the nearest"
                + " is inventory");
  }

  @Test
  void what_is_wrong_is_told_with_its_line() {
    String text =
        """
          lint.workload:
            inventory: {p99: 0, callsPerSecond: -1, errorRate: 101, pool: 0, replicas: many}
            pricing: {p9: 1s}
            orders: 5
        """;

    assertThatThrownBy(() -> PolicyConfigs.loadYaml("x.yml", POLICIES + text))
        .hasMessage(
            """
            x.yml:7: lint.workload.inventory.replicas: many (expected: a whole number up to 2,147,483,647)
            x.yml:7: lint.workload.inventory.callsPerSecond: -1 (expected: more than 0)
            x.yml:7: lint.workload.inventory.p99: 0 (expected: more than zero)
            x.yml:7: lint.workload.inventory.errorRate: 101 (expected: 0 to 100)
            x.yml:7: lint.workload.inventory.pool: 0 (expected: at least 1)
            x.yml:8: lint.workload.pricing.p9: 1s (expected: a known key; the nearest is p99)
            x.yml:9: lint.workload.orders: 5 (expected: a section with keys of its own)""");
  }

  private static List<String> timeouts(String more, Consumer<Workload.Builder> general) {
    return PolicyConfigs.loadYaml("x.yml", POLICIES + more).findings(Workload.of(general)).stream()
        .filter(finding -> finding.rule().endsWith("-p99"))
        .map(finding -> finding.rule() + " " + finding.key())
        .toList();
  }
}
