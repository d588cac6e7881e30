package dev.recloser.httpclient5;

import dev.recloser.JudgedResult;
import dev.recloser.RetriedCall;
import dev.recloser.http.HttpCall;
import dev.recloser.http.HttpGuard;
import dev.recloser.http.HttpPermit;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncDataConsumer;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.entity.DiscardingEntityConsumer;
import org.apache.hc.core5.http.support.BasicRequestBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Makes the attempts of one call of an asynchronous client, as many as a retry says. Holds no
 * thread while it waits.
 *
 * <p>It is decided with the head of an answer whether the caller gets it. If not, its body is
 * dropped: read until the next attempt is due, so that the connection can be used again.
 */
final class AsyncRepetition {
  private final HttpGuard guard;
  private final HttpCall call;
  private final HttpRequest request;
  private final @Nullable AsyncEntityProducer body;
  private final AsyncExecChain.Scope scope;
  private final AsyncExecChain chain;
  private final AsyncExecCallback callback;
  private final Dependency dependency;

  AsyncRepetition(
      HttpGuard guard,
      HttpCall call,
      HttpRequest request,
      @Nullable AsyncEntityProducer body,
      AsyncExecChain.Scope scope,
      AsyncExecChain chain,
      AsyncExecCallback callback) {
    this.guard = guard;
    this.call = call;
    this.request = request;
    this.body = body;
    this.scope = scope;
    this.chain = chain;
    this.callback = callback;
    dependency = new Dependency(scope.cancellableDependency);
  }

  void once() throws HttpException, IOException {
    HttpPermit permit;
    try {
      permit = guard.acquire(call);
    } catch (RuntimeException refused) {
      callback.failed(refused);
      return;
    }
    proceed(request, permit, callback);
  }

  void repeated(RetriedCall retried) {
    HttpRequest sent = BasicRequestBuilder.copy(request).build(); // It is changed.
    HttpPermit permit;
    try {
      permit = guard.acquire(call);
    } catch (RuntimeException refused) {
      new Attempt(retried, null).failed(refused);
      return;
    }
    Attempt attempt = new Attempt(retried, permit);
    try {
      proceed(sent, permit, attempt);
    } catch (HttpException | IOException | RuntimeException thrown) {
      attempt.failed(thrown);
    }
  }

  private void proceed(HttpRequest sent, HttpPermit permit, AsyncExecCallback told)
      throws HttpException, IOException {
    GuardedCall attempt = new GuardedCall(permit, dependency);
    try {
      chain.proceed(sent, body, scope, new WatchedCallback(told, attempt));
    } catch (Throwable thrown) {
      attempt.fail(thrown);
      throw thrown;
    }
  }

  /** An attempt that may not be the last. Its methods are called one after the other. */
  private final class Attempt implements AsyncExecCallback {
    private final RetriedCall retried;
    private final @Nullable HttpPermit permit;

    /** When the next attempt is due; null while there is none. */
    private volatile @Nullable CompletableFuture<@Nullable Void> due;

    /** Whether the connection of this attempt has been let go, which can be done once. */
    private final AtomicBoolean exchangeOver = new AtomicBoolean();

    /** Whether the caller has the head of the answer, and so there can be no other attempt. */
    private volatile boolean isHandedOver;

    /**
     * Creates one.
     *
     * @param permit null if it was refused
     */
    Attempt(RetriedCall retried, @Nullable HttpPermit permit) {
      this.retried = retried;
      this.permit = permit;
    }

    @Override
    public @Nullable AsyncDataConsumer handleResponse(
        HttpResponse response, @Nullable EntityDetails entity) throws HttpException, IOException {
      if (isToBeMadeAgain(permit == null ? null : permit.result(), null)) {
        return entity == null ? null : new DiscardingEntityConsumer<>();
      }
      isHandedOver = true;
      return callback.handleResponse(response, entity);
    }

    @Override
    public void handleInformationResponse(HttpResponse response) throws HttpException, IOException {
      callback.handleInformationResponse(response);
    }

    @Override
    public void completed() {
      if (due == null) {
        callback.completed();
      } else if (exchangeOver.compareAndSet(false, true)) {
        scope.execRuntime.releaseEndpoint(); // Others can have the connection meanwhile.
      }
    }

    @Override
    public void failed(Exception thrown) {
      // If the head was not good enough, nor is a body that breaks off.
      if (due == null && (isHandedOver || !isToBeMadeAgain(null, thrown))) {
        callback.failed(thrown);
      } else {
        discard();
      }
    }

    private boolean isToBeMadeAgain(@Nullable JudgedResult judged, @Nullable Exception thrown) {
      if (dependency.isCancelled()) {
        retried.giveUp();
      }
      CompletableFuture<@Nullable Void> next = retried.ended(judged, thrown).orElse(null);
      due = next;
      if (next != null) {
        var unused = next.whenCompleteAsync((nothing, cancelled) -> again(cancelled));
        dependency.cancelToo(next);
      }
      return next != null;
    }

    /** Lets go of the connection, of which another attempt may have another by now. */
    private void discard() {
      if (exchangeOver.compareAndSet(false, true)) {
        scope.execRuntime.discardEndpoint();
      }
    }

    /** Makes another attempt; if it cannot be made, the caller is told, for nobody else is. */
    private void again(@Nullable Throwable cancelled) {
      try {
        goOn(cancelled);
      } catch (Throwable thrown) {
        retried.giveUp();
        callback.failed(thrown instanceof Exception e ? e : new IllegalStateException(thrown));
      }
    }

    private void goOn(@Nullable Throwable cancelled) {
      discard(); // A body that has not come to its end by now.
      if (cancelled != null || dependency.isCancelled()) {
        retried.giveUp();
        callback.failed(new CancellationException("cancelled between two attempts"));
        return;
      }
      if (body != null) {
        body.releaseResources(); // To its beginning.
      }
      repeated(retried);
    }
  }
}
