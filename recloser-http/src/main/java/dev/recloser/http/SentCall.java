package dev.recloser.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** One call of a caller with the JDK's client; makes attempts, each under a permit of its own. */
final class SentCall<T> {
  private final HttpClient client;
  private final HttpGuard guard;
  private final HttpCall call;
  private final HttpRequest request;
  private final BodyHandler<T> handler;
  private final @Nullable PushPromiseHandler<T> pushPromiseHandler;

  /**
   * What the caller has ended the call with; null if it has not. Written before the attempts are
   * cancelled, who then find it: on their way in, policies make a cancellation of anything.
   */
  private volatile @Nullable Throwable endedWith;

  /** What attempts have thrown that have sent nothing. */
  private final List<Throwable> notSent = new CopyOnWriteArrayList<>();

  SentCall(
      HttpClient client,
      HttpGuard guard,
      HttpCall call,
      HttpRequest request,
      BodyHandler<T> handler,
      @Nullable PushPromiseHandler<T> pushPromiseHandler) {
    this.client = client;
    this.guard = guard;
    this.call = call;
    this.request = request;
    this.handler = handler;
    this.pushPromiseHandler = pushPromiseHandler;
  }

  Attempt<HttpResponse<T>> attempt() throws IOException, InterruptedException {
    OwnBody body = OwnBody.of(request);
    HttpPermit permit = guard.acquire(call);
    WatchedHandler<T> watched = new WatchedHandler<>(handler, permit);
    HttpResponse<T> response;
    try {
      response = client.send(body == null ? request : body.in(request), watched);
    } catch (Throwable thrown) {
      fail(permit, body, thrown, isNotTaken(thrown));
      throw thrown;
    }
    watched.handedOver(response);
    return Attempt.of(response, permit, watched);
  }

  /** Never throws, as the stage that is returned tells it. */
  CompletableFuture<Attempt<HttpResponse<T>>> attemptAsync() {
    OwnBody body;
    HttpPermit permit;
    try {
      body = OwnBody.of(request);
      permit = guard.acquire(call);
    } catch (Throwable refused) {
      return CompletableFuture.failedFuture(refused);
    }
    WatchedHandler<T> watched = new WatchedHandler<>(handler, permit);
    CompletableFuture<HttpResponse<T>> sent;
    try {
      sent =
          client.sendAsync(body == null ? request : body.in(request), watched, pushPromiseHandler);
    } catch (Throwable thrown) {
      fail(permit, body, thrown, thrown instanceof IllegalArgumentException);
      return CompletableFuture.failedFuture(thrown);
    }
    return Futures.then(
        sent,
        // A guarded client fails at once as well, but never throws.
        new EndOf(this, permit, watched, body, sent.isCompletedExceptionally()),
        response -> Attempt.of(response, permit, watched));
  }

  /** Whether an attempt has thrown this because there was nothing to be sent. */
  @SuppressWarnings("ReferenceEquality") // Is it the same exception?
  boolean hasNotSent(Throwable thrown) {
    return notSent.stream().anyMatch(one -> one == thrown);
  }

  /** The caller has ended the call, and its attempts will be cancelled. */
  void endedByCaller(@Nullable Throwable thrown) {
    endedWith = thrown;
  }

  /**
   * What the client says of a request that it does not take, and what is wrong with the caller's
   * own body, says nothing about the dependency.
   */
  private void fail(
      HttpPermit permit, @Nullable OwnBody body, Throwable thrown, boolean isNotTaken) {
    if (isNotTaken || (body != null && body.hasFailed())) {
      notSent.add(thrown);
      permit.notSent();
    } else {
      permit.fail(thrown);
    }
  }

  /**
   * Whether {@code send} has thrown this instead of sending. One that comes of an exchange, of a
   * place to be redirected to for example that is none, has that as its cause.
   */
  private static boolean isNotTaken(Throwable thrown) {
    return thrown instanceof IllegalArgumentException
        && !(thrown.getCause() instanceof IllegalArgumentException);
  }

  /** Ends a permit with the future of an exchange, if the answer has not ended it. */
  private record EndOf(
      SentCall<?> call,
      HttpPermit permit,
      WatchedHandler<?> handler,
      @Nullable OwnBody body,
      boolean atOnce)
      implements Futures.End<HttpResponse<?>> {
    @Override
    public void ended(@Nullable HttpResponse<?> response, @Nullable Throwable thrown) {
      if (response != null) {
        handler.handedOver(response);
      } else if (thrown != null) {
        call.fail(permit, body, thrown, atOnce && thrown instanceof IllegalArgumentException);
      }
    }

    @Override
    public void endedByCaller(@Nullable Throwable thrown) {
      Throwable byCaller = call.endedWith;
      if (byCaller != null) {
        permit.fail(byCaller);
      } else if (thrown != null) {
        permit.fail(thrown);
      } else {
        permit.close();
      }
    }

    @Override
    public void unclaimed(HttpResponse<?> response) {
      permit.close();
      handler.discard();
    }
  }
}
