package dev.recloser;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A fallback in its place in one pipeline, with what it counts and keeps there. */
final class FallbackLayer<T extends @Nullable Object> extends Policy {
  private static final int MAX_SUPPRESSED = 8;

  private final Fallback<T> fallback;
  private final boolean keepsLastGood;
  private final LongAdder live = new LongAdder();
  private final LongAdder given = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder replaced = new LongAdder();
  private final LongAdder passedOn = new LongAdder();

  /**
   * Immutable, so that a value is never seen with another one's age. Calls that end at once write
   * it in either order: both have just arrived.
   */
  private volatile @Nullable LastGood<T> lastGood;

  FallbackLayer(String name, Fallback<T> fallback) {
    super(name);
    this.fallback = fallback;
    keepsLastGood = fallback.needsLastGood();
  }

  FallbackMetrics metrics() {
    return new FallbackMetrics(
        live.sum(), given.sum(), stale.sum(), failed.sum(), replaced.sum(), passedOn.sum());
  }

  @Override
  public String explain() {
    FallbackMetrics counted = metrics();
    return name
        + ": "
        + Text.count(counted.live(), "live answer")
        + ", "
        + counted.fallback()
        + " from the fallback, "
        + counted.stale()
        + " stale; "
        + (counted.failed() + counted.replaced() + counted.passedOn())
        + " failed all the same.";
  }

  @Override
  @SuppressWarnings("unchecked") // A pipeline of T has layers of T and makes calls of T.
  <R extends @Nullable Object> R around(Invocation<R> invocation, int inside) throws Throwable {
    return (R) aroundOwn((Invocation<T>) invocation, inside);
  }

  @Override
  @SuppressWarnings("unchecked") // As above.
  <R extends @Nullable Object> CompletableFuture<R> aroundAsync(
      Invocation<R> invocation, int inside) {
    var stage = new FallbackStage<>(this, (Invocation<T>) invocation);
    return (CompletableFuture<R>) stage.start(inside);
  }

  @Override
  String describe() {
    return "fallback " + name + " " + fallback;
  }

  private T aroundOwn(Invocation<T> invocation, int inside) throws Throwable {
    begin(invocation);
    T result;
    try {
      result = invocation.proceed(inside);
    } catch (Throwable thrown) {
      return answer(invocation, thrown);
    }
    returned(invocation, result);
    return result;
  }

  private T answer(Invocation<T> invocation, Throwable thrown) throws Throwable {
    FailedCall<T> call = failedCall(thrown, /* staged= */ false);
    FallbackRule<T> rule = ruleFor(call);
    if (rule == null) {
      throw thrown;
    }
    Answer<T> answer;
    try {
      answer = rule.answer(call);
    } catch (Throwable own) {
      throw failure(rule, call, own);
    }
    answered(invocation, answer);
    return answer.value();
  }

  /** What a fallback further in said of an attempt before is over. */
  void begin(Invocation<T> invocation) {
    invocation.answeredBy(Answer.Source.LIVE, Duration.ZERO);
  }

  /** Takes note of a result that came from inside, be it from a fallback there. */
  void returned(Invocation<T> invocation, T result) {
    Answer.Source source = invocation.source();
    if (keepsLastGood && source == Answer.Source.LIVE) {
      lastGood = new LastGood<>(result, fallback.ticker.nanoTime());
    }
    count(source);
  }

  /** Takes note of an answer that a rule gave. */
  void answered(Invocation<T> invocation, Answer<T> answer) {
    invocation.answeredBy(answer.source(), answer.age());
    count(answer.source());
  }

  FailedCall<T> failedCall(Throwable thrown, boolean staged) {
    LastGood<T> last = lastGood;
    // Read after the answer that it is compared with, and so not before it.
    Answer<T> stale = last == null ? null : last.answerAt(fallback.ticker.nanoTime());
    return new FailedCall<>(ExceptionRules.unwrap(thrown), staged, stale);
  }

  /** The rule for a call; null, and counted, if there is none. */
  @Nullable FallbackRule<T> ruleFor(FailedCall<T> call) {
    FallbackRule<T> rule = isGivenUp(call) ? null : fallback.ruleFor(call);
    if (rule == null) {
      passedOn.increment();
    }
    return rule;
  }

  /** What the caller gets when a rule has thrown, with what the call threw. */
  Throwable failure(FallbackRule<T> rule, FailedCall<T> call, Throwable own) {
    counterOf(rule, ExceptionRules.unwrap(own)).increment();
    // Not onto one that is thrown again and again, and that would grow without end.
    if (own != call.thrown()
        && ExceptionRules.causeOf(own) != call.thrown()
        && own.getSuppressed().length < MAX_SUPPRESSED) {
      own.addSuppressed(call.thrown());
    }
    return own;
  }

  /** A caller who gives up during the fallback's own call has not made it fail. */
  private LongAdder counterOf(FallbackRule<T> rule, Throwable own) {
    return rule.replacesFailure() ? replaced : Fallback.isGivenUp(own) ? passedOn : failed;
  }

  /**
   * Whoever interrupts a thread finds the flag set, whatever the call made of it; the thread that
   * ends a stage is nobody in particular.
   */
  private static boolean isGivenUp(FailedCall<?> call) {
    boolean interrupted =
        !call.staged()
            && (Thread.currentThread().isInterrupted() || Scope.isEnded(Scope.current()));
    return interrupted || Fallback.isGivenUp(call.thrown());
  }

  private void count(Answer.Source source) {
    switch (source) {
      case LIVE -> live.increment();
      case FALLBACK -> given.increment();
      case STALE -> stale.increment();
    }
  }

  /** An answer of the dependency and the ticker's reading when it arrived. */
  private record LastGood<T extends @Nullable Object>(T value, long arrivedAt) {
    Answer<T> answerAt(long now) {
      return new Answer<>(value, Answer.Source.STALE, Duration.ofNanos(now - arrivedAt));
    }
  }
}
