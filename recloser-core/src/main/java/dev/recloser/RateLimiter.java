package dev.recloser;

import dev.recloser.TokenBucket.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets through so many calls in a time, lets others wait for their turn, and refuses at once those
 * whose turn would come too late.
 *
 * <pre>{@code
 * RateLimiter limiter =
 *     RateLimiter.create("inventory", config -> config
 *         .limitForPeriod(100)
 *         .limitRefreshPeriod(Duration.ofSeconds(1))
 *         .timeoutDuration(Duration.ofMillis(200)));
 *
 * Stock stock = limiter.call(() -> client.stock(sku));
 * }</pre>
 *
 * <p>It is a token bucket: permits come evenly, and up to {@code maxBurst} of them are kept. In any
 * stretch of time no more are given out than a burst and those that come in it. Whoever waits
 * stands in line in the order of asking, and knows from the first how long. One that is interrupted
 * or cancelled while it waits gives its permits back: the stages behind it, and whoever comes
 * later, have their turn sooner. A thread sleeps until the time it was told, because a {@link
 * Scheduler} cannot wake it; what is given back before it can be of use behind it as far as the
 * bucket holds it.
 *
 * <p>Waits of calls hold their thread, waits of stages none. An interrupt ends a wait with {@link
 * CancellationException}, and with the thread's interrupt flag set.
 *
 * <p>Thread-safe.
 */
public final class RateLimiter extends Policy {
  private static final String LIMITS_CHANGED = "its limits have been changed";

  private final TokenBucket bucket;
  private final Turns turns;

  private RateLimiter(String name, RateLimiterConfig config) {
    super(name);
    bucket = new TokenBucket(config, config.ticker.nanoTime());
    turns = new Turns(this, bucket);
  }

  /**
   * Makes a rate limiter with a full bucket.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param settings sets what shall differ from the defaults
   * @throws IllegalArgumentException when the name is blank
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static RateLimiter create(
      String name, Consumer<? super RateLimiterConfig.Builder> settings) {
    return create(name, RateLimiterConfig.of(settings));
  }

  /**
   * Makes a rate limiter with a full bucket.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param config its settings
   * @throws IllegalArgumentException when the name is blank
   */
  public static RateLimiter create(String name, RateLimiterConfig config) {
    return new RateLimiter(Names.check(name), Objects.requireNonNull(config, "config"));
  }

  /** Its present settings. */
  public RateLimiterConfig config() {
    return bucket.config();
  }

  /** What it has counted in its whole life, and how it stands. */
  public RateLimiterMetrics metrics() {
    return bucket.metrics(now());
  }

  /**
   * Takes a permit, and waits for it if need be.
   *
   * @throws RequestNotPermittedException at once if that would take longer than {@code
   *     timeoutDuration}
   * @throws CancellationException if the thread is interrupted while it waits; the interrupt flag
   *     is then set
   */
  public void acquire() {
    acquire(1);
  }

  /**
   * Takes permits, and waits for them if need be.
   *
   * @param permits at least 1, at most {@code maxBurst}, for more are never there
   * @throws IllegalArgumentException when the number is out of this range
   * @throws RequestNotPermittedException at once if that would take longer than {@code
   *     timeoutDuration}
   * @throws CancellationException if the thread is interrupted while it waits; the interrupt flag
   *     is then set
   */
  public void acquire(int permits) {
    RateLimiterConfig config = config();
    take(config, checked(permits, config));
  }

  /** Takes a permit if it is there; does not wait. */
  public boolean tryAcquire() {
    return tryAcquire(1);
  }

  /**
   * Takes permits if all of them are there; does not wait.
   *
   * @param permits at least 1, at most {@code maxBurst}, for more are never there
   * @return whether they were taken
   * @throws IllegalArgumentException when the number is out of this range
   */
  public boolean tryAcquire(int permits) {
    checked(permits, config());
    Reply reply = bucket.ask(permits, now(), /* patience= */ 0, /* stage= */ null);
    if (reply.refused()) {
      tellRefused(permits, reply.waitNanos());
      return false;
    }
    tellAdmitted(permits);
    return true;
  }

  /**
   * Changes settings of the living rate limiter. Permits that are there, or owed, stay as many as
   * they are, up to the new burst; the times of those who wait are computed anew for the new pace.
   * One that would now have to wait longer than it may is refused: a stage at once, a thread when
   * it wakes up. A new {@code timeoutDuration} is for those who come.
   *
   * @param settings sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @throws InvalidConfigurationException when settings are wrong, or the ticker is another one;
   *     changes nothing
   */
  public void reconfigure(Consumer<? super RateLimiterConfig.Builder> settings) {
    changeSettings(this::config, before -> before.with(settings), this::replace);
  }

  /**
   * Changes the settings of the living rate limiter to these, as {@link #reconfigure(Consumer)}
   * does.
   *
   * @param config the new settings, with the same ticker
   * @throws InvalidConfigurationException when the ticker is another one; changes nothing
   */
  public void reconfigure(RateLimiterConfig config) {
    Objects.requireNonNull(config, "config");
    changeSettings(this::config, before -> config, this::replace);
  }

  @Override
  public String explain() {
    RateLimiterMetrics now = metrics();
    return name
        + " lets through "
        + Text.count(config().limitForPeriod(), "permit")
        + " in "
        + Text.of(config().limitRefreshPeriod())
        + ": "
        + now.availablePermits()
        + " available, "
        + Text.count(now.waiting(), "request")
        + " waiting; "
        + now.refused()
        + " of "
        + Text.count(now.admitted() + now.refused() + now.cancelled(), "request")
        + " refused so far.";
  }

  @Override
  <T extends @Nullable Object> T around(Invocation<T> invocation, int inside) throws Throwable {
    RateLimiterConfig config = config();
    take(config, config.permitsPerCall());
    return invocation.proceed(inside);
  }

  @Override
  <T extends @Nullable Object> CompletableFuture<T> aroundAsync(
      Invocation<T> invocation, int inside) {
    RateLimiterConfig config = config();
    int permits = config.permitsPerCall();
    LimitedStage<T> stage = new LimitedStage<>(this, permits, invocation, inside, config.starter());
    Reply reply;
    try {
      reply = bucket.ask(permits, now(), patience(config), stage);
    } catch (Throwable brokenTicker) {
      return CompletableFuture.failedFuture(brokenTicker);
    }
    if (reply.admitted()) {
      tellAdmitted(permits);
      return invocation.proceedAsync(inside);
    }
    if (reply.place() == null) {
      return CompletableFuture.failedFuture(tooLate(permits, reply.waitNanos()));
    }
    CompletableFuture<T> future = stage.waitAt(reply.place());
    turns.update();
    return future;
  }

  @Override
  boolean letsInByHand() {
    return true;
  }

  @Override
  HandEntry enter() {
    RateLimiterConfig config = config();
    take(config, config.permitsPerCall());
    return HandEntry.INDIFFERENT;
  }

  @Override
  String describe() {
    return "rateLimiter " + name + " " + config();
  }

  /** Leaves the line, which may bring others forward. Never throws. */
  void giveUp(Reservation place) {
    bucket.giveUp(place);
    turns.update();
  }

  /** Tells a stage that it has lost its place; a thread finds out when it wakes up. */
  void refuse(Reservation place, String because, @Nullable Throwable reason) {
    if (place.stage != null) {
      place.stage.refuse(refusal(place, because, reason));
    }
  }

  private void take(RateLimiterConfig config, int permits) {
    Reply reply = bucket.ask(permits, now(), patience(config), /* stage= */ null);
    if (reply.refused()) {
      throw tooLate(permits, reply.waitNanos());
    }
    if (reply.place() != null) {
      await(reply.place(), config, reply.waitNanos());
    }
    tellAdmitted(permits);
  }

  /** Sleeps until the permits are there, which a change of the limits may put off. */
  private void await(Reservation place, RateLimiterConfig config, long firstWait) {
    long wait = firstWait;
    try {
      while (wait > 0) {
        sleep(config.scheduler, wait);
        wait = bucket.remaining(place, now());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      giveUp(place);
      throw new CancellationException(name + ": interrupted while waiting for permits");
    } catch (Throwable broken) {
      bucket.refuse(place);
      turns.update();
      throw refusal(place, "it cannot be waited for", broken);
    }
    if (bucket.wasRefused(place)) {
      throw refusal(place, LIMITS_CHANGED, /* reason= */ null);
    }
    turns.update(); // It may have been overtaken, or have let others be sooner.
  }

  /** How long this thread's call may wait, which is not beyond its deadline. */
  private static long patience(RateLimiterConfig config) {
    return Math.min(config.timeoutNanos, Math.max(0, Scope.leastLeft(Scope.innermost())));
  }

  private RequestNotPermittedException tooLate(int permits, long waitNanos) {
    return refusal(permits, "its permits are used up", waitNanos);
  }

  /** A refusal of somebody who stood in line. */
  private RequestNotPermittedException refusal(
      Reservation place, String because, @Nullable Throwable reason) {
    var refusal = refusal(place.permits, because, bucket.untilServed(place.permits));
    if (reason != null) {
      refusal.addSuppressed(reason);
    }
    return refusal;
  }

  private RequestNotPermittedException refusal(int permits, String because, long waitNanos) {
    tellRefused(permits, waitNanos);
    return new RequestNotPermittedException(
        name, because, waitNanos, config().writableStackTraceEnabled());
  }

  void tellAdmitted(int permits) {
    if (listeners.want(RateLimiterEvent.CallAdmitted.class)) {
      listeners.deliver(new RateLimiterEvent.CallAdmitted(name, permits));
    }
  }

  private void tellRefused(int permits, long waitNanos) {
    if (listeners.want(RateLimiterEvent.CallRefused.class)) {
      listeners.deliver(
          new RateLimiterEvent.CallRefused(name, permits, Duration.ofNanos(waitNanos)));
    }
  }

  private boolean replace(RateLimiterConfig before, RateLimiterConfig after) {
    checkSameTicker("rate limiter", before.ticker, after.ticker);
    List<Reservation> lost = bucket.change(before, after, now());
    if (lost == null) {
      return false;
    }
    turns.update();
    lost.forEach(place -> refuse(place, LIMITS_CHANGED, /* reason= */ null));
    reconfigured(before, after);
    return true;
  }

  private long now() {
    return config().ticker.nanoTime();
  }

  private static int checked(int permits, RateLimiterConfig config) {
    if (permits < 1 || permits > config.maxBurst()) {
      throw new IllegalArgumentException(
          "permits: "
              + permits
              + " (expected: at least 1, at most "
              + config.maxBurst()
              + ", the maxBurst)");
    }
    return permits;
  }
}
