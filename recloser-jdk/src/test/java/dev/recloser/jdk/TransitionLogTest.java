package dev.recloser.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerRegistry;
import java.io.IOException;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class TransitionLogTest {
  private final CircuitBreakerRegistry breakers =
      CircuitBreakerRegistry.create(
          registry ->
              registry.defaultConfig(
                  config ->
                      config
                          .slidingWindowSize(2)
                          .minimumNumberOfCalls(2)
                          .waitDurationInOpenState(Duration.ofSeconds(30))));

  private final Lines lines = new Lines();

  @Test
  void a_transition_is_a_line_of_keys_and_values() {
    CircuitBreaker inventory = breakers.circuitBreaker("inventory");
    TransitionLog.of(breakers, lines);

    inventory.acquire().complete("in stock");
    inventory.acquire().fail(new IOException("reset"));
    inventory.transitionTo(State.DISABLED);

    assertThat(lines.logged)
        .containsExactly(
            "WARNING event=transition breaker=inventory from=CLOSED to=OPEN cause=FAILURE_RATE"
                + " calls=2 failure_rate=50.0 slow_call_rate=0.0 wait_ms=30000 openings=1"
                + " reason=\"1 of the last 2 calls failed (50 % >= 50 %), last with IOException\"",
            "INFO event=transition breaker=inventory from=OPEN to=DISABLED cause=OPERATOR"
                + " calls=2 failure_rate=50.0 slow_call_rate=0.0 openings=0"
                + " reason=\"set by an operator\"");
  }

  @Test
  void a_name_cannot_look_like_another_pair_or_line() {
    TransitionLog.of(breakers, lines);

    breakers.circuitBreaker("a b=\"c\"\nevent=none\\").transitionTo(State.DISABLED);
    breakers.circuitBreaker("a\u2028event").transitionTo(State.DISABLED);

    assertThat(lines.logged).hasSize(2);
    assertThat(lines.logged.get(0))
        .startsWith("INFO event=transition breaker=\"a b=\\\"c\\\" event=none\\\\\" from=CLOSED ")
        .doesNotContain("\n");
    assertThat(lines.logged.get(1)).startsWith("INFO event=transition breaker=\"a event\" from=");
  }

  @Test
  void removed_breakers_and_a_closed_log_are_silent() {
    CircuitBreaker removed = breakers.circuitBreaker("removed");
    CircuitBreaker stays = breakers.circuitBreaker("stays");
    TransitionLog log = TransitionLog.of(breakers, lines);

    breakers.remove("removed");
    removed.transitionTo(State.DISABLED);
    log.close();
    stays.transitionTo(State.DISABLED);

    assertThat(lines.logged).isEmpty();
  }

  /** Keeps what it is given. */
  private static final class Lines implements System.Logger {
    final List<String> logged = new ArrayList<>();

    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      logged.add(level + " " + message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      logged.add(level + " " + MessageFormat.format(format, parameters));
    }
  }
}
