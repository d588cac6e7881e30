package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets only so many calls run at once, so that one slow dependency cannot hold all threads and
 * connections. A call for which there is no slot is refused, or waits for one in a bounded queue
 * and for a limited time.
 *
 * <p>A plain call waits on its thread. Interrupting that ends the waiting with a {@link
 * CancellationException}, and the interrupt flag stays set. An asynchronous call waits without a
 * thread and is then started on the executor of the settings; cancelling its future ends the
 * waiting. Either way it leaves the queue at once. A call holds its slot until it has ended, an
 * asynchronous one until its stage has; the slot is free again before the caller sees the end.
 *
 * <p>With a {@linkplain BulkheadConfig.Builder#callExecutor call executor}, calls run on its
 * threads and not on their callers': the caller can then always go on, by a timeout or an
 * interrupt, even if the call does not; that call is interrupted, and holds its slot until its
 * thread has left it.
 *
 * <p>A slot can be taken by hand as well:
 *
 * <pre>{@code
 * Bulkhead bulkhead = Bulkhead.create("inventory", config -> config
 *     .maxConcurrentCalls(20)
 *     .maxWaitDuration(Duration.ofMillis(500)));
 *
 * try (BulkheadSlot slot = bulkhead.acquire()) {
 *   Response response = send();
 * }
 * }</pre>
 *
 * <p>With an {@linkplain BulkheadConfig.Builder#adaptiveLimit adaptive limit} it finds out by
 * itself how many calls the dependency takes, by how long they take:
 *
 * <pre>{@code
 * Bulkhead bulkhead = Bulkhead.create("inventory", config -> config
 *     .adaptiveLimit(limit -> limit
 *         .algorithm(LimitAlgorithm.GRADIENT)
 *         .minLimit(5)
 *         .maxLimit(200)
 *         .initialLimit(20)));
 * }</pre>
 *
 * <p>Thread-safe. No user code runs under a lock.
 */
public final class Bulkhead extends Policy {
  private final Slots slots;
  private final LongAdder admitted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder cancelled = new LongAdder();

  // Written under the lock of this, together with the number of slots.
  private volatile BulkheadConfig config;
  private volatile @Nullable AdaptiveLimit adaptive;

  private Bulkhead(String name, BulkheadConfig config) {
    super(name);
    this.config = config;
    slots = new Slots(config.initialLimit());
    adaptive = adaptiveLimit(config);
  }

  /**
   * Makes a bulkhead.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param settings sets what shall differ from the defaults
   * @throws IllegalArgumentException when the name is blank
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static Bulkhead create(String name, Consumer<? super BulkheadConfig.Builder> settings) {
    return create(name, BulkheadConfig.of(settings));
  }

  /**
   * Makes a bulkhead.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param config its settings
   * @throws IllegalArgumentException when the name is blank
   */
  public static Bulkhead create(String name, BulkheadConfig config) {
    return new Bulkhead(Names.check(name), Objects.requireNonNull(config, "config"));
  }

  /** Its present settings. */
  public BulkheadConfig config() {
    return config;
  }

  /** What it is doing, and what it has counted in its whole life. */
  public BulkheadMetrics metrics() {
    Slots.Counts now = slots.counts();
    AdaptiveLimit limit = adaptive;
    long baseline = limit == null ? 0 : limit.baselineNanos();
    return new BulkheadMetrics(
        admitted.sum(),
        refused.sum(),
        cancelled.sum(),
        now.running(),
        now.waiting(),
        Math.max(now.running(), slots.mostRunning()), // noted just after the slot is taken
        now.limit(),
        baseline == 0 ? null : Duration.ofNanos(baseline));
  }

  /**
   * Takes a slot, and waits for one as the settings say.
   *
   * @return a slot that must be closed once
   * @throws BulkheadFullException if there is none
   * @throws CancellationException if the thread is interrupted while it waits; the interrupt flag
   *     is then set
   */
  public BulkheadSlot acquire() {
    take();
    return slot();
  }

  /**
   * Takes a slot without waiting, and gets null instead of an exception when there is none. One
   * that a waiting call is about to get is none, unless {@code fairCallHandlingEnabled} is off.
   *
   * @return a slot that must be closed once, or null
   */
  public @Nullable BulkheadSlot tryAcquire() {
    if (!slots.tryTake(config.fair)) {
      countRefused(Duration.ZERO);
      return null;
    }
    countAdmitted(Duration.ZERO);
    return slot();
  }

  /**
   * Changes settings of the living bulkhead; those not named stay as they are.
   *
   * <p>Does not wait. With a higher limit, calls that wait get slots at once. With a lower one, no
   * call is admitted until enough have ended; there are never more than before. Calls that wait
   * already keep their place and their time.
   *
   * @param settings sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @throws InvalidConfigurationException when settings are wrong; lists them all and changes
   *     nothing
   */
  public void reconfigure(Consumer<? super BulkheadConfig.Builder> settings) {
    changeSettings(this::config, before -> before.with(settings), this::replace);
  }

  /**
   * Changes the settings of the living bulkhead to these, as {@link #reconfigure(Consumer)} does.
   *
   * @param config the new settings
   */
  public void reconfigure(BulkheadConfig config) {
    Objects.requireNonNull(config, "config");
    changeSettings(this::config, before -> config, this::replace);
  }

  @Override
  public String explain() {
    BulkheadMetrics now = metrics();
    return name
        + ": "
        + now.running()
        + " of "
        + Text.count(now.limit(), "slot")
        + " taken, "
        + Text.count(now.waiting(), "call")
        + " waiting; "
        + now.refused()
        + " of "
        + Text.count(now.admitted() + now.refused() + now.cancelled(), "call")
        + " refused so far"
        + explainLimit()
        + ".";
  }

  @Override
  <T extends @Nullable Object> T around(Invocation<T> invocation, int inside) throws Throwable {
    take();
    Executor callExecutor = config.callExecutor();
    if (callExecutor != null) {
      return isolated(callExecutor, invocation, inside);
    }
    if (adaptive != null || tellsEnds()) {
      return measured(invocation, inside, slot());
    }
    try {
      return invocation.proceed(inside);
    } finally {
      release(/* duration= */ null);
    }
  }

  @Override
  <T extends @Nullable Object> CompletableFuture<T> aroundAsync(
      Invocation<T> invocation, int inside) {
    BulkheadConfig now = config;
    if (slots.tryTake(now.fair)) {
      return start(invocation, inside, Duration.ZERO);
    }
    if (patience(now).isZero()) {
      return CompletableFuture.failedFuture(refused(now));
    }
    var waiting = new WaitingStage<T>(this, slots, invocation, inside, now);
    switch (enter(waiting, now)) {
      case TAKEN -> waiting.admitted();
      case FULL -> waiting.refuse();
      case QUEUED -> slots.serve();
    }
    return waiting.future();
  }

  @Override
  boolean letsInByHand() {
    return true;
  }

  @Override
  HandEntry enter() {
    BulkheadSlot slot = acquire();
    return end -> {
      end.tell(slot);
      return end;
    };
  }

  @Override
  String describe() {
    return "bulkhead " + name + " " + config;
  }

  /** Starts an asynchronous call that has a slot. Never throws. */
  <T extends @Nullable Object> CompletableFuture<T> start(
      Invocation<T> invocation, int inside, Duration waited) {
    countAdmitted(waited);
    // A slot that can be given back only once: a stage that is cancelled ends twice.
    BulkheadSlot slot = slot();
    Executor callExecutor = config.callExecutor();
    if (callExecutor != null) {
      return new IsolatedStage<T>(invocation, inside, slot).start(this, callExecutor);
    }
    return Stages.then(invocation.proceedAsync(inside), slot::end);
  }

  BulkheadFullException refused(BulkheadConfig now) {
    countRefused(Duration.ZERO);
    return full(now, Duration.ZERO);
  }

  BulkheadFullException refusedAfterWait(
      BulkheadConfig now, Duration waited, @Nullable Throwable schedulerFailure) {
    if (schedulerFailure == null) {
      countRefused(waited);
      return full(now, waited);
    }
    schedulerFailed(schedulerFailure);
    BulkheadFullException refused = refused(now);
    refused.addSuppressed(schedulerFailure);
    return refused;
  }

  void countCancelled() {
    cancelled.increment();
  }

  /** Ends a call that was admitted: its end is taken, its slot given back, then all is told. */
  void end(BulkheadSlot slot, @Nullable Object result, @Nullable Throwable thrown) {
    Measurement call = slot.call();
    LimitChange change = null;
    try {
      change = call == null ? null : call.end(result, thrown);
    } finally {
      release(slot.duration());
    }
    limitChanged(change);
  }

  /** The same for a call that has been judged. */
  void endAs(BulkheadSlot slot, Outcome outcome) {
    Measurement call = slot.call();
    LimitChange change = null;
    try {
      change = call == null ? null : call.endAs(outcome);
    } finally {
      release(slot.duration());
    }
    limitChanged(change);
  }

  /**
   * Gives back the slot of a call that was admitted.
   *
   * @param duration how long it had it; null if that was not measured
   */
  void release(@Nullable Duration duration) {
    slots.release();
    if (tellsEnds()) {
      listeners.deliver(new BulkheadEvent.CallFinished(name, duration));
    }
  }

  /**
   * The reading of the clock at which something begins that a listener is told the length of; null
   * if none is, or if the clock throws, which costs the listener that length and the call nothing.
   */
  @Nullable Long beginOfTold(Class<? extends BulkheadEvent> type) {
    return listeners.want(type) ? reading() : null;
  }

  /** How long it is since then; null if that is not known. */
  @Nullable Duration since(@Nullable Long begin) {
    if (begin == null) {
      return null;
    }
    Long now = reading();
    return now == null ? null : Duration.ofNanos(Math.max(0, now - begin));
  }

  private @Nullable Long reading() {
    try {
      return config.ticker.nanoTime();
    } catch (Throwable broken) {
      userCodeFailed("ticker", broken);
      return null;
    }
  }

  private boolean tellsEnds() {
    return listeners.want(BulkheadEvent.CallFinished.class);
  }

  private void countAdmitted(Duration waited) {
    admitted.increment();
    if (listeners.want(BulkheadEvent.CallAdmitted.class)) {
      listeners.deliver(new BulkheadEvent.CallAdmitted(name, waited));
    }
  }

  private void countRefused(Duration waited) {
    refused.increment();
    if (listeners.want(BulkheadEvent.CallRefused.class)) {
      listeners.deliver(new BulkheadEvent.CallRefused(name, waited));
    }
  }

  /** The slot of a call that was admitted, which is measured from now on if need be. */
  private BulkheadSlot slot() {
    AdaptiveLimit limit = adaptive;
    Long begin = beginOfTold(BulkheadEvent.CallFinished.class);
    return new BulkheadSlot(this, limit == null ? null : limit.begin(), begin);
  }

  /**
   * Runs a call on a thread of the executor, and waits for it. A caller who gives up does not take
   * the slot along: it is free when the thread is.
   */
  private <T extends @Nullable Object> T isolated(
      Executor executor, Invocation<T> invocation, int inside) throws Throwable {
    BulkheadSlot slot = slot();
    Hop hop = invocation.hop();
    Invocation<T> own = invocation.fork();
    T result =
        Work.await(
            Work.<T>start(this, hop, () -> measured(own, inside, slot), executor, slot::close));
    invocation.answeredBy(own);
    return result;
  }

  private static <T extends @Nullable Object> T measured(
      Invocation<T> invocation, int inside, BulkheadSlot slot) throws Throwable {
    T result;
    try {
      result = invocation.proceed(inside);
    } catch (Throwable thrown) {
      slot.end(null, thrown);
      throw thrown;
    }
    slot.end(result, null);
    return result;
  }

  private void take() {
    BulkheadConfig now = config;
    if (slots.tryTake(now.fair)) {
      countAdmitted(Duration.ZERO);
      return;
    }
    Long begin = beginOfTold(BulkheadEvent.CallAdmitted.class);
    waitForSlot(now);
    Duration waited = since(begin);
    countAdmitted(waited == null ? Duration.ZERO : waited);
  }

  private void waitForSlot(BulkheadConfig now) {
    if (patience(now).isZero()) {
      throw refused(now);
    }
    WaitingThread waiting = new WaitingThread(slots);
    Slots.Entry entry = enter(waiting, now);
    if (entry == Slots.Entry.FULL) {
      throw refused(now);
    }
    if (entry == Slots.Entry.QUEUED && !waiting.getsSlot()) {
      throw gaveUp(waiting, now);
    }
  }

  private Slots.Entry enter(SlotWaiter waiter, BulkheadConfig now) {
    Slots.Entry entry = slots.enter(waiter, now.fair, now.maxQueuedCalls());
    if (entry == Slots.Entry.QUEUED) {
      waiter.limit(now.scheduler, patience(now));
    }
    return entry;
  }

  /** How long this thread's call may wait, which is not beyond its deadline. */
  private static Duration patience(BulkheadConfig now) {
    if (!now.waits()) {
      return Duration.ZERO;
    }
    long left = Math.max(0, Scope.leastLeft(Scope.innermost()));
    return left < now.maxWaitNanos ? Duration.ofNanos(left) : now.maxWaitDuration();
  }

  private RuntimeException gaveUp(WaitingThread waiting, BulkheadConfig now) {
    if (waiting.wasInterrupted()) {
      cancelled.increment();
      return new CancellationException(name + ": interrupted while waiting for a slot");
    }
    return refusedAfterWait(now, waiting.patience(), waiting.schedulerFailure());
  }

  private BulkheadFullException full(BulkheadConfig now, Duration waited) {
    return new BulkheadFullException(name, now, slots.counts(), waited);
  }

  @SuppressWarnings("ReferenceEquality") // Is it still the one that the new one was made from?
  private boolean replace(BulkheadConfig before, BulkheadConfig after) {
    int from;
    int to;
    synchronized (this) {
      if (config != before) {
        return false;
      }
      config = after;
      from = slots.counts().limit();
      adapt(after);
      to = slots.counts().limit();
    }
    slots.serve();
    reconfigured(before, after);
    if (from != to) {
      limitChanged(from, to, LimitChangeReason.RECONFIGURED);
    }
    return true;
  }

  /** Sets the limit, or what finds it, under the lock of this. */
  private void adapt(BulkheadConfig after) {
    AdaptiveLimit before = adaptive;
    if (before == null) {
      slots.resize(after.initialLimit());
      adaptive = adaptiveLimit(after); // Last: whoever measures for it may resize in turn.
    } else if (after.adaptive == null) {
      before.retire();
      adaptive = null;
      slots.resize(after.maxConcurrentCalls());
    } else if (!before.has(after.adaptive, after.ticker)) {
      AdaptiveLimit next = before.successor(after.adaptive, after.ticker);
      slots.resize(next.limit());
      adaptive = next;
    }
  }

  private @Nullable AdaptiveLimit adaptiveLimit(BulkheadConfig settings) {
    return settings.adaptive == null
        ? null
        : new AdaptiveLimit(this, slots, settings.adaptive, settings.ticker);
  }

  private void limitChanged(@Nullable LimitChange change) {
    if (change != null) {
      limitChanged(change.from(), change.to(), change.reason());
    }
  }

  private void limitChanged(int from, int to, LimitChangeReason reason) {
    if (listeners.want(BulkheadEvent.LimitChanged.class)) {
      listeners.deliver(new BulkheadEvent.LimitChanged(name, from, to, reason));
    }
  }

  private String explainLimit() {
    AdaptiveLimit limit = adaptive;
    if (limit == null) {
      return "";
    }
    LimitChange last = limit.lastChange();
    return "; the limit" + (last == null ? " has not changed" : " " + last.explain());
  }
}
