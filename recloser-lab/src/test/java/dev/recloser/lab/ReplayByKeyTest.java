package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreakerConfig;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ReplayByKeyTest {
  /** The second failure opens it for a second. */
  private final CircuitBreakerConfig config =
      CircuitBreakerConfig.of(
          builder ->
              builder
                  .slidingWindowSize(2)
                  .minimumNumberOfCalls(2)
                  .failureRateThreshold(100)
                  .waitDurationInOpenState(Duration.ofSeconds(1))
                  .permittedNumberOfCallsInHalfOpenState(1));

  private static final String[] ROWS = {
    "0,0,500,a", "5,0,ok,b", "10,0,500,a", "15,0,500,b", "20,0,500,a", "2000,0,ok,b", "2000,0,ok,a"
  };

  @Test
  void each_dependency_has_a_breaker_of_its_own() throws IOException {
    Log log = new Log();
    List<ReplaySummary> summaries = Replay.runByKey(config, trace(ROWS), log);
    assertThat(summaries).extracting(ReplaySummary::key).containsExactly("a", "b");
    assertThat(summaries).extracting(ReplaySummary::calls).containsExactly(4L, 3L);
    assertThat(summaries)
        .extracting(summary -> summary.metrics().totalRefused())
        .containsExactly(1L, 0L);
    assertThat(log.lines)
        .containsSubsequence(
            "10: OPEN by FAILURE_RATE",
            "call 5 refused by OPEN",
            "call 6 admitted by CLOSED",
            "2000: HALF_OPEN by WAIT_ELAPSED");
  }

  @Test
  void a_breaker_is_there_from_its_first_call_on() throws IOException {
    List<ReplaySummary> summaries = Replay.runByKey(config, trace(ROWS), new Log());
    assertThat(summaries)
        .extracting(ReplaySummary::length)
        .containsExactly(Duration.ofMillis(2_000), Duration.ofMillis(1_995));
  }

  @Test
  void each_may_have_settings_of_its_own() throws IOException {
    CircuitBreakerConfig patient =
        config.with(builder -> builder.slidingWindowSize(10).minimumNumberOfCalls(10));

    List<ReplaySummary> summaries =
        Replay.runByKey(key -> key.equals("a") ? patient : config, trace(ROWS), new Log());

    assertThat(summaries)
        .extracting(summary -> summary.metrics().totalRefused())
        .containsExactly(0L, 0L);
  }

  @Test
  void a_health_check_cannot_be_replayed() {
    CircuitBreakerConfig checked =
        config.with(builder -> builder.healthCheck(() -> CompletableFuture.completedFuture(1)));

    assertThatThrownBy(() -> Replay.runByKey(key -> checked, trace(ROWS), new Log()))
        .hasMessage("healthCheck: set (expected: none, a recorded call cannot answer it)");
  }

  @Test
  void the_text_has_a_table() throws IOException {
    StringWriter out = new StringWriter();
    Replay.runByKey(config, trace(ROWS), ReplayListener.textByKey(out, false));
    assertThat(out)
        .hasToString(
            """
                  0:00.010  OPEN          a: 2 of the last 2 calls failed (100 % >= 100 %), last with 500; waits
                                          1 s
                  0:02.000  HALF_OPEN     a: the wait of 1 s is over
                  0:02.000  CLOSED        a: 1 of 1 probe succeeded

            dependency                              calls   failed    refused  would fail  opened  not closed
            a                                           4   66.7 %          1     100.0 %       1      99.5 %
            b                                           3   33.3 %          0           -       0       0.0 %
            """);
  }

  @Test
  void a_long_name_is_cut_at_its_beginning() throws IOException {
    StringWriter out = new StringWriter();
    String name = "arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/inventory";
    Replay.runByKey(config, trace("0,0,ok," + name), ReplayListener.textByKey(out, true));
    assertThat(out.toString())
        .contains("  row 1       " + name + ": admitted by CLOSED: ok after 0 s")
        .contains("\n...789012:targetgroup/inventory             1    0.0 %");
    assertThat(out.toString().lines().skip(1)).allMatch(line -> line.length() <= 100);
  }

  @Test
  void the_json_has_keys_and_a_summary_each() throws IOException {
    StringWriter out = new StringWriter();
    Replay.runByKey(config, trace(ROWS), ReplayListener.jsonByKey(out, true));
    assertThat(out.toString().lines())
        .hasSize(7 + 3 + 2)
        .allMatch(line -> line.matches("\\{\"type\":\"\\w+\",\"key\":\"[ab]\",.*}"));
    assertThat(out.toString().lines().skip(10))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("{\"type\":\"summary\",\"key\":\"a\",\"calls\":4,"),
            line ->
                assertThat(line).startsWith("{\"type\":\"summary\",\"key\":\"b\",\"calls\":3,"));
  }

  @Test
  void no_calls_have_no_summaries() throws IOException {
    assertThat(Replay.runByKey(config, trace(), new Log())).isEmpty();
  }

  @Test
  void keys_without_end_are_refused() {
    String[] rows = new String[Replay.MAX_KEYS + 1];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = i + ",0,ok,id-" + i;
    }
    assertThatThrownBy(() -> Replay.runByKey(config, trace(rows), new Log()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "key: more than 1000 dependencies, the last id-1000 (expected: a key with fewer"
                + " values)");
  }

  @Test
  void calls_with_keys_are_not_those_of_one_dependency() {
    assertThatThrownBy(() -> Replay.run(config, trace(ROWS), new Log()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("trace: calls with a key (expected: none with one, or runByKey)");
  }

  private static Trace trace(String... rows) throws IOException {
    String text = "at,duration,outcome,key\n" + String.join("\n", rows);
    return new CsvTrace("calls.csv", new StringReader(text), "key");
  }
}
