package dev.recloser.httpclient5;

import dev.recloser.JudgedResult;
import dev.recloser.RetriedCall;
import dev.recloser.http.HttpCall;
import dev.recloser.http.HttpGuard;
import dev.recloser.http.HttpPermit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.jspecify.annotations.Nullable;

/** Makes the attempts of one call of a classic client, as many as a retry says. */
final class Repetition {
  private final HttpGuard guard;
  private final HttpCall call;
  private final ClassicHttpRequest request;
  private final ExecChain.Scope scope;
  private final ExecChain chain;
  private final Dependency dependency;

  Repetition(
      HttpGuard guard,
      HttpCall call,
      ClassicHttpRequest request,
      ExecChain.Scope scope,
      ExecChain chain) {
    this.guard = guard;
    this.call = call;
    this.request = request;
    this.scope = scope;
    this.chain = chain;
    dependency = new Dependency(scope.originalRequest);
  }

  /**
   * What an attempt got.
   *
   * @param judged what the answer means
   */
  private record Answered(ClassicHttpResponse response, @Nullable JudgedResult judged) {}

  ClassicHttpResponse once() throws IOException, HttpException {
    return attempt(request).response();
  }

  ClassicHttpResponse repeated(RetriedCall retried) throws IOException, HttpException {
    for (; ; ) {
      Answered answered;
      try {
        answered = attempt(ClassicRequestBuilder.copy(request).build()); // The chain changes it.
      } catch (Throwable thrown) {
        Optional<CompletableFuture<@Nullable Void>> due = again(retried, null, thrown);
        if (due.isEmpty()) {
          throw thrown;
        }
        await(retried, due.get(), thrown);
        continue;
      }
      Optional<CompletableFuture<@Nullable Void>> due = again(retried, answered.judged(), null);
      if (due.isEmpty()) {
        return answered.response();
      }
      drop(answered.response());
      await(retried, due.get(), null);
    }
  }

  private Answered attempt(ClassicHttpRequest sent) throws IOException, HttpException {
    HttpPermit permit = guard.acquire(call);
    GuardedCall attempt = new GuardedCall(permit, dependency);
    ClassicHttpResponse response;
    try {
      response = chain.proceed(sent, scope);
    } catch (Throwable thrown) {
      attempt.fail(thrown);
      throw thrown;
    }
    permit.answered(Messages.answer(response));
    HttpEntity entity = response.getEntity();
    if (entity == null) {
      permit.bodyEnded();
    } else {
      response.setEntity(new WatchedEntity(entity, attempt));
    }
    return new Answered(response, permit.result());
  }

  private Optional<CompletableFuture<@Nullable Void>> again(
      RetriedCall retried, @Nullable JudgedResult judged, @Nullable Throwable thrown) {
    boolean isGivenUp =
        dependency.isCancelled()
            || thrown instanceof RequestFailedException
            || Thread.currentThread().isInterrupted();
    if (isGivenUp) {
      retried.giveUp();
    }
    return retried.ended(judged, thrown);
  }

  /** Waits until it is time for another attempt; throws if there is to be none. */
  private void await(
      RetriedCall retried, CompletableFuture<@Nullable Void> due, @Nullable Throwable last)
      throws IOException {
    dependency.cancelToo(due);
    try {
      var unused = due.get();
    } catch (InterruptedException e) {
      due.cancel(/* mayInterruptIfRunning= */ true);
      retried.giveUp();
      Thread.currentThread().interrupt();
      throw because(last, new InterruptedIOException("interrupted"));
    } catch (CancellationException e) {
      // By the request, as is seen below.
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // It completes, or is cancelled, by us.
    }
    if (dependency.isCancelled()) {
      retried.giveUp();
      throw because(last, new RequestFailedException("Request aborted")); // As the client says.
    }
  }

  private static IOException because(@Nullable Throwable last, IOException thrown) {
    if (last != null) {
      thrown.addSuppressed(last);
    }
    return thrown;
  }

  /** With its connection, for closing alone reads a body to its end, which may never come. */
  private void drop(ClassicHttpResponse response) {
    scope.execRuntime.discardEndpoint();
    try {
      response.close();
    } catch (IOException e) {
      // Nobody wanted it.
    }
  }
}
