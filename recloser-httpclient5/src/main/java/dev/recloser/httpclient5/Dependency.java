package dev.recloser.httpclient5;

import java.util.concurrent.CompletableFuture;
import org.apache.hc.core5.concurrent.CancellableDependency;

/**
 * What the caller can cancel, and who hears of it.
 *
 * @param request a {@link CancellableDependency} if it is one that can be cancelled
 */
record Dependency(Object request) {
  boolean isCancelled() {
    return request instanceof CancellableDependency cancellable && cancellable.isCancelled();
  }

  /** Cancels a future with the request, or at once if that is cancelled already. */
  void cancelToo(CompletableFuture<?> future) {
    if (request instanceof CancellableDependency cancellable) {
      cancellable.setDependency(() -> future.cancel(/* mayInterruptIfRunning= */ true));
    }
    if (isCancelled()) {
      future.cancel(/* mayInterruptIfRunning= */ true);
    }
  }
}
