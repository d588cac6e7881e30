package dev.recloser.microprofile;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The asynchronous calls of an application that go on, to be ended with it: a call that waits for a
 * thread would else wait for ever when there are no threads any more.
 *
 * <p>Thread-safe. A call that begins while they are being ended is ended as well: it is added first
 * and looks then whether that is over, and the end is written first and looks then for calls.
 */
final class OngoingCalls {
  private final Map<Call, CompletableFuture<?>> running = new ConcurrentHashMap<>();
  private volatile boolean ended;

  void add(Call call, CompletableFuture<?> future) {
    running.put(call, future);
    if (ended) {
      cancel(future);
    }
  }

  void remove(Call call) {
    running.remove(call);
  }

  /** Cancels them all, and all to come. */
  void end() {
    ended = true;
    running.values().forEach(OngoingCalls::cancel);
  }

  private static void cancel(CompletableFuture<?> future) {
    boolean unused = future.cancel(/* mayInterruptIfRunning= */ true);
  }
}
