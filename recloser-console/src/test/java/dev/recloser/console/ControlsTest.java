package dev.recloser.console;

import static dev.recloser.console.Requests.command;
import static dev.recloser.console.Requests.get;
import static dev.recloser.console.Requests.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Policies;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what to a breaker, and what is written down about it. */
final class ControlsTest {
  private static final String CONTROL = "/api/breakers/inventory/control";
  private static final String RESET = "{\"action\":\"reset\",\"reason\":\"drill\"}";

  private final FakeTime time = FakeTime.create();
  private final Policies policies = Policies.create();
  private final CircuitBreaker inventory =
      policies
          .circuitBreakers()
          .circuitBreaker(
              "inventory", CircuitBreakerConfig.of(config -> config.ticker(time).scheduler(time)));

  @ParameterizedTest
  @CsvSource({
    "force-open, FORCED_OPEN",
    "disable, DISABLED",
    "metrics-only, METRICS_ONLY",
    "probe, HALF_OPEN",
    "reset, CLOSED"
  })
  void a_command_is_done_and_answered_with_what_came_of_it(String action, State state) {
    inventory.transitionTo(State.OPEN);
    ConsoleAnswer answer = panelOf("alice").answer(command(CONTROL, body(action, "")));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(json(answer).get("state").asString()).isEqualTo(state.name());
    assertThat(inventory.state()).isEqualTo(state);
    assertThat(inventory.snapshot().remaining()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"force-open, FORCED_OPEN", "disable, DISABLED", "metrics-only, METRICS_ONLY"})
  void what_lasts_may_be_given_an_end(String action, State state) {
    panelOf("alice").answer(command(CONTROL, body(action, ",\"expirySeconds\":600")));
    assertThat(inventory.state()).isEqualTo(state);
    assertThat(inventory.snapshot().remaining()).isEqualTo(Duration.ofMinutes(10));
    time.advance(Duration.ofMinutes(10));
    assertThat(inventory.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void nobody_may_by_default() {
    ConsoleHandler panel = ConsoleHandler.create(policies);
    ConsoleAnswer answer = panel.answer(command(CONTROL, RESET));
    assertThat(answer.status()).isEqualTo(403);
    assertThat(json(answer).get("detail").asString()).startsWith("controls: off");
    assertThat(json(panel.answer(get("/api/console"))).get("controls").asBoolean()).isFalse();
    assertThat(panel.token()).isEmpty();
  }

  @Test
  void who_has_the_token_may() {
    ConsoleHandler panel = ConsoleHandler.create(policies, ConsoleSettings::controls);
    String token = panel.token().orElseThrow();
    assertThat(token).hasSizeGreaterThan(40);
    inventory.transitionTo(State.FORCED_OPEN);
    ConsoleAnswer answer =
        panel.answer(command(CONTROL, RESET, "Authorization", "bearer " + token));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(inventory.state()).isEqualTo(State.CLOSED);
    ConsoleAnswer console = panel.answer(get("/api/console", "Authorization", "Bearer " + token));
    assertThat(json(console).get("user").asString()).isEqualTo("token");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Bearer", "Bearer ", "Bearer wrong", "Basic TOKEN", "TOKEN", "Bearer TOKENx"})
  void who_has_not_may_not(String authorization) {
    ConsoleHandler panel = ConsoleHandler.create(policies, ConsoleSettings::controls);
    String sent = authorization.replace("TOKEN", panel.token().orElseThrow());
    inventory.transitionTo(State.FORCED_OPEN);
    ConsoleAnswer answer = panel.answer(command(CONTROL, RESET, "Authorization", sent));
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.headers()).containsKey("WWW-Authenticate");
    assertThat(inventory.state()).isEqualTo(State.FORCED_OPEN);
  }

  @Test
  void each_panel_has_a_token_of_its_own() {
    assertThat(ConsoleHandler.create(policies, ConsoleSettings::controls).token())
        .isNotEqualTo(ConsoleHandler.create(policies, ConsoleSettings::controls).token());
  }

  @Test
  void an_application_that_knows_nobody_or_throws_lets_nobody() {
    inventory.transitionTo(State.FORCED_OPEN);
    ConsoleHandler nobody = ConsoleHandler.create(policies, s -> s.controls(request -> null));
    ConsoleHandler throwing =
        ConsoleHandler.create(
            policies,
            s ->
                s.controls(
                    request -> {
                      throw new IllegalStateException("no session");
                    }));
    assertThat(nobody.answer(command(CONTROL, RESET)).status()).isEqualTo(403);
    List<String> log = logged(() -> throwing.answer(command(CONTROL, RESET)).close());
    assertThat(log).hasSize(2);
    assertThat(log.get(0)).contains("who may control breakers threw");
    assertThat(log.get(1))
        .contains("a command for inventory was refused with 403: user: unknown")
        .contains("(and 0 before it)");
    assertThat(inventory.state()).isEqualTo(State.FORCED_OPEN);
  }

  @Test
  void of_many_refused_commands_the_log_has_the_first() {
    ConsoleHandler nobody = ConsoleHandler.create(policies, s -> s.controls(request -> null));
    List<String> log =
        logged(
            () -> {
              for (int i = 0; i < 100; i++) {
                nobody.answer(command(CONTROL, RESET)).close();
              }
            });
    assertThat(log).hasSize(1);
  }

  @Test
  void a_command_is_one_line_of_the_log_whatever_a_user_is_called() {
    List<String> log =
        logged(
            () ->
                panelOf("al\nice")
                    .answer(command(CONTROL, body("disable", ",\"expirySeconds\":60")))
                    .close());
    assertThat(log)
        .containsExactly(
            "console: al ice asked for disable of inventory, which was CLOSED, for 60 s: drill");
  }

  @Test
  void a_command_that_throws_is_written_down_for_it_may_be_done() {
    AtomicBoolean broken = new AtomicBoolean();
    policies
        .circuitBreakers()
        .circuitBreaker(
            "b", CircuitBreakerConfig.of(config -> config.ticker(() -> nanoTime(broken))));
    ConsoleHandler panel = panelOf("alice");
    broken.set(true);

    List<String> log =
        logged(() -> panel.answer(command("/api/breakers/b/control", RESET)).close());

    assertThat(log)
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("console: alice asked for reset of b, which was CLOSED: drill")
                    .contains("it threw", "no clock"));
  }

  private static long nanoTime(AtomicBoolean broken) {
    if (broken.get()) {
      throw new IllegalStateException("no clock");
    }
    return 0;
  }

  @Test
  void the_page_knows_who_did_what_and_why() {
    ConsoleHandler panel = panelOf("alice");
    panel.answer(command(CONTROL, body("disable", ",\"expirySeconds\":60"))).close();
    var action = json(panel.answer(get("/api/breakers/inventory"))).get("actions").get(0);
    assertThat(action.get("user").asString()).isEqualTo("alice");
    assertThat(action.get("action").asString()).isEqualTo("disable");
    assertThat(action.get("reason").asString()).isEqualTo("drill");
    assertThat(action.get("expiryMillis").asDouble()).isEqualTo(60_000);
  }

  private ConsoleHandler panelOf(String user) {
    return ConsoleHandler.create(policies, settings -> settings.controls(request -> user));
  }

  private static String body(String action, String more) {
    return "{\"action\":\"" + action + "\",\"reason\":\"drill\"" + more + "}";
  }

  private static List<String> logged(Runnable action) {
    List<String> lines = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            lines.add(new SimpleFormatter().formatMessage(record));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(Console.class.getName());
    logger.addHandler(handler);
    try {
      action.run();
    } finally {
      logger.removeHandler(handler);
    }
    return lines;
  }
}
