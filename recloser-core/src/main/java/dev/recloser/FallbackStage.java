package dev.recloser;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A stage that ends as the call does, or as the rule of a fallback that matches. Holds no thread
 * while either goes on; whoever ends the future ends both.
 *
 * <p>Whoever sets {@code over} ends it: the call, the rule, or somebody who completes the future.
 * So it is counted once, and the others find that nobody waits for what they bring.
 */
final class FallbackStage<T extends @Nullable Object> {
  private final FallbackLayer<T> layer;
  private final Invocation<T> invocation;
  private final Hop hop;
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final AtomicBoolean over = new AtomicBoolean();

  /** Written before the call can end. */
  private @Nullable CallKey key;

  /** What goes on now, to be ended with the future: the call, then the fallback. */
  private volatile @Nullable CompletableFuture<?> running;

  FallbackStage(FallbackLayer<T> layer, Invocation<T> invocation) {
    this.layer = layer;
    this.invocation = invocation;
    hop = invocation.hop();
    var unused = future.whenComplete((result, thrown) -> completed());
  }

  CompletableFuture<T> start(int inside) {
    key = layer.begin(invocation);
    CompletableFuture<T> call = invocation.proceedAsync(inside);
    goesOn(call);
    try {
      var unused = call.whenComplete(this::ended);
    } catch (Throwable thrown) {
      ended(null, thrown); // A stage of the user's own making that cannot be waited for.
    }
    return future;
  }

  private void ended(@Nullable T result, @Nullable Throwable thrown) {
    if (thrown == null && layer.takesAllResults()) {
      complete(result);
    } else if (!over.get()) {
      // The thread that ended the call may be anybody's.
      hop.run(() -> judge(result, thrown));
    }
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void judge(@Nullable T result, @Nullable Throwable thrown) {
    if (thrown != null) {
      answer(thrown, () -> future.completeExceptionally(thrown));
      return;
    }
    FailedResultException failure = layer.failureOf(invocation, result);
    if (failure == null) {
      complete(result);
    } else {
      answer(failure, () -> future.complete(result));
    }
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void complete(@Nullable T result) {
    if (end()) {
      layer.returned(invocation, key, result);
      future.complete(result);
    }
  }

  /** Asks the rules about a failure; what passes it on is for when none matches. */
  private void answer(Throwable thrown, Runnable passesOn) {
    FailedCall<T> call = layer.failedCall(invocation, key, thrown, /* staged= */ true);
    Remedy<T> remedy = layer.remedyFor(call);
    if (remedy == null) {
      passOn(passesOn);
      return;
    }
    CompletableFuture<Answer<T>> answer = remedy.answerAsync(call);
    goesOn(answer);
    var unused = answer.whenComplete((given, own) -> answered(remedy, call, given, own));
  }

  private void passOn(Runnable passesOn) {
    if (end()) {
      layer.passedOn();
      passesOn.run();
    }
  }

  private void answered(
      Remedy<T> remedy, FailedCall<T> call, @Nullable Answer<T> given, @Nullable Throwable own) {
    if (!end()) {
      return;
    }
    if (own != null) {
      future.completeExceptionally(layer.failure(remedy, call, own));
      return;
    }
    Answer<T> answer = Objects.requireNonNull(given);
    layer.answered(invocation, call, answer);
    future.complete(answer.value());
  }

  private boolean end() {
    return over.compareAndSet(false, true);
  }

  private void completed() {
    if (end()) {
      layer.passedOn(); // From outside: whoever waited has given up.
    }
    endWhatGoesOn();
  }

  /**
   * Either the future's end sees what is written here, or it came before, and is seen here: both
   * write first and read then, and both are volatile.
   */
  private void goesOn(CompletableFuture<?> stage) {
    running = stage;
    if (future.isDone()) {
      endWhatGoesOn();
    }
  }

  private void endWhatGoesOn() {
    CompletableFuture<?> stage = running;
    if (stage != null) {
      Stages.cancel(stage, future);
    }
  }
}
