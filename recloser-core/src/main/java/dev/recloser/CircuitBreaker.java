package dev.recloser;

import dev.recloser.BreakerState.Departure;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.CallRefused;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerEvent.WouldHaveOpened;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stops calls to a dependency while the evidence against it is bad, tests it for recovery with a
 * few of them, and lets traffic back gently.
 *
 * <pre>{@code
 * CircuitBreaker inventory =
 *     CircuitBreaker.create("inventory", config -> config
 *         .slidingWindowSize(20)
 *         .slowCallDurationThreshold(Duration.ofMillis(150))
 *         .waitDurationInOpenState(Duration.ofSeconds(30)));
 *
 * Stock stock = inventory.call(() -> client.stock(sku));
 * }</pre>
 *
 * <p>A call is guarded by {@link #call}, {@link #run}, {@link #callAsync}, through {@link #wrap
 * wrapping} an interface, or by hand with a {@link Permit}. All of them do the same: ask for
 * admission, which may throw {@link CallNotPermittedException}, and report how the call ended.
 *
 * <p>Thread-safe. No call blocks in the breaker, and no user code (classifiers, listeners, wait
 * functions) runs under a lock or can change what a caller gets.
 */
public final class CircuitBreaker extends Policy {
  private static final VarHandle STATE;
  private static final VarHandle CONFIG;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(CircuitBreaker.class, "state", BreakerState.class);
      CONFIG = lookup.findVarHandle(CircuitBreaker.class, "config", CircuitBreakerConfig.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** More than this many at one time come of a wait of zero, and of checks that fail at once. */
  private static final int MAX_MOVES = 8;

  private final Counters counters = new Counters();

  /**
   * The one place where a breaker changes: read once for a call and passed along, replaced by
   * compare-and-set only. Whoever swaps a state in runs what follows from it.
   */
  private volatile BreakerState state;

  private volatile CircuitBreakerConfig config;

  private CircuitBreaker(String name, CircuitBreakerConfig config) {
    super(name);
    this.config = config;
    state = new ClosedState(this, config.ticker.nanoTime());
  }

  /** What a breaker does with calls. */
  public enum State {
    /** Admits calls and watches them. */
    CLOSED,
    /** Refuses calls until its wait is over. */
    OPEN,
    /** Admits a few probes and refuses the rest. */
    HALF_OPEN,
    /** Refuses calls until an operator says otherwise. */
    FORCED_OPEN,
    /** Admits calls without judging them until an operator says otherwise. */
    DISABLED,
    /** Admits calls, judges them, and only says when it would have opened. */
    METRICS_ONLY
  }

  /**
   * Makes a closed breaker with the default settings.
   *
   * @param name what it is called in messages, metrics and events; not blank
   * @throws IllegalArgumentException when the name is blank
   */
  public static CircuitBreaker create(String name) {
    return create(name, CircuitBreakerConfig.defaults());
  }

  /**
   * Makes a closed breaker.
   *
   * @param name what it is called in messages, metrics and events; not blank
   * @param settings sets what shall differ from the defaults
   * @throws IllegalArgumentException when the name is blank
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static CircuitBreaker create(
      String name, Consumer<? super CircuitBreakerConfig.Builder> settings) {
    try {
      return create(name, CircuitBreakerConfig.of(settings));
    } catch (InvalidConfigurationException e) {
      throw new InvalidConfigurationException(name, e.faults());
    }
  }

  /**
   * Makes a closed breaker.
   *
   * @param name what it is called in messages, metrics and events; not blank
   * @param config its settings
   * @throws IllegalArgumentException when the name is blank
   */
  public static CircuitBreaker create(String name, CircuitBreakerConfig config) {
    Names.check(name);
    Objects.requireNonNull(config, "config");
    return new CircuitBreaker(name, config);
  }

  /** Its present settings. */
  public CircuitBreakerConfig config() {
    return config;
  }

  /**
   * Its present state. Reading it changes nothing: an open breaker whose wait is over stays open
   * until the next call or, if enabled, its timer.
   */
  public State state() {
    return state.kind();
  }

  /**
   * Makes a call if it is permitted.
   *
   * @param call the call; what it throws passes through
   * @return what it returned
   * @throws CallNotPermittedException if the call was refused and not made
   * @throws X what the call threw
   */
  @Override
  public <T extends @Nullable Object, X extends Throwable> T call(CheckedSupplier<T, X> call)
      throws X {
    Objects.requireNonNull(call, "call");
    BreakerState current = state;
    CircuitBreakerConfig settings = config;
    long startedAt = startOf(current, settings);
    int slot = current.begin(settings, startedAt);
    if (slot == Stripes.NONE) {
      return callWithPermit(call);
    }
    T result;
    try {
      result = call.get();
    } catch (Throwable thrown) {
      permitFor(current, settings, startedAt, slot).fail(thrown);
      throw thrown;
    }
    returned(current, settings, startedAt, slot, result);
    return result;
  }

  private <T extends @Nullable Object, X extends Throwable> T callWithPermit(
      CheckedSupplier<T, X> call) throws X {
    Permit permit = acquire();
    T result;
    try {
      result = call.get();
    } catch (Throwable thrown) {
      permit.fail(thrown);
      throw thrown;
    }
    permit.complete(result);
    return result;
  }

  /**
   * Makes an asynchronous call if it is permitted; it ends when its stage does.
   *
   * <p>The future that is returned completes after the breaker has counted the result. Completing
   * it from outside (cancelling it, or a time-out put on it) ends the call for the breaker as what
   * it was completed with, and cancels the stage of the call.
   *
   * @param call starts the call; one that throws is a call that failed
   * @return never null; completed with {@link CallNotPermittedException} if the call was refused.
   *     Nothing is ever thrown
   */
  @Override
  public <T extends @Nullable Object> CompletableFuture<T> callAsync(
      Supplier<? extends CompletionStage<T>> call) {
    return super.callAsync(call);
  }

  /**
   * Returns an implementation of an interface that guards every call to another one.
   *
   * <p>As for every policy; and a method that returns a stage of another type than {@code
   * CompletionStage} or {@code CompletableFuture}, or one behind a wider type, ends with that
   * stage.
   *
   * @param type the interface
   * @param target what is called
   * @throws IllegalArgumentException when the type is not an interface, or is sealed or hidden
   */
  @Override
  public <I> I wrap(Class<I> type, I target) {
    return super.wrap(type, target);
  }

  /**
   * Asks for admission.
   *
   * @return a permit that must be completed once; closing it without that means cancelled
   * @throws CallNotPermittedException if the call is refused
   */
  public Permit acquire() {
    return Objects.requireNonNull(ask(/* orThrow= */ true));
  }

  /**
   * Asks for admission, and gets null instead of an exception when the call is refused.
   *
   * @return a permit that must be completed once, closing it without that means cancelled; null if
   *     the call is refused
   */
  public @Nullable Permit tryAcquire() {
    return ask(/* orThrow= */ false);
  }

  /**
   * Puts the breaker into a state. Does nothing if it is in it already, other than to take off the
   * time that a forced state was set for.
   *
   * <p>{@code FORCED_OPEN}, {@code DISABLED} and {@code METRICS_ONLY} stay until changed. {@code
   * OPEN} is the ordinary open state: it waits, then probes. {@code HALF_OPEN} starts a new round
   * of probes, {@code CLOSED} an empty window, without a ramp-up. Results of calls admitted before
   * are late.
   */
  public void transitionTo(State target) {
    transition(Objects.requireNonNull(target, "target"), null);
  }

  /**
   * Puts the breaker into a state for a time, even if it is in it already. A forced state then
   * closes; the open state then probes.
   *
   * @param target {@code FORCED_OPEN}, {@code DISABLED}, {@code METRICS_ONLY} or {@code OPEN}
   * @param duration how long, more than zero
   * @throws IllegalArgumentException when the state does not last, or the duration is not positive
   */
  public void transitionTo(State target, Duration duration) {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(duration, "duration");
    if (target == State.CLOSED || target == State.HALF_OPEN) {
      throw new IllegalArgumentException(
          "duration: "
              + Text.of(duration)
              + " for "
              + target
              + " (expected: none, that state ends by itself)");
    }
    if (duration.isNegative() || duration.isZero() || duration.toDays() > 36_500) {
      throw new IllegalArgumentException(
          "duration: " + Text.of(duration) + " (expected: more than zero, at most 36,500 days)");
    }
    transition(target, duration);
  }

  /**
   * Closes the breaker with an empty window, as if it were new, whatever state it is in. Timers,
   * probes and the growth of the wait are forgotten; results of calls admitted before are late.
   * What was counted stays.
   */
  public void reset() {
    while (!command(TransitionCause.RESET, State.CLOSED, null)) {
      Thread.onSpinWait();
    }
  }

  /**
   * Changes settings of the living breaker. State, counters and the window stay; the window as far
   * as its shape allows: a count window of another size keeps the last calls that fit, one of
   * another type, length or number of slices starts empty. The present wait in the open state, and
   * number, lease and limit of the probes of the present half-open state, stay as they were
   * announced.
   *
   * @param settings sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @throws InvalidConfigurationException when settings are wrong; lists them all, and changes
   *     nothing
   */
  public void reconfigure(Consumer<? super CircuitBreakerConfig.Builder> settings) {
    changeSettings(this::config, before -> before.with(settings), this::replace);
  }

  /**
   * Changes the settings of the living breaker to these, as {@link #reconfigure(Consumer)} does.
   *
   * @param config the new settings, with the same ticker
   * @throws InvalidConfigurationException when the ticker is another one; changes nothing
   */
  public void reconfigure(CircuitBreakerConfig config) {
    Objects.requireNonNull(config, "config");
    changeSettings(this::config, before -> config, this::replace);
  }

  /** What the breaker knows now. Cheap, and consistent for the state it shows. */
  public CircuitBreakerSnapshot snapshot() {
    BreakerState current = state;
    long now = ticker().nanoTime();
    HalfOpenState.View probes =
        current instanceof HalfOpenState halfOpen ? halfOpen.view(now) : null;
    return new CircuitBreakerSnapshot(
        name,
        current.kind(),
        Duration.ofNanos(Math.max(0, now - current.enteredAt)),
        probes == null ? current.findings(now).window() : probes.reported(),
        current.remaining(now),
        probes == null ? 0 : probes.out(),
        probes == null ? 0 : probes.left(),
        current.admittedPercentage(now),
        current.openings(now),
        callsInFlight());
  }

  /** What the breaker has counted in its whole life. */
  public CircuitBreakerMetrics metrics() {
    long now = ticker().nanoTime();
    BreakerState current = state;
    long[] nanos = counters.published(current.nanosByState(current.certainUntil(now)));
    Map<State, Duration> timeInState = new EnumMap<>(State.class);
    for (State kind : State.values()) {
      timeInState.put(kind, Duration.ofNanos(nanos[kind.ordinal()]));
    }
    // The ends are read before the admissions, so that no more calls have ended than began.
    current.count(now);
    long succeeded = counters.ended(Outcome.SUCCESS);
    long failed = counters.ended(Outcome.FAILURE);
    long ignored = counters.ended(Outcome.IGNORED);
    long cancelled = counters.ended(Outcome.CANCELLED);
    return new CircuitBreakerMetrics(
        admittedCalls(),
        succeeded,
        failed,
        ignored,
        cancelled,
        counters.slow(),
        counters.late(),
        counters.refusals(),
        counters.probes(),
        counters.expiredProbes(),
        counters.timesWouldHaveOpened(),
        Collections.unmodifiableMap(current.transitionCounts),
        Collections.unmodifiableMap(timeInState));
  }

  /**
   * What the live window is made of, oldest first: its slices of time, empty ones included, or its
   * calls, one by one. Where there are more than may be, neighbours are put together, as many in
   * each as it takes, but for the oldest, which may be shorter. Empty in states without a window.
   *
   * <p>Takes as long as the window is; meant for people who look at it.
   *
   * @param most how many there may be, at least 1
   * @return immutable
   * @throws IllegalArgumentException when there may be none
   */
  public List<WindowSlice> windowSlices(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("most: " + most + " (expected: at least 1)");
    }
    return List.copyOf(state.slices(ticker().nanoTime(), most));
  }

  /** The last transitions, at most 20, the newest last. Immutable. */
  public List<StateTransition> transitions() {
    return state.history;
  }

  /**
   * Says in one sentence why the breaker is in its state, since when, and what happens next; for
   * people, and not to be parsed.
   */
  @Override
  public String explain() {
    return Explanation.of(state, ticker().nanoTime());
  }

  /** As {@link #call}, written out once more: a closure for it would cost each call an object. */
  @Override
  <T extends @Nullable Object> T around(Invocation<T> invocation, int inside) throws Throwable {
    BreakerState current = state;
    CircuitBreakerConfig settings = config;
    long startedAt = startOf(current, settings);
    int slot = current.begin(settings, startedAt);
    if (slot == Stripes.NONE) {
      return callWithPermit(() -> invocation.proceed(inside));
    }
    T result;
    try {
      result = invocation.proceed(inside);
    } catch (Throwable thrown) {
      permitFor(current, settings, startedAt, slot).fail(thrown);
      throw thrown;
    }
    returned(current, settings, startedAt, slot, result);
    return result;
  }

  @Override
  <T extends @Nullable Object> CompletableFuture<T> aroundAsync(
      Invocation<T> invocation, int inside) {
    Permit permit;
    try {
      permit = acquire();
    } catch (CallNotPermittedException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    return GuardedStage.guard(permit, invocation.proceedAsync(inside));
  }

  @Override
  boolean letsInByHand() {
    return true;
  }

  @Override
  HandEntry enter() {
    Permit permit = acquire();
    return new HandEntry() {
      @Override
      public End end(End end) {
        end.tell(permit);
        return end;
      }

      @Override
      public boolean isProbe() {
        return permit.isProbe();
      }
    };
  }

  @Override
  String describe() {
    return "circuitBreaker " + name + " " + config;
  }

  @Override
  public String toString() {
    return name + " is " + state();
  }

  Ticker ticker() {
    return config.ticker;
  }

  Counters counters() {
    return counters;
  }

  boolean isIn(BreakerState candidate) {
    return state == candidate;
  }

  Outcome classify(@Nullable Object result, @Nullable Throwable thrown) {
    try {
      Outcome outcome =
          config.classifier.classify(result, thrown == null ? null : ExceptionRules.unwrap(thrown));
      return Objects.requireNonNull(outcome, "outcome");
    } catch (Throwable e) {
      userCodeFailed("classifier", e);
      return Outcome.FAILURE;
    }
  }

  /** Reads the clock for {@link BreakerState#begin}, where it needs that. */
  private static long startOf(BreakerState current, CircuitBreakerConfig settings) {
    return settings.slowCallNanos > 0 && current instanceof ClosedState
        ? settings.ticker.nanoTime()
        : 0;
  }

  /** Makes the permit that a call did without so far. */
  private static BreakerPermit permitFor(
      BreakerState issuer, CircuitBreakerConfig settings, long startedAt, int slot) {
    boolean timed = settings.slowCallNanos > 0;
    return new BreakerPermit(issuer, /* probe= */ false, timed, startedAt, slot);
  }

  /** Ends a call without a permit that has returned. */
  @SuppressWarnings("ReferenceEquality") // This very object, whatever it is equal to.
  private void returned(
      BreakerState issuer,
      CircuitBreakerConfig settings,
      long startedAt,
      int slot,
      @Nullable Object result) {
    if (config != settings || result instanceof JudgedResult) {
      permitFor(issuer, settings, startedAt, slot).complete(result);
      return;
    }
    boolean timed = settings.slowCallNanos > 0;
    boolean reading = timed || settings.timeBased;
    long now = reading ? endOf(timed ? startedAt : issuer.enteredAt) : 0;
    Throwable judged = Scope.judged(null);
    Outcome outcome =
        judged == null && !settings.judgesResults ? Outcome.SUCCESS : classify(result, judged);
    if (outcome != Outcome.SUCCESS
        || listeners.want(CallFinished.class)
        || !issuer.succeed(settings, slot, timed, now, now - startedAt)) {
      permitFor(issuer, settings, startedAt, slot).conclude(reading, now, outcome, result, judged);
    }
  }

  /** Runs when the alarm of a state rings. */
  void wake(BreakerState ringing) {
    if (state != ringing) {
      return;
    }
    long now = ticker().nanoTime();
    BreakerState due = ringing.dueByTimer(now);
    if (due != null) {
      enter(ringing, due);
      return;
    }
    ringing.onAlarm(now);
    ringing.alarm.set(ringing.alarmAt(now), now);
  }

  void wouldHaveOpened(TransitionCause cause, Findings findings) {
    counters.wouldHaveOpened();
    if (listeners.want(WouldHaveOpened.class)) {
      String reason = Reasons.opening(cause, findings, config);
      listeners.deliver(new WouldHaveOpened(name, cause, reason, findings.window()));
    }
  }

  /**
   * When the breaker was last of use: when it closed, or, where calls are timed, when one last
   * began or ended; null if it is not at rest, that is closed and without a call in flight.
   */
  @Nullable Long atRestSince() {
    return state instanceof ClosedState closed && callsInFlight() == 0
        ? (Long) closed.lastUse()
        : null;
  }

  private long callsInFlight() {
    return ofPresentState(BreakerState::callsInFlight);
  }

  long admittedCalls() {
    return ofPresentState(BreakerState::admittedCalls);
  }

  /**
   * Asks the present state for what it counts together with the breaker. One that has been left
   * meanwhile has handed its part on, before its successor was there to be read.
   */
  private long ofPresentState(ToLongFunction<BreakerState> count) {
    BreakerState current = state;
    long number = count.applyAsLong(current);
    while (state != current) {
      current = state;
      number = count.applyAsLong(current);
    }
    return number;
  }

  private @Nullable Permit ask(boolean orThrow) {
    if (state instanceof OpenState open) { // The short way, for those who come in crowds.
      long now = ticker().nanoTime();
      return open.isWaiting(now)
          ? refused(open, now, orThrow)
          : ask(/* wasRead= */ true, now, orThrow);
    }
    return ask(/* wasRead= */ false, /* reading= */ 0, orThrow);
  }

  /**
   * What is due is followed at one reading of the clock, and so comes to an end, however long the
   * listeners take that run on the way. Only a call that is then admitted begins later.
   */
  private @Nullable Permit ask(boolean wasRead, long reading, boolean orThrow) {
    boolean read = wasRead;
    long now = reading;
    for (int moves = 0; ; ) {
      BreakerState current = state;
      boolean timed = current.isTimed();
      if (timed && !read) {
        now = ticker().nanoTime();
        read = true;
      }
      BreakerState due = timed && moves < MAX_MOVES ? current.due(now) : null;
      if (due != null) {
        enter(current, due);
        moves++;
        continue;
      }
      BreakerPermit permit = current.admit(timed && moves > 0 ? ticker().nanoTime() : now, timed);
      if (permit != null) {
        if (permit.slot == Stripes.NONE) {
          counters.admitted(1);
        }
        return permit;
      }
      if (state == current) {
        return refused(current, now, orThrow);
      }
    }
  }

  private @Nullable Permit refused(BreakerState refusing, long now, boolean orThrow) {
    RefusalReason reason = refusing.refusal();
    counters.refused(reason);
    if (listeners.want(CallRefused.class)) {
      listeners.deliver(new CallRefused(name, reason));
    }
    if (orThrow) {
      throw refusal(refusing, now);
    }
    return null;
  }

  private CallNotPermittedException refusal(BreakerState refusing, long now) {
    Duration remaining =
        refusing.refusal() == RefusalReason.HALF_OPEN ? null : refusing.remaining(now);
    return new CallNotPermittedException(
        name,
        refusing.kind(),
        refusing.refusal(),
        refusing.transition == null ? null : refusing.transition.reason(),
        remaining == null ? CallNotPermittedException.UNKNOWN : remaining.toNanos(),
        config.writableStackTraceEnabled());
  }

  /**
   * Reads the clock at the end of a call; one that breaks costs neither the call its place nor the
   * caller what it gets.
   *
   * @param otherwise a moment that is not after the present
   */
  long endOf(long otherwise) {
    try {
      return ticker().nanoTime();
    } catch (Throwable e) {
      userCodeFailed("ticker", e);
      return otherwise;
    }
  }

  /** Takes the end of a call to the state that admitted it, and does what follows from it. */
  void settle(BreakerPermit permit, Result result, @Nullable Throwable thrown) {
    Settlement settlement = Settlement.LATE;
    try {
      settlement = permit.issuer.settle(permit, result);
    } finally {
      counters.ended(result.outcome(), result.slow(), settlement.late(), permit.probe);
    }
    BreakerState successor = settlement.successor();
    BreakerState entered = successor != null && swap(permit.issuer, successor) ? successor : null;
    if (entered != null) {
      changeTimers(permit.issuer, entered);
    }
    if (listeners.want(CallFinished.class)) {
      listeners.deliver(
          new CallFinished(
              name,
              result.outcome(),
              result.slow(),
              settlement.late(),
              permit.probe,
              result.duration(),
              thrown));
    }
    if (entered != null) {
      tell(entered);
    }
  }

  /** How long the dependency asks to be left alone with this failure; 0 for not. */
  long retryAfterNanos(@Nullable Object result, @Nullable Throwable thrown) {
    CircuitBreakerConfig settings = config;
    try {
      return RetryAfter.nanos(
          settings.retryAfter(),
          result,
          thrown == null ? null : ExceptionRules.unwrap(thrown),
          settings.maxWaitNanos);
    } catch (Throwable e) {
      userCodeFailed("retryAfter", e);
      return 0;
    }
  }

  private void transition(State target, @Nullable Duration duration) {
    while (!command(TransitionCause.OPERATOR, target, duration)) {
      Thread.onSpinWait();
    }
  }

  /** Tries once to do what somebody said; false if something else happened first. */
  private boolean command(TransitionCause cause, State target, @Nullable Duration duration) {
    BreakerState current = state;
    long now = ticker().nanoTime();
    BreakerState expired = current.expired(now);
    if (expired != null) {
      enter(current, expired);
      return false;
    }
    if (cause == TransitionCause.OPERATOR && duration == null && current.isLasting(target)) {
      return true;
    }
    String reason = cause == TransitionCause.RESET ? "reset" : "set by an operator";
    Findings findings = current.conclude(now);
    boolean tried = false;
    try {
      Departure departure = current.departure(now, cause, reason, findings);
      BreakerState successor = successor(departure, target, duration);
      tried = true;
      return enter(current, successor);
    } finally {
      if (!tried) {
        current.resume(now); // There was no memory for a successor, for example.
      }
    }
  }

  private static BreakerState successor(
      Departure departure, State target, @Nullable Duration duration) {
    return switch (target) {
      case CLOSED -> ClosedState.fresh(departure);
      case OPEN ->
          duration == null
              ? OpenState.entered(departure, 1)
              : OpenState.enteredFor(departure, duration);
      case HALF_OPEN -> new HalfOpenState(departure, departure.state().openings(departure.at()));
      case FORCED_OPEN -> new ForcedOpenState(departure, duration);
      case DISABLED -> new DisabledState(departure, duration);
      case METRICS_ONLY -> new MetricsOnlyState(departure, duration);
    };
  }

  private boolean enter(BreakerState from, BreakerState to) {
    if (!swap(from, to)) {
      return false;
    }
    changeTimers(from, to);
    tell(to);
    return true;
  }

  private boolean swap(BreakerState from, BreakerState to) {
    return STATE.compareAndSet(this, from, to);
  }

  /** What follows from a swap, by whoever made it: first the timers. */
  private static void changeTimers(BreakerState from, BreakerState to) {
    from.left();
    to.entered();
  }

  /** Then the listeners, and then, as it may take its time, the first health check. */
  private void tell(BreakerState entered) {
    if (entered.transition != null) {
      listeners.deliverInOrder(entered.transition);
    }
    if (entered instanceof HalfOpenState halfOpen) {
      halfOpen.startChecks();
    }
  }

  private boolean replace(CircuitBreakerConfig before, CircuitBreakerConfig after) {
    checkSameTicker("breaker", before.ticker, after.ticker);
    applyLimits();
    if (!CONFIG.compareAndSet(this, before, after)) {
      return false;
    }
    BreakerState current = state;
    long now = ticker().nanoTime();
    current.reconfigured(now);
    if (after.scheduler != before.scheduler) {
      current.alarm.forget();
    }
    current.alarm.set(now, now); // What is due by the new settings is found at once.
    reconfigured(before, after);
    return true;
  }

  /** Does what has run out under the settings so far. */
  private void applyLimits() {
    for (; ; ) {
      BreakerState current = state;
      BreakerState expired = current.expired(ticker().nanoTime());
      if (expired == null) {
        return;
      }
      enter(current, expired);
    }
  }
}
