package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets only so many calls run at once, so that one slow dependency cannot hold all threads and
 * connections. A call for which there is no slot is refused, or waits for one in a bounded queue
 * and for a limited time.
 *
 * <p>A plain call waits on its thread. Interrupting that ends the waiting: the call is refused, and
 * the interrupt flag stays set. An asynchronous call waits without a thread and is started by
 * whoever gives a slot back, on that thread; cancelling its future ends the waiting. Either way it
 * leaves the queue at once. A call holds its slot until it has ended, an asynchronous one until its
 * stage has; the slot is free again before the caller sees the end.
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
 * <p>Thread-safe. No user code runs under a lock.
 */
public final class Bulkhead extends Policy {
  private final Slots slots;
  private final LongAdder admitted = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder cancelled = new LongAdder();

  /** Written under the lock of this, together with the number of slots. */
  private volatile BulkheadConfig config;

  private Bulkhead(String name, BulkheadConfig config) {
    super(name);
    this.config = config;
    slots = new Slots(config.maxConcurrentCalls());
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
    return new BulkheadMetrics(
        admitted.sum(),
        rejected.sum(),
        cancelled.sum(),
        now.running(),
        now.waiting(),
        Math.max(now.running(), slots.mostRunning())); // noted just after the slot is taken
  }

  /**
   * Takes a slot, and waits for one as the settings say.
   *
   * @return a slot that must be closed once
   * @throws BulkheadFullException if there is none, or if the thread is interrupted while it waits;
   *     the interrupt flag is then set
   */
  public BulkheadSlot acquire() {
    take();
    return new BulkheadSlot(slots);
  }

  /**
   * Takes a slot without waiting, and gets null instead of an exception when there is none. One
   * that a waiting call is about to get is none, unless {@code fairCallHandlingEnabled} is off.
   *
   * @return a slot that must be closed once, or null
   */
  public @Nullable BulkheadSlot tryAcquire() {
    if (!slots.tryTake(config.fair)) {
      rejected.increment();
      return null;
    }
    admitted.increment();
    return new BulkheadSlot(slots);
  }

  /**
   * Changes settings of the living bulkhead; those not named stay as they are.
   *
   * <p>Does not wait. With a higher limit, calls that wait get slots at once. With a lower one, no
   * call is admitted until enough have ended; there are never more than before. Calls that wait
   * already keep their place and their time.
   *
   * @param settings sets what shall change; may be called more than once
   * @throws InvalidConfigurationException when settings are wrong; lists them all and changes
   *     nothing
   */
  public void reconfigure(Consumer<? super BulkheadConfig.Builder> settings) {
    for (; ; ) {
      BulkheadConfig before = config;
      if (replace(before, before.with(settings))) {
        return;
      }
    }
  }

  /**
   * Changes the settings of the living bulkhead to these, as {@link #reconfigure(Consumer)} does.
   *
   * @param config the new settings
   */
  public void reconfigure(BulkheadConfig config) {
    Objects.requireNonNull(config, "config");
    while (!replace(this.config, config)) {
      Thread.onSpinWait();
    }
  }

  @Override
  public String explain() {
    BulkheadMetrics now = metrics();
    return name
        + ": "
        + now.running()
        + " of "
        + Text.count(slots.counts().limit(), "slot")
        + " taken, "
        + Text.count(now.waiting(), "call")
        + " waiting; "
        + now.rejected()
        + " of "
        + Text.count(now.admitted() + now.rejected() + now.cancelled(), "call")
        + " refused so far.";
  }

  @Override
  <T extends @Nullable Object> T around(Invocation<T> invocation, int inside) throws Throwable {
    take();
    try {
      return invocation.proceed(inside);
    } finally {
      slots.release();
    }
  }

  @Override
  <T extends @Nullable Object> CompletableFuture<T> aroundAsync(
      Invocation<T> invocation, int inside) {
    BulkheadConfig now = config;
    if (slots.tryTake(now.fair)) {
      return start(invocation, inside);
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
  HandEntry enter() {
    BulkheadSlot slot = acquire();
    return end -> {
      slot.close();
      return end;
    };
  }

  @Override
  String describe() {
    return "bulkhead " + name + " " + config;
  }

  /** Starts an asynchronous call that has a slot. Never throws. */
  <T extends @Nullable Object> CompletableFuture<T> start(Invocation<T> invocation, int inside) {
    admitted.increment();
    // A slot that can be given back only once: a stage that is cancelled ends twice.
    BulkheadSlot slot = new BulkheadSlot(slots);
    return Stages.then(invocation.proceedAsync(inside), (result, thrown) -> slot.close());
  }

  BulkheadFullException refused(BulkheadConfig now) {
    rejected.increment();
    return full(now, Duration.ZERO, /* interrupted= */ false);
  }

  BulkheadFullException refusedAfterWait(BulkheadConfig now, @Nullable Throwable schedulerFailure) {
    if (schedulerFailure == null) {
      rejected.increment();
      return full(now, now.maxWaitDuration(), /* interrupted= */ false);
    }
    BulkheadFullException refused = refused(now);
    refused.addSuppressed(schedulerFailure);
    return refused;
  }

  void countCancelled() {
    cancelled.increment();
  }

  private void take() {
    BulkheadConfig now = config;
    if (!slots.tryTake(now.fair)) {
      waitForSlot(now);
    }
    admitted.increment();
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
    long left = Math.max(0, Scope.leastLeft(Scope.current()));
    return left < now.maxWaitNanos ? Duration.ofNanos(left) : now.maxWaitDuration();
  }

  private BulkheadFullException gaveUp(WaitingThread waiting, BulkheadConfig now) {
    if (waiting.wasInterrupted()) {
      cancelled.increment();
      return full(now, Duration.ZERO, /* interrupted= */ true);
    }
    return refusedAfterWait(now, waiting.schedulerFailure());
  }

  private BulkheadFullException full(BulkheadConfig now, Duration waited, boolean interrupted) {
    return new BulkheadFullException(name, now, slots.counts(), waited, interrupted);
  }

  @SuppressWarnings("ReferenceEquality") // Is it still the one that the new one was made from?
  private boolean replace(BulkheadConfig before, BulkheadConfig after) {
    synchronized (this) {
      if (config != before) {
        return false;
      }
      config = after;
      slots.resize(after.maxConcurrentCalls());
    }
    slots.serve();
    reconfigured(before, after);
    return true;
  }
}
