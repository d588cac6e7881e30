package dev.recloser.jdk;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.PolicySource;
import dev.recloser.WindowSnapshot;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A line in the log for each transition, in pairs of key and value that tools can take apart.
 *
 * <pre>{@code
 * TransitionLog log = TransitionLog.of(policies, System.getLogger("breakers"));
 * }</pre>
 *
 * <p>Such a line is
 *
 * <pre>
 * event=transition breaker=inventory from=CLOSED to=OPEN cause=FAILURE_RATE calls=20 failure_rate=60.0
 *   slow_call_rate=0.0 wait_ms=30000 openings=1 reason="12 of the last 20 calls failed (60 % >= 50 %)"
 * </pre>
 *
 * in one. Openings are warnings, the rest is information. Rates without calls are left out, and so
 * is a wait without a limit. Values with spaces, quotes or {@code =} in them are quoted, with a
 * backslash before quotes and backslashes; a control character or a separator of lines becomes a
 * space.
 *
 * <p>Thread-safe.
 */
public final class TransitionLog implements AutoCloseable {
  private final System.Logger logger;
  private final Cancellable following;

  private TransitionLog(PolicySource<?> policies, System.Logger logger) {
    this.logger = logger;
    following =
        policies
            .only(CircuitBreaker.class)
            .follow(breaker -> breaker.on(StateTransition.class, this::log));
  }

  /**
   * Starts to log the transitions of circuit breakers, those made later included.
   *
   * @param policies the breakers, and others that are left alone: a registry, or those of files
   * @param logger where the lines go
   */
  public static TransitionLog of(PolicySource<?> policies, System.Logger logger) {
    return new TransitionLog(policies, Objects.requireNonNull(logger, "logger"));
  }

  /** Logs no more. */
  @Override
  public void close() {
    following.cancel();
  }

  private void log(StateTransition transition) {
    logger.log(transition.to() == State.OPEN ? Level.WARNING : Level.INFO, () -> line(transition));
  }

  static String line(StateTransition transition) {
    WindowSnapshot window = transition.window();
    StringBuilder line = new StringBuilder("event=transition");
    add(line, "breaker", transition.policy());
    add(line, "from", transition.from().name());
    add(line, "to", transition.to().name());
    add(line, "cause", transition.cause().name());
    add(line, "calls", Integer.toString(window.calls()));
    add(line, "failure_rate", percent(window.failureRate()));
    add(line, "slow_call_rate", percent(window.slowCallRate()));
    add(line, "wait_ms", millis(transition.waitDuration()));
    add(line, "openings", Integer.toString(transition.openings()));
    add(line, "reason", transition.reason());
    return line.toString();
  }

  private static @Nullable String percent(double rate) {
    return Double.isNaN(rate) ? null : String.format(Locale.ROOT, "%.1f", rate);
  }

  private static @Nullable String millis(@Nullable Duration duration) {
    return duration == null ? null : Long.toString(duration.toMillis());
  }

  private static void add(StringBuilder line, String key, @Nullable String value) {
    if (value != null) {
      line.append(' ').append(key).append('=').append(quotedIfNeeded(value));
    }
  }

  /** A name can be anything: it must not be able to look like another line, or another pair. */
  private static String quotedIfNeeded(String value) {
    boolean plain =
        !value.isEmpty() && value.chars().noneMatch(c -> endsLine(c) || " =\"\\".indexOf(c) >= 0);
    if (plain) {
      return value;
    }
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\');
      }
      quoted.append(endsLine(c) ? ' ' : c);
    }
    return quoted.append('"').toString();
  }

  /** Control characters, and what Unicode has for the ends of lines and paragraphs. */
  private static boolean endsLine(int c) {
    return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
  }
}
