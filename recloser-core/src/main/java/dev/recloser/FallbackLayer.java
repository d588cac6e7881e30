package dev.recloser;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A fallback in its place in one pipeline, with what it counts and keeps there. */
final class FallbackLayer<T extends @Nullable Object> extends Policy {
  private static final int MAX_SUPPRESSED = 8;

  private final Fallback<T> fallback;
  private final @Nullable GoodAnswers<T> goodAnswers;
  private final LongAdder live = new LongAdder();
  private final LongAdder given = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder replaced = new LongAdder();
  private final LongAdder passedOn = new LongAdder();

  FallbackLayer(String name, Fallback<T> fallback) {
    super(name);
    this.fallback = fallback;
    goodAnswers = fallback.answersKeptFor(this);
  }

  FallbackMetrics metrics() {
    return new FallbackMetrics(
        live.sum(), given.sum(), stale.sum(), failed.sum(), replaced.sum(), passedOn.sum());
  }

  @Override
  public String explain() {
    FallbackMetrics counted = metrics();
    long answered = counted.fallback() + counted.stale();
    long out = answered + counted.failed() + counted.replaced() + counted.passedOn();
    return "fallback "
        + name
        + " has answered "
        + answered
        + " of the "
        + Text.count(out, "call")
        + " that did not succeed ("
        + counted.fallback()
        + " with a fallback, "
        + counted.stale()
        + " stale), besides "
        + Text.count(counted.live(), "live answer")
        + kept()
        + ".";
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
    CallKey key = begin(invocation);
    T result;
    try {
      result = invocation.proceed(inside);
    } catch (Throwable thrown) {
      return answer(invocation, key, thrown);
    }
    FailedResultException failure = failureOf(invocation, result);
    if (failure != null) {
      return answerInPlaceOf(result, failure, invocation, key);
    }
    returned(invocation, key, result);
    return result;
  }

  /** What a failed result is for the rules; null if the result is good. */
  @Nullable FailedResultException failureOf(Invocation<T> invocation, T result) {
    Predicate<? super T> failed = fallback.failedResults();
    if (failed == null || invocation.source() != Answer.Source.LIVE) {
      return null;
    }
    try {
      return failed.test(result) ? new FailedResultException(name, result, null) : null;
    } catch (Throwable thrown) {
      userCodeFailed("recordResult", thrown);
      return new FailedResultException(name, result, thrown);
    }
  }

  private T answerInPlaceOf(
      T result, FailedResultException failure, Invocation<T> invocation, @Nullable CallKey key)
      throws Throwable {
    FailedCall<T> call = failedCall(invocation, key, failure, /* staged= */ false);
    Remedy<T> remedy = remedyFor(call);
    if (remedy == null) {
      passedOn();
      return result;
    }
    return answerBy(remedy, call, invocation);
  }

  private T answer(Invocation<T> invocation, @Nullable CallKey key, Throwable thrown)
      throws Throwable {
    FailedCall<T> call = failedCall(invocation, key, thrown, /* staged= */ false);
    Remedy<T> remedy = remedyFor(call);
    if (remedy == null) {
      passedOn();
      throw thrown;
    }
    return answerBy(remedy, call, invocation);
  }

  private T answerBy(Remedy<T> remedy, FailedCall<T> call, Invocation<T> invocation)
      throws Throwable {
    Answer<T> answer;
    try {
      answer = remedy.answer(call);
    } catch (Throwable own) {
      throw failure(remedy, call, own);
    }
    answered(invocation, call, answer);
    return answer.value();
  }

  /**
   * Begins a call: what a fallback further in said of an attempt before is over.
   *
   * @return what its answer is kept under; null if it is not kept
   */
  @Nullable CallKey begin(Invocation<T> invocation) {
    invocation.answeredBy(Answer.Source.LIVE, Duration.ZERO);
    return goodAnswers == null ? null : goodAnswers.keyOf(invocation.key());
  }

  /** Takes note of a result that came from inside, be it from a fallback there. */
  void returned(Invocation<T> invocation, @Nullable CallKey key, T result) {
    Answer.Source source = invocation.source();
    if (goodAnswers != null && key != null && source == Answer.Source.LIVE) {
      goodAnswers.keep(key, result);
    }
    count(source);
  }

  /** Takes note of an answer that a rule gave. */
  void answered(Invocation<T> invocation, FailedCall<T> call, Answer<T> answer) {
    invocation.answeredBy(answer.source(), answer.age());
    count(answer.source());
    if (listeners.want(FallbackEvent.Answered.class)) {
      listeners.deliver(
          new FallbackEvent.Answered(name, answer.source(), answer.age(), call.thrown()));
    }
  }

  /** Takes note of a call that came out as it was, or was given up. */
  void passedOn() {
    passedOn.increment();
  }

  FailedCall<T> failedCall(
      Invocation<T> invocation, @Nullable CallKey key, Throwable thrown, boolean staged) {
    Answer<T> lastGood = goodAnswers == null || key == null ? null : goodAnswers.find(key);
    return new FailedCall<>(ExceptionRules.unwrap(thrown), invocation.key(), staged, lastGood);
  }

  /** What a call gets in place of its failure; null if it keeps that. */
  @Nullable Remedy<T> remedyFor(FailedCall<T> call) {
    boolean unjudged = call.thrown() instanceof FailedResultException result && result.isUnjudged();
    boolean passes = unjudged || (!fallback.answersGivenUp() && isGivenUp(call));
    return passes ? null : fallback.remedyFor(this, call);
  }

  /** What the caller gets when a rule has thrown, with what the call threw. */
  Throwable failure(Remedy<T> remedy, FailedCall<T> call, Throwable own) {
    // Not onto one that is thrown again and again, and that would grow without end.
    if (own != call.thrown()
        && ExceptionRules.causeOf(own) != call.thrown()
        && own.getSuppressed().length < MAX_SUPPRESSED) {
      own.addSuppressed(call.thrown());
    }
    if (remedy.replacesFailure()) {
      replaced(call, own);
    } else if (Fallback.isGivenUp(ExceptionRules.unwrap(own))) {
      passedOn(); // A caller who gives up during the fallback's own call has not made it fail.
    } else {
      failed(call, own);
    }
    return own;
  }

  private void replaced(FailedCall<T> call, Throwable replacement) {
    replaced.increment();
    if (listeners.want(FallbackEvent.Replaced.class)) {
      listeners.deliver(new FallbackEvent.Replaced(name, call.thrown(), replacement));
    }
  }

  private void failed(FailedCall<T> call, Throwable own) {
    failed.increment();
    if (listeners.want(FallbackEvent.Failed.class)) {
      listeners.deliver(new FallbackEvent.Failed(name, call.thrown(), own));
    }
  }

  /**
   * Whoever interrupts a thread finds the flag set, whatever the call made of it; the thread that
   * ends a stage is nobody in particular.
   */
  private static boolean isGivenUp(FailedCall<?> call) {
    boolean interrupted =
        !call.staged()
            && (Thread.currentThread().isInterrupted() || Scope.isEnded(Scope.innermost()));
    return interrupted || Fallback.isGivenUp(call.thrown());
  }

  private void count(Answer.Source source) {
    switch (source) {
      case LIVE -> live.increment();
      case FALLBACK -> given.increment();
      case STALE -> stale.increment();
    }
  }

  /** Whether no result is a failure for it. */
  boolean takesAllResults() {
    return fallback.failedResults() == null;
  }

  /** The pipelines around the other calls that it makes. */
  List<Pipeline<T>> others() {
    return fallback.others();
  }

  /** Whether it keeps every result as a good answer. */
  boolean keepsAllResults() {
    return goodAnswers != null && takesAllResults();
  }

  private String kept() {
    return goodAnswers == null
        ? ""
        : "; " + Text.count(goodAnswers.size(), "good answer") + " at hand";
  }
}
