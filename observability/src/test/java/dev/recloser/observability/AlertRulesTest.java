package dev.recloser.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The alert rules, by promtool. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class AlertRulesTest {
  private static final String RULES = "prometheus/recloser-rules.yml";
  private static final String TESTS = "prometheus/recloser-rules-test.yml";

  @Test
  void are_well_formed() throws Exception {
    assertThat(Tool.run("promtool", "check", "rules", RULES)).contains("9 rules found");
  }

  @Test
  void ring_when_they_should_and_not_otherwise() throws Exception {
    assertThat(Tool.run("promtool", "test", "rules", TESTS)).contains("SUCCESS");
  }

  @Test
  void each_has_a_test_and_a_section_of_the_runbook() throws IOException {
    Set<String> alerts = found("(?m)^ +- alert: (\\w+)$", Tool.FOLDER.resolve(RULES));

    assertThat(alerts).hasSize(9);
    assertThat(found("(?m)^ +alertname: (\\w+)$", Tool.FOLDER.resolve(TESTS))).isEqualTo(alerts);
    assertThat(found("(?m)^## (\\w+)$", Tool.FOLDER.resolve("../docs/runbook.md")))
        .isEqualTo(alerts);
    assertThat(found("(?m)runbook_url: \"docs/runbook\\.md#(\\w+)\"$", Tool.FOLDER.resolve(RULES)))
        .isEqualTo(
            alerts.stream()
                .map(alert -> alert.toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static Set<String> found(String pattern, Path file) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(file))
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
