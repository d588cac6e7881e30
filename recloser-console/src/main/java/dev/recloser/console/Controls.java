package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import dev.recloser.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lets those control breakers who may, and writes down what they did. Thread-safe. */
final class Controls {
  private static final long REFUSALS_APART = Duration.ofSeconds(10).toNanos();
  private static final System.Logger LOG = System.getLogger(Console.class.getName());

  private final @Nullable Function<? super ConsoleRequest, @Nullable String> operators;
  private final boolean byToken;
  private final Ticker ticker;
  private final Actions actions = new Actions();

  // Guarded by this.
  private @Nullable Long refusalLoggedAt;
  private long refusalsUntold;

  Controls(ConsoleSettings settings, Ticker ticker) {
    operators = settings.operators;
    byToken = settings.token != null;
    this.ticker = ticker;
  }

  boolean areOn() {
    return operators != null;
  }

  /** Who sends a request; null for nobody who may control anything. */
  @Nullable String user(ConsoleRequest request) {
    if (operators == null) {
      return null;
    }
    try {
      String user = operators.apply(request);
      return user == null ? null : Text.onOneLine(user);
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.WARNING, "What says who may control breakers threw", e);
      return null;
    }
  }

  /** Whoever may not is told so before anything that was sent is looked at. */
  String checkUser(ConsoleRequest request) {
    if (operators == null) {
      throw Problem.forbidden("controls: off (expected: controls() in the settings)");
    }
    String user = user(request);
    if (user == null && byToken) {
      throw Problem.of(
              401, "Unauthorized", "Authorization: no valid token (expected: Bearer TOKEN)")
          .with("WWW-Authenticate", "Bearer realm=\"recloser\"");
    }
    if (user == null) {
      throw Problem.forbidden("user: unknown, or may not control breakers");
    }
    return user;
  }

  /** Does it, and writes it down; also where user code throws, for it may be done all the same. */
  void run(CircuitBreaker breaker, Command command, String user) {
    CircuitBreaker.State before = breaker.state();
    try {
      command.control().apply(breaker, command.expiry());
    } catch (Problem e) {
      throw e; // Refused, and told of elsewhere.
    } catch (RuntimeException | Error e) {
      log(System.Logger.Level.WARNING, breaker, before, command, user, "; it threw " + e);
      throw e;
    }
    actions.add(
        new Actions.Action(
            breaker.name(),
            user,
            command.control(),
            command.reason(),
            command.expiry(),
            ticker.nanoTime()));
    log(System.Logger.Level.INFO, breaker, before, command, user, "");
  }

  private static void log(
      System.Logger.Level level,
      CircuitBreaker breaker,
      CircuitBreaker.State before,
      Command command,
      String user,
      String thrown) {
    LOG.log(
        level,
        "console: {0} asked for {1} of {2}, which was {3}{4}: {5}{6}",
        Text.onOneLine(user),
        command.control().word(),
        Text.onOneLine(breaker.name()),
        before,
        lasting(command),
        command.reason(),
        Text.onOneLine(thrown));
  }

  /**
   * Writes down a command that was refused. Anybody may send such, so there is a line for the first
   * of a while only, which says how many there were before.
   */
  void refused(String breaker, Problem problem) {
    long before;
    synchronized (this) {
      long now = ticker.nanoTime();
      if (refusalLoggedAt != null && now - refusalLoggedAt < REFUSALS_APART) {
        refusalsUntold++;
        return;
      }
      before = refusalsUntold;
      refusalsUntold = 0;
      refusalLoggedAt = now;
    }
    LOG.log(
        System.Logger.Level.WARNING,
        "console: a command for {0} was refused with {1}: {2} (and {3} before it)",
        Text.onOneLine(breaker),
        Integer.toString(problem.status()),
        Text.onOneLine(String.valueOf(problem.getMessage())),
        Long.toString(before));
  }

  private static String lasting(Command command) {
    if (!command.control().lasts()) {
      return "";
    }
    Duration expiry = command.expiry();
    return expiry == null ? ", until changed" : ", for " + expiry.toSeconds() + " s";
  }

  List<Actions.Action> actions(String breaker) {
    return actions.of(breaker);
  }
}
