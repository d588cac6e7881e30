package dev.recloser.okhttp;

import dev.recloser.Deadline;
import dev.recloser.JudgedResult;
import dev.recloser.RetriedCall;
import dev.recloser.Retry;
import dev.recloser.okhttp.Attempts.Answered;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.Call;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Makes a call as often as a retry says, on the thread that OkHttp makes it on. */
final class Repetition {
  /**
   * How often a call that waits looks whether it was cancelled, for nobody tells it: before OkHttp
   * 5.4 there is no listener that an interceptor could add to a call.
   */
  private static final long LOOK_MILLIS = 20;

  private static final long LONGEST_NANOS = Duration.ofDays(365).toNanos();

  private final Call call;
  private final Attempts attempts;
  private final RetriedCall retried;

  Repetition(Call call, Attempts attempts, Retry retry) {
    this.call = call;
    this.attempts = attempts;
    long limit = call.timeout().timeoutNanos();
    retried =
        limit == 0
            ? retry.begin()
            : Deadline.after(Duration.ofNanos(Math.min(limit, LONGEST_NANOS))).call(retry::begin);
  }

  Response make() throws IOException {
    for (; ; ) {
      Answered answered;
      try {
        answered = attempts.make();
      } catch (Throwable thrown) {
        JudgedResult notSent = attempts.notSent();
        Optional<CompletableFuture<@Nullable Void>> due =
            again(notSent, notSent == null ? thrown : null);
        if (due.isEmpty()) {
          throw thrown;
        }
        await(due.get(), thrown);
        continue;
      }
      Optional<CompletableFuture<@Nullable Void>> due = again(answered.judged(), null);
      if (due.isEmpty()) {
        return answered.response();
      }
      answered.response().close(); // Before the wait, in which others can use the connection.
      await(due.get(), null);
    }
  }

  private Optional<CompletableFuture<@Nullable Void>> again(
      @Nullable JudgedResult judged, @Nullable Throwable thrown) {
    if (call.isCanceled() || Thread.currentThread().isInterrupted()) {
      retried.giveUp();
    }
    return retried.ended(judged, thrown);
  }

  /** Waits until it is time for another attempt; throws if there is to be none. */
  private void await(CompletableFuture<@Nullable Void> due, @Nullable Throwable last)
      throws IOException {
    try {
      boolean isOver = false;
      while (!isOver && !call.isCanceled()) {
        isOver = isOver(due);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw givenUp(due, new InterruptedIOException("interrupted"), last);
    }
    if (call.isCanceled()) {
      throw givenUp(due, new IOException("Canceled"), last); // As OkHttp itself says.
    }
  }

  private static boolean isOver(CompletableFuture<@Nullable Void> due) throws InterruptedException {
    try {
      var unused = due.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException notYet) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // It completes, or is cancelled, by us.
    }
  }

  private IOException givenUp(
      CompletableFuture<@Nullable Void> due, IOException thrown, @Nullable Throwable last) {
    due.cancel(/* mayInterruptIfRunning= */ true);
    retried.giveUp();
    if (last != null) {
      thrown.addSuppressed(last);
    }
    return thrown;
  }
}
