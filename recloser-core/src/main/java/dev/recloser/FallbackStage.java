package dev.recloser;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A stage that ends as the call does, or as the rule of a fallback that matches. Holds no thread
 * while either goes on; whoever ends the future ends both.
 */
final class FallbackStage<T extends @Nullable Object> {
  private final FallbackLayer<T> layer;
  private final Invocation<T> invocation;
  private final CompletableFuture<T> future = new CompletableFuture<>();

  /** What goes on now, to be ended with the future: the call, then the fallback. */
  private volatile @Nullable CompletableFuture<?> running;

  FallbackStage(FallbackLayer<T> layer, Invocation<T> invocation) {
    this.layer = layer;
    this.invocation = invocation;
    var unused = future.whenComplete((result, thrown) -> endWhatGoesOn());
  }

  CompletableFuture<T> start(int inside) {
    layer.begin(invocation);
    CompletableFuture<T> call = invocation.proceedAsync(inside);
    goesOn(call);
    try {
      var unused = call.whenComplete(this::ended);
    } catch (Throwable thrown) {
      future.completeExceptionally(thrown);
    }
    return future;
  }

  /** Where the future is complete already, somebody has given up: nobody waits for an answer. */
  private void ended(@Nullable T result, @Nullable Throwable thrown) {
    if (future.isDone()) {
      return;
    }
    try {
      if (thrown == null) {
        complete(result);
      } else {
        answer(thrown);
      }
    } catch (Throwable e) {
      future.completeExceptionally(e); // Only a ticker that throws leads here.
    }
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void complete(@Nullable T result) {
    layer.returned(invocation, result);
    future.complete(result);
  }

  private void answer(Throwable thrown) {
    FailedCall<T> call = layer.failedCall(thrown, /* staged= */ true);
    FallbackRule<T> rule = layer.ruleFor(call);
    if (rule == null) {
      future.completeExceptionally(thrown);
      return;
    }
    CompletableFuture<Answer<T>> answer = rule.answerAsync(call);
    goesOn(answer);
    var unused = answer.whenComplete((given, own) -> answered(rule, call, given, own));
  }

  private void answered(
      FallbackRule<T> rule,
      FailedCall<T> call,
      @Nullable Answer<T> given,
      @Nullable Throwable own) {
    if (future.isDone()) {
      return;
    }
    if (own != null) {
      future.completeExceptionally(layer.failure(rule, call, own));
      return;
    }
    Answer<T> answer = Objects.requireNonNull(given);
    layer.answered(invocation, answer);
    future.complete(answer.value());
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
      Stages.cancel(stage);
    }
  }
}
