package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operator can do to a breaker. */
enum Control {
  FORCE_OPEN("force-open", State.FORCED_OPEN, true),
  DISABLE("disable", State.DISABLED, true),
  METRICS_ONLY("metrics-only", State.METRICS_ONLY, true),
  PROBE("probe", State.HALF_OPEN, false),
  RESET("reset", State.CLOSED, false);

  private final String word;
  private final State target;
  private final boolean lasts;

  Control(String word, State target, boolean lasts) {
    this.word = word;
    this.target = target;
    this.lasts = lasts;
  }

  String word() {
    return word;
  }

  /** Whether it leads to a state that stays until changed, and so may be given an end. */
  boolean lasts() {
    return lasts;
  }

  static @Nullable Control of(@Nullable String word) {
    return Arrays.stream(values())
        .filter(control -> control.word.equals(word))
        .findFirst()
        .orElse(null);
  }

  static List<String> words() {
    return Arrays.stream(values()).map(Control::word).toList();
  }

  /** Does it. To probe is for breakers that refuse calls: it would make others refuse them. */
  void apply(CircuitBreaker breaker, @Nullable Duration expiry) {
    State state = breaker.state();
    if (this == PROBE && state != State.OPEN && state != State.FORCED_OPEN) {
      throw Problem.of(
          409, "Conflict", "state: " + state + " (expected: OPEN or FORCED_OPEN, to probe)");
    }
    if (this == RESET) {
      breaker.reset();
    } else if (expiry == null) {
      breaker.transitionTo(target);
    } else {
      breaker.transitionTo(target, expiry);
    }
  }
}
