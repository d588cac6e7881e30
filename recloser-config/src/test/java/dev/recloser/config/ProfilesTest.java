package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file may have several documents, some of them for profiles. */
final class ProfilesTest {
  private static final String FILE =
      """
      spring: {application: {name: orders}}
      resilience4j.retry.instances.x: {maxAttempts: 3, waitDuration: 1s}
      ---
      spring.config.activate.on-profile: %s
      resilience4j.retry.instances.x.maxAttempts: 5
      ---
      debug: true
      """;

  @ParameterizedTest(name = "{0} where {1} is active: {2}")
  @CsvSource(
      delimiter = ';',
      nullValues = "-",
      value = {
        "prod; prod; 5",
        "prod; cloud,prod; 5",
        "prod; test; 3",
        "prod; -; 3",
        "default; -; 5",
        "default; prod; 3",
        "\"!prod\"; test; 5",
        "\"!prod\"; prod; 3",
        "prod, test; test; 5",
        "[prod, test]; test; 5",
        "prod & cloud; prod; 3",
        "prod & cloud; cloud,prod; 5",
        "prod & !cloud; prod; 5",
        "prod | test; test; 5"
      })
  void a_document_holds_where_its_profile_is_active(
      String profile, @Nullable String active, int attempts) {
    assertThat(attempts(FILE.formatted(profile), active)).isEqualTo(attempts);
  }

  @Test
  void the_file_may_say_which_profiles_are_active() {
    assertThat(attempts("spring.profiles.active: prod\n" + FILE.formatted("prod"), null))
        .isEqualTo(5);
    assertThat(attempts("spring.profiles.active: prod\n" + FILE.formatted("prod"), "test"))
        .isEqualTo(3);
  }

  @Test
  void the_old_key_for_profiles_is_understood() {
    String text =
        FILE.formatted("prod").replace("spring.config.activate.on-profile", "spring.profiles");

    assertThat(attempts(text, "prod")).isEqualTo(5);
    assertThat(attempts(text, "test")).isEqualTo(3);
  }

  @Test
  void a_document_that_is_left_out_is_noted() {
    assertThat(load(FILE.formatted("prod"), "test").notes())
        .extracting(BreakerConfigs.Note::toString)
        .containsExactly(
            "x.yml:4: a document: left out, since it is for the profile prod; name it in"
                + " spring.profiles.active, which is test");
  }

  @Test
  void nothing_is_left_where_all_are_for_others() {
    assertThatThrownBy(
            () -> load("spring.profiles: prod\nrecloser.retry.instances.x.maxAttempts: 3", "test"))
        .hasMessage(
            "x.yml: no document for the profile test (expected: a document for it, or another"
                + " one in spring.profiles.active)");
  }

  @Test
  void a_tool_takes_what_is_for_another_place(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("application-prod.yml");
    Files.writeString(
        file, "spring.config.activate.on-profile: prod\nrecloser.retry.instances.x.maxAttempts: 5");

    assertThat(PolicyConfigs.loadWithoutClasses(file, base -> {}).retries().get("x").maxAttempts())
        .isEqualTo(5);
    assertThat(Lint.check(List.of(file), Workload.unknown()))
        .extracting(Finding::rule)
        .doesNotContain("invalid", "no-effect");
  }

  @Test
  void properties_have_documents_too() {
    String text =
        """
        resilience4j.retry.instances.x.max-attempts=3
        #---
        spring.config.activate.on-profile[0]=test
        spring.config.activate.on-profile[1]=prod
        resilience4j.retry.instances.x.max-attempts=5
        """;

    assertThat(
            PolicyConfigs.loadProperties(
                    "x.properties",
                    text,
                    base -> base.placeholders(Map.of("spring.profiles.active", "prod")::get))
                .retries()
                .get("x")
                .maxAttempts())
        .isEqualTo(5);
    assertThat(PolicyConfigs.loadProperties("x.properties", text).retries().get("x").maxAttempts())
        .isEqualTo(3);
  }

  @Test
  void the_linter_and_circuit_breakers_alone_read_them_too(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("application.yml");
    Files.writeString(
        file,
        """
        debug: true
        ---
        resilience4j.circuitbreaker.instances.x.slidingWindowSize: 10
        ---
        resilience4j.circuitbreaker.instances.x.permittedNumberOfCallsInHalfOpenState: 1
        """);

    assertThat(BreakerConfigs.load(file).only().slidingWindowCalls()).isEqualTo(10);
    assertThat(Lint.check(List.of(file), Workload.unknown()))
        .extracting(finding -> finding.rule() + " " + finding.line())
        .contains("one-probe 5")
        .doesNotContain("invalid 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"---\n---\n", "# nothing\n---\n"})
  void documents_without_anything_are_none(String before) {
    assertThat(attempts(before + FILE.formatted("prod"), "prod")).isEqualTo(5);
  }

  private static int attempts(String text, @Nullable String active) {
    return load(text, active).retries().get("x").maxAttempts();
  }

  private static PolicyConfigs load(String text, @Nullable String active) {
    return PolicyConfigs.loadYaml(
        "x.yml",
        text,
        base -> base.placeholders(name -> name.equals("spring.profiles.active") ? active : null));
  }
}
