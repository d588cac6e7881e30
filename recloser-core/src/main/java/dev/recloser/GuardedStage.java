package dev.recloser;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Guards a call that ends when its stage does. */
final class GuardedStage {
  private GuardedStage() {}

  static <T extends @Nullable Object> CompletableFuture<T> call(
      CircuitBreaker breaker, Supplier<? extends CompletionStage<T>> call) {
    Permit permit;
    try {
      permit = breaker.acquire();
    } catch (CallNotPermittedException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    CompletionStage<T> stage;
    try {
      stage = Objects.requireNonNull(call.get(), "the call returned null instead of a stage");
    } catch (Throwable thrown) {
      permit.fail(thrown);
      return CompletableFuture.failedFuture(thrown);
    }
    return guard(permit, stage);
  }

  /** Ends a permit with a stage. */
  static <T extends @Nullable Object> CompletableFuture<T> guard(
      Permit permit, CompletionStage<T> stage) {
    CompletableFuture<T> guarded = new CompletableFuture<>();
    try {
      connect(permit, stage, guarded);
    } catch (Throwable thrown) {
      permit.fail(thrown);
      guarded.completeExceptionally(thrown);
    }
    return guarded;
  }

  /** Ends a permit with a stage that is handed to the caller itself. */
  static CompletionStage<?> watch(Permit permit, CompletionStage<?> stage) {
    try {
      var unused = stage.whenComplete((result, thrown) -> end(permit, result, thrown));
    } catch (Throwable thrown) {
      permit.fail(thrown);
    }
    return stage;
  }

  /**
   * Whichever of the two completes first ends the permit, and then the other. A future that is
   * handed out, rather than the stage itself, is what makes sure that the breaker has counted a
   * result before the caller sees it: dependents of one stage run in no particular order.
   */
  private static <T extends @Nullable Object> void connect(
      Permit permit, CompletionStage<T> stage, CompletableFuture<T> guarded) {
    var stageEnded = new AtomicBoolean();
    var unusedHook =
        guarded.whenComplete(
            (result, thrown) -> {
              if (!stageEnded.get()) {
                end(permit, result, thrown);
                cancel(stage);
              }
            });
    var unusedEnd =
        stage.whenComplete(
            (result, thrown) -> {
              stageEnded.set(true);
              try {
                end(permit, result, thrown);
              } finally {
                complete(guarded, result, thrown);
              }
            });
  }

  private static <T extends @Nullable Object> void complete(
      CompletableFuture<T> future, T result, @Nullable Throwable thrown) {
    if (thrown == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(thrown);
    }
  }

  private static void end(Permit permit, @Nullable Object result, @Nullable Throwable thrown) {
    if (thrown == null) {
      permit.complete(result);
    } else {
      permit.fail(thrown);
    }
  }

  private static void cancel(CompletionStage<?> stage) {
    try {
      Future<?> future = stage instanceof Future<?> f ? f : stage.toCompletableFuture();
      if (!future.isDone()) {
        future.cancel(/* mayInterruptIfRunning= */ true);
      }
    } catch (RuntimeException e) {
      // A stage that cannot be cancelled goes on by itself; nobody waits for it.
    }
  }
}
