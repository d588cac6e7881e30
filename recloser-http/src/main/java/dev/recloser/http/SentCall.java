package dev.recloser.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.util.concurrent.CompletableFuture;
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
    HttpPermit permit = guard.acquire(call);
    WatchedHandler<T> watched = new WatchedHandler<>(handler, permit);
    HttpResponse<T> response;
    try {
      response = client.send(request, watched);
    } catch (Throwable thrown) {
      fail(permit, thrown);
      throw thrown;
    }
    watched.handedOver();
    return new Attempt<>(response, permit, watched);
  }

  /** Never throws, as the stage that is returned tells it. */
  CompletableFuture<Attempt<HttpResponse<T>>> attemptAsync() {
    HttpPermit permit;
    try {
      permit = guard.acquire(call);
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    WatchedHandler<T> watched = new WatchedHandler<>(handler, permit);
    CompletableFuture<HttpResponse<T>> sent;
    try {
      sent = client.sendAsync(request, watched, pushPromiseHandler);
    } catch (Throwable thrown) {
      fail(permit, thrown);
      return CompletableFuture.failedFuture(thrown);
    }
    return Futures.then(
        sent,
        new EndOf(this, permit, watched),
        response -> new Attempt<>(response, permit, watched));
  }

  /** The caller has ended the call, and its attempts will be cancelled. */
  void endedByCaller(@Nullable Throwable thrown) {
    endedWith = thrown;
  }

  /** What the client says of a request that it does not take says nothing about the dependency. */
  private static void fail(HttpPermit permit, Throwable thrown) {
    if (thrown instanceof IllegalArgumentException) {
      permit.notSent();
    } else {
      permit.fail(thrown);
    }
  }

  /** Ends a permit with the future of an exchange, if the answer has not ended it. */
  private record EndOf(SentCall<?> call, HttpPermit permit, WatchedHandler<?> handler)
      implements Futures.End<Object> {
    @Override
    public void ended(@Nullable Object response, @Nullable Throwable thrown) {
      if (thrown == null) {
        handler.handedOver();
      } else {
        fail(permit, thrown);
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
    public void unclaimed(Object response) {
      permit.close();
      handler.discard();
    }
  }
}
