package dev.recloser.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One call of a caller with the JDK's client, in as many attempts as it takes, each under a permit
 * of its own.
 *
 * <p>Attempts come one after the other, and a retry hands each what the one before has written.
 */
final class SentCall<T> {
  private final HttpClient client;
  private final HttpGuard guard;
  private final HttpCall call;
  private final HttpRequest request;
  private final BodyHandler<T> handler;

  /** The last attempt; if there is another, nobody will read what it got. */
  private @Nullable WatchedHandler<T> last;

  SentCall(
      HttpClient client,
      HttpGuard guard,
      HttpCall call,
      HttpRequest request,
      BodyHandler<T> handler) {
    this.client = client;
    this.guard = guard;
    this.call = call;
    this.request = request;
    this.handler = handler;
  }

  Attempt<HttpResponse<T>> attempt() throws IOException, InterruptedException {
    HttpPermit permit = acquire();
    WatchedHandler<T> watched = watched(permit);
    HttpResponse<T> response;
    try {
      response = client.send(request, watched);
    } catch (Throwable thrown) {
      fail(permit, thrown);
      throw thrown;
    }
    watched.handedOver();
    return new Attempt<>(response, permit.result());
  }

  /** Never throws, as the stage that is returned tells it. */
  CompletableFuture<Attempt<HttpResponse<T>>> attemptAsync(
      @Nullable PushPromiseHandler<T> pushPromiseHandler) {
    HttpPermit permit;
    try {
      permit = acquire();
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    WatchedHandler<T> watched = watched(permit);
    CompletableFuture<HttpResponse<T>> sent;
    try {
      sent = client.sendAsync(request, watched, pushPromiseHandler);
    } catch (Throwable thrown) {
      fail(permit, thrown);
      return CompletableFuture.failedFuture(thrown);
    }
    return Futures.then(
        sent, new EndOf(permit, watched), response -> new Attempt<>(response, permit.result()));
  }

  private HttpPermit acquire() {
    if (last != null) {
      last.discard();
    }
    return guard.acquire(call);
  }

  private WatchedHandler<T> watched(HttpPermit permit) {
    WatchedHandler<T> watched = new WatchedHandler<>(handler, permit);
    last = watched;
    return watched;
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
  private record EndOf(HttpPermit permit, WatchedHandler<?> handler)
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
      if (thrown == null) {
        permit.close();
      } else {
        permit.fail(thrown);
      }
    }
  }
}
