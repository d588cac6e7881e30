package dev.recloser.console;

import static dev.recloser.console.Requests.breaker;
import static dev.recloser.console.Requests.get;
import static dev.recloser.console.Requests.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Policies;
import dev.recloser.Ticker;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** All there is, as a file. */
final class ExportTest {
  private static final Instant NOW = Instant.parse("2024-02-29T23:59:58Z");

  private final Policies policies = Policies.create();
  private final ConsoleHandler panel =
      new ConsoleHandler(
          policies, ConsoleHandler.with(settings -> settings.clock = () -> NOW), Ticker.system());

  @Test
  void everything_is_there_by_name() {
    breaker(policies, "b").transitionTo(State.OPEN);
    Requests.succeed(breaker(policies, "a"), 3);
    policies.retries().retry("a").run(() -> {});

    ConsoleAnswer answer = panel.answer(get("/api/export"));
    assertThat(answer.headers())
        .containsEntry("Content-Type", "application/json")
        .containsEntry(
            "Content-Disposition", "attachment; filename=\"recloser-20240229T235958Z.json\"");
    JsonNode all = json(answer);
    assertThat(all.get("exportedAt").asString()).isEqualTo("2024-02-29T23:59:58Z");
    assertThat(all.at("/console/title").asString()).isEqualTo("Recloser");
    assertThat(all.at("/breakers/0/counts/succeeded").asInt()).isEqualTo(3);
    assertThat(all.at("/breakers/0/policies/0/now/attemptsPerCall").asDouble()).isEqualTo(1);
    assertThat(all.at("/breakers/1/timeline/changes/0/to").asString()).isEqualTo("OPEN");
    assertThat(all.at("/breakers/1/openedLastHour").asInt()).isEqualTo(1);
    assertThat(all.at("/policies/policies/0/kind").asString()).isEqualTo("retry");
    assertThat(all.get("unreadable")).isEmpty();
  }

  @Test
  void a_breaker_that_cannot_be_read_is_named_and_the_others_are_there() {
    AtomicBoolean broken = new AtomicBoolean();
    Ticker ticker =
        () -> {
          if (broken.get()) {
            throw new NoClassDefFoundError("no time");
          }
          return 0;
        };
    var unused =
        policies
            .circuitBreakers()
            .circuitBreaker("b", CircuitBreakerConfig.of(c -> c.ticker(ticker)));
    breaker(policies, "a").reset();
    breaker(policies, "c").reset();
    broken.set(true);

    JsonNode all = json(panel.answer(get("/api/export")));
    assertThat(all.get("breakers").findValuesAsString("explain")).hasSize(2);
    assertThat(all.at("/unreadable/0/name").asString()).isEqualTo("b");
    assertThat(all.at("/unreadable/0/fault").asString()).endsWith("no time");
  }

  @Test
  void it_costs_calls_nothing() {
    breaker(policies, "a").reset();
    JsonNode before = json(panel.answer(get("/api/export")));
    Requests.succeed(breaker(policies, "a"), 1);
    assertThat(before.at("/breakers/0/latency").isNull()).isTrue();
    assertThat(json(panel.answer(get("/api/export"))).at("/breakers/0/latency").isNull()).isTrue();
  }

  @Test
  void it_is_written_as_it_is_read_and_a_reader_who_goes_ends_it() {
    for (int i = 0; i < 200; i++) {
      breaker(policies, "breaker-" + i).reset();
    }
    AtomicInteger written = new AtomicInteger();
    OutputStream goes =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new AssertionError("one by one");
          }

          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            if (written.addAndGet(length) > 20_000) {
              throw new IOException("gone");
            }
          }
        };
    ConsoleAnswer answer = panel.answer(get("/api/export"));
    assertThat(answer.length()).isEqualTo(-1);
    assertThatThrownBy(() -> answer.writeTo(goes))
        .isInstanceOf(IOException.class)
        .hasMessage("gone");
    assertThat(written.get()).isLessThan(60_000);
  }
}
