package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a call again while it still goes on, when it takes longer than most do, and takes the
 * answer that comes first: a slow replica or a lost packet then costs a delay and not a time-out.
 *
 * <pre>{@code
 * Hedge hedge = Hedge.create("inventory", config -> config
 *     .idempotent(true)
 *     .delayPercentile(95));
 *
 * Stock stock = hedge.call(() -> client.stock(sku));
 * }</pre>
 *
 * <p>The first attempt that succeeds is the answer; the others are cancelled: a plain call's thread
 * is interrupted, a stage is cancelled. An attempt that fails ends the call only if no other goes
 * on: the caller then gets its failure with those before as suppressed ones. A {@link JudgedResult}
 * that is a failure is a failed attempt, too, and returned if it is the last. A failure begins no
 * further attempt, for that is what a {@link Retry} is for.
 *
 * <p>Only calls that may be made twice can be hedged, which the settings must declare. Each further
 * attempt is charged to a {@link RetryBudget}, so that a dependency that is slow for everybody sees
 * a share of extra calls and not their double.
 *
 * <p>Plain calls run on threads of an executor while their caller waits; interrupting the caller
 * cancels all attempts, and it gets a {@code CancellationException} with its interrupt flag set.
 *
 * <p>A hedge belongs outside breaker, bulkhead and timeout, which then see each attempt: a
 * cancelled one is {@link Outcome#CANCELLED} for a breaker. The idea is that of "The Tail at Scale"
 * (Dean and Barroso, 2013).
 *
 * <p>Thread-safe.
 */
public final class Hedge extends Policy {
  private volatile HedgeConfig config;
  private final RetryBudget ownBudget;
  private final HedgeDelay delay = new HedgeDelay();
  private final LongAdder hedges = new LongAdder();
  private final LongAdder wonByFirst = new LongAdder();
  private final LongAdder wonByHedge = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder cancelled = new LongAdder();
  private final LongAdder withoutBudget = new LongAdder();

  private Hedge(String name, HedgeConfig config) {
    super(name);
    this.config = config;
    ownBudget = RetryBudget.createDefault(config.ticker);
  }

  /**
   * Makes a hedge.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param settings sets what shall differ from the defaults, and {@code idempotent}
   * @throws IllegalArgumentException when the name is blank
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static Hedge create(String name, Consumer<? super HedgeConfig.Builder> settings) {
    return create(name, HedgeConfig.of(settings));
  }

  /**
   * Makes a hedge.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param config its settings
   * @throws IllegalArgumentException when the name is blank
   * @throws InvalidConfigurationException if it does not declare calls to be idempotent
   */
  public static Hedge create(String name, HedgeConfig config) {
    return new Hedge(name, Objects.requireNonNull(config, "config").checked(name));
  }

  /** Its present settings. */
  public HedgeConfig config() {
    return config;
  }

  /** What it has counted in its whole life, and its present delay. */
  public HedgeMetrics metrics() {
    return new HedgeMetrics(
        hedges.sum(),
        wonByFirst.sum(),
        wonByHedge.sum(),
        failed.sum(),
        cancelled.sum(),
        withoutBudget.sum(),
        Duration.ofNanos(delay.nanos(config)));
  }

  @Override
  public String explain() {
    HedgeMetrics counted = metrics();
    return name
        + " makes a call again after "
        + Text.of(counted.delay())
        + ": "
        + Text.count(counted.hedges(), "hedge")
        + " for "
        + Text.count(counted.calls(), "call")
        + ", "
        + counted.wonByHedge()
        + " of which came first; "
        + counted.withoutBudget()
        + " not made for want of budget.";
  }

  /**
   * Changes settings of the living hedge, for the calls that begin after that. What was counted and
   * measured, and the budget of its own, stay.
   *
   * @param settings sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @throws InvalidConfigurationException when settings are wrong, or the ticker is another one;
   *     changes nothing
   */
  public void reconfigure(Consumer<? super HedgeConfig.Builder> settings) {
    changeSettings(this::config, before -> before.with(settings), this::replace);
  }

  /**
   * Changes the settings of the living hedge to these, as {@link #reconfigure(Consumer)} does.
   *
   * @param config the new settings, with the same ticker
   * @throws InvalidConfigurationException when the ticker is another one; changes nothing
   */
  public void reconfigure(HedgeConfig config) {
    Objects.requireNonNull(config, "config").checked(name);
    changeSettings(this::config, before -> config, this::replace);
  }

  @Override
  <T extends @Nullable Object> T around(Invocation<T> invocation, int inside) throws Throwable {
    budget(config).deposit();
    Hop hop = invocation.hop();
    Executor executor = config.callExecutor();
    return Work.await(
        new HedgedStage<T>(
                this,
                invocation,
                attempt -> Work.start(this, hop, () -> attempt.proceed(inside), executor, () -> {}))
            .start());
  }

  @Override
  <T extends @Nullable Object> CompletableFuture<T> aroundAsync(
      Invocation<T> invocation, int inside) {
    budget(config).deposit();
    return new HedgedStage<T>(this, invocation, attempt -> attempt.proceedAsync(inside)).start();
  }

  @Override
  String describe() {
    return "hedge " + name + " " + config;
  }

  /** Whether its own budget is as if it had never been charged. */
  boolean hasWholeBudget() {
    return ownBudget.isUncharged();
  }

  long delayNanos(HedgeConfig with) {
    return delay.nanos(with);
  }

  /** Takes how long the first attempt of a call took that began then. */
  void measured(long startedAt, HedgeConfig with) {
    if (!with.followsCalls()) {
      return;
    }
    try {
      delay.add(with.ticker.nanoTime() - startedAt, with);
    } catch (Throwable e) {
      userCodeFailed("ticker", e); // One measurement less.
    }
  }

  /** Charges a further attempt, if the budget allows it. */
  boolean mayHedge(HedgeConfig with) {
    if (isAllowed(budget(with))) {
      return true;
    }
    withoutBudget.increment();
    return false;
  }

  private boolean isAllowed(RetryBudget budget) {
    try {
      return budget.withdraw();
    } catch (Throwable brokenTicker) {
      userCodeFailed("budget", brokenTicker);
      return false;
    }
  }

  void countHedge(int attempt, long delayNanos) {
    hedges.increment();
    if (listeners.want(HedgeEvent.Hedged.class)) {
      listeners.deliver(new HedgeEvent.Hedged(name, attempt, Duration.ofNanos(delayNanos)));
    }
  }

  void countWon(int attempt) {
    (attempt == 1 ? wonByFirst : wonByHedge).increment();
    if (attempt > 1 && listeners.want(HedgeEvent.Won.class)) {
      listeners.deliver(new HedgeEvent.Won(name, attempt));
    }
  }

  void countFailed() {
    failed.increment();
  }

  void countGivenUp() {
    cancelled.increment();
  }

  private RetryBudget budget(HedgeConfig with) {
    RetryBudget shared = with.budget();
    return shared == null ? ownBudget : shared;
  }

  @SuppressWarnings("ReferenceEquality") // Is it still the one that the new one was made from?
  private boolean replace(HedgeConfig before, HedgeConfig after) {
    checkSameTicker("hedge", before.ticker, after.ticker);
    synchronized (this) {
      if (config != before) {
        return false;
      }
      config = after;
      delay.reconfigured(after);
    }
    reconfigured(before, after);
    return true;
  }
}
