package dev.recloser;

import org.jspecify.annotations.Nullable;

/** A limit that is found by measuring the calls. */
final class AdaptiveLimit {
  /*
   * Calls are taken together in rounds, and each round is one decision:
   *
   *   failures reach their threshold    down by backoffFactor, at once
   *   median latency above tolerated    down, as the algorithm has it
   *   median tolerated, limit in use,
   *   no failure and no refusal         up, as the algorithm has it
   *   otherwise                         as it is
   *
   * So there is no way up but by good answers while the limit is used: quick failures, time-outs
   * and refusals say nothing good about a latency, and a limit that nobody needs is not tried out.
   * The median and the shares keep a few odd calls from mattering: where one slow or failed call
   * is enough, as in most implementations of AIMD, three in a hundred of them shut a service down.
   *
   * A change shows its effect only in calls that begin after it. So after each, the ends of calls are
   * passed over until the first that began later; of all calls that run at once when the dependency
   * breaks down, only one step down comes. From then on every end counts, whenever the call began: to
   * leave out the old ones would prefer the short ones among the new. Therefore no change comes
   * sooner than a call takes.
   *
   * What ran beside a call is looked at when it ends, not when it begins. Of calls that begin
   * together the first would see itself alone, and the quiet rounds of the baseline must be so to
   * their ends.
   *
   * Concurrency. A call that begins reads a volatile field and the clock. One that ends takes the
   * lock of this for a few additions, and once a round for sorting 64 numbers. The lock guards
   * everything below it but the volatiles; in it nothing of the user's runs: ticker and classifier
   * are asked before, listeners are told after, and Slots.resize is an atomic update that neither
   * blocks nor calls. It is made within the lock so that the last decision is the last update. A
   * retired one decides nothing any more, so it cannot resize what its successor has set.
   */

  /** Successes that make a median good to about a tenth; for a moment's look half of them do. */
  private static final int LEAST = 20;

  private static final int LEAST_MEASURING = 10;

  private final Bulkhead bulkhead;
  private final Slots slots;
  private final AdaptiveLimitConfig config;
  private final Ticker ticker;
  private final LimitSearch search;

  private final LatencyRound round = new LatencyRound();
  private final Baseline baseline;
  private int limit;

  /** What to go back to after a look at the floor; zero when there is none. */
  private int resumeAt;

  /** Whether a call has ended that began after the last change. */
  private boolean settled = true;

  private boolean retired;

  /** Written under the lock. Calls note it when they begin, to tell before it from after it. */
  private volatile @Nullable LimitChange lastChange;

  /** Begins with the initial limit. */
  AdaptiveLimit(Bulkhead bulkhead, Slots slots, AdaptiveLimitConfig config, Ticker ticker) {
    this(bulkhead, slots, config, ticker, config.initialLimit(), new Baseline(config));
  }

  private AdaptiveLimit(
      Bulkhead bulkhead,
      Slots slots,
      AdaptiveLimitConfig config,
      Ticker ticker,
      int limit,
      Baseline baseline) {
    this.bulkhead = bulkhead;
    this.slots = slots;
    this.config = config;
    this.ticker = ticker;
    this.limit = limit;
    this.baseline = baseline;
    search = config.search();
  }

  /** Whether it has these settings already. */
  boolean has(AdaptiveLimitConfig newConfig, Ticker newTicker) {
    return config.equals(newConfig) && ticker == newTicker;
  }

  /** Ends this one, and returns one with other settings that goes on from here. */
  synchronized AdaptiveLimit successor(AdaptiveLimitConfig newConfig, Ticker newTicker) {
    retired = true;
    int now = newConfig.clamp(resumeAt > 0 ? resumeAt : limit);
    Baseline learnt =
        ticker == newTicker ? new Baseline(newConfig, baseline) : new Baseline(newConfig);
    return new AdaptiveLimit(bulkhead, slots, newConfig, newTicker, now, learnt);
  }

  synchronized void retire() {
    retired = true;
  }

  synchronized int limit() {
    return limit;
  }

  /** In nanoseconds; zero while it is not known. */
  synchronized long baselineNanos() {
    return baseline.nanos();
  }

  @Nullable LimitChange lastChange() {
    return lastChange;
  }

  /** Begins to measure a call that has its slot; null if it cannot be. Never throws. */
  @Nullable Measurement begin() {
    try {
      return new Measurement(this, lastChange, ticker.nanoTime());
    } catch (Throwable broken) {
      bulkhead.userCodeFailed("ticker", broken);
      return null;
    }
  }

  /** Takes the end of a call, and returns the change it has led to. Never throws. */
  @Nullable LimitChange ended(
      Measurement call, @Nullable Object result, @Nullable Throwable thrown) {
    return ended(call, /* verdict= */ null, result, thrown);
  }

  /** The same for a call that somebody else has judged. */
  @Nullable LimitChange endedAs(Measurement call, Outcome verdict) {
    return ended(call, verdict, /* result= */ null, /* thrown= */ null);
  }

  private @Nullable LimitChange ended(
      Measurement call,
      @Nullable Outcome verdict,
      @Nullable Object result,
      @Nullable Throwable thrown) {
    long now;
    try {
      now = ticker.nanoTime();
    } catch (Throwable broken) {
      bulkhead.userCodeFailed("ticker", broken);
      return null;
    }
    CallSample.End end =
        verdict == null
            ? endOf(result, Scope.judged(thrown))
            : endOf(verdict, /* refused= */ false);
    long nanos = now - call.startedAt();
    // A clock that has not moved between begin and end says nothing about the time.
    if (end == null || (end == CallSample.End.SUCCESS && nanos <= 0)) {
      return null;
    }
    return take(new CallSample(end, Math.max(0, nanos), slots.running()), call.lastChange(), now);
  }

  private CallSample.@Nullable End endOf(@Nullable Object result, @Nullable Throwable thrown) {
    Throwable bare = thrown == null ? null : ExceptionRules.unwrap(thrown);
    return endOf(classify(result, bare), bare instanceof CallRejectedException);
  }

  private static CallSample.@Nullable End endOf(Outcome outcome, boolean refused) {
    return switch (outcome) {
      case SUCCESS -> CallSample.End.SUCCESS;
      case FAILURE -> CallSample.End.FAILURE;
      case IGNORED -> refused ? CallSample.End.REFUSAL : null;
      case CANCELLED -> null;
    };
  }

  private Outcome classify(@Nullable Object result, @Nullable Throwable thrown) {
    try {
      Outcome outcome = config.classifier.classify(result, thrown);
      return outcome == null ? Outcome.FAILURE : outcome; // The defaults always have an opinion.
    } catch (Throwable broken) {
      bulkhead.userCodeFailed("classifier", broken);
      return Outcome.FAILURE;
    }
  }

  @SuppressWarnings("ReferenceEquality") // Two changes may look the same.
  private synchronized @Nullable LimitChange take(
      CallSample sample, @Nullable LimitChange begunAfter, long now) {
    if (retired || (!settled && begunAfter != lastChange)) {
      return null;
    }
    settled = true;
    round.add(sample, now);
    int size = LatencyRound.size(limit, resumeAt > 0 ? LEAST_MEASURING : LEAST);
    if (round.hasFailed(config.failureRate, size)) {
      resumeAt = 0;
      return change((int) (limit * config.backoffFactor()), LimitChangeReason.FAILURES, 0);
    }
    return round.isOver(size, config.intervalNanos, now) ? decide(now) : null;
  }

  private @Nullable LimitChange decide(long now) {
    long latency = round.median();
    baseline.learn(latency, round.mostRunning() <= config.minLimit, now);
    if (resumeAt > 0) {
      int before = resumeAt;
      resumeAt = 0;
      return change(before, LimitChangeReason.MEASURED, latency);
    }
    long tolerated = baseline.tolerated();
    if (latency > tolerated) {
      return baseline.wantsQuiet(now)
          ? measure(latency)
          : change(
              search.down(limit, (double) tolerated / latency),
              LimitChangeReason.LATENCY_HIGH,
              latency);
    }
    if (!isUsed() || !round.isClean()) {
      round.clear();
      return null;
    }
    return baseline.isKnown()
        ? change(search.up(limit), LimitChangeReason.LATENCY_NORMAL, latency)
        : measure(latency);
  }

  /** Nine tenths of it, for between the end of a call and the next one its slot is free. */
  private boolean isUsed() {
    return round.mostRunning() * 10L >= limit * 9L;
  }

  private @Nullable LimitChange measure(long latency) {
    resumeAt = limit;
    return change(config.minLimit, LimitChangeReason.MEASURING, latency);
  }

  private @Nullable LimitChange change(int wanted, LimitChangeReason reason, long latency) {
    int from = limit;
    limit = config.clamp(wanted);
    LimitChange change =
        new LimitChange(
            from, limit, reason, latency, baseline.nanos(), round.failed(), round.ended());
    round.clear();
    if (limit == from) {
      return null;
    }
    settled = false;
    slots.resize(limit);
    lastChange = change;
    return change;
  }
}
