package dev.recloser;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Ends permits with stages. */
final class GuardedStage {
  private GuardedStage() {}

  /** Ends a permit before the future that is returned completes, which stands in for the stage. */
  static <T extends @Nullable Object> CompletableFuture<T> guard(
      Permit permit, CompletionStage<T> stage) {
    return Stages.then(stage, (result, thrown) -> end(permit, result, thrown));
  }

  /** Ends a permit with a stage that is handed to the caller itself. */
  static CompletionStage<?> watch(Permit permit, CompletionStage<?> stage) {
    Stages.End end = Stages.inScopeOfNow((result, thrown) -> end(permit, result, thrown));
    try {
      var unused = stage.whenComplete(end::accept);
    } catch (Throwable thrown) {
      permit.fail(thrown);
    }
    return stage;
  }

  private static void end(Permit permit, @Nullable Object result, @Nullable Throwable thrown) {
    if (thrown == null) {
      permit.complete(result);
    } else {
      permit.fail(thrown);
    }
  }
}
