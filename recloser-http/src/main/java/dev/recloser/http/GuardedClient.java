package dev.recloser.http;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** A JDK client that makes its calls with another one, guarded. */
final class GuardedClient extends HttpClient {
  private final HttpClient client;
  private final HttpGuard guard;

  GuardedClient(HttpClient client, HttpGuard guard) {
    this.client = client;
    this.guard = guard;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return rounds(request, handler, null).send();
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return sendAsync(request, handler, null);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request,
      BodyHandler<T> handler,
      @Nullable PushPromiseHandler<T> pushPromiseHandler) {
    try {
      return rounds(request, handler, pushPromiseHandler).sendAsync();
    } catch (Throwable thrown) {
      return CompletableFuture.failedFuture(thrown); // Of what gives retries or hedges.
    }
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return client.newWebSocketBuilder();
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client.authenticator();
  }

  @Override
  public Version version() {
    return client.version();
  }

  @Override
  public Optional<Executor> executor() {
    return client.executor();
  }

  // These came with Java 21, and override there what would not reach the other client.

  /** Closes the other client. */
  public void close() {
    var unused = Closing.call(client, "close");
  }

  /** Shuts the other client down. */
  public void shutdown() {
    var unused = Closing.call(client, "shutdown");
  }

  /** Shuts the other client down at once. */
  public void shutdownNow() {
    var unused = Closing.call(client, "shutdownNow");
  }

  /** Whether the other client has terminated. */
  public boolean isTerminated() {
    return Boolean.TRUE.equals(Closing.call(client, "isTerminated"));
  }

  /** Waits for the other client to terminate. */
  public boolean awaitTermination(Duration duration) throws InterruptedException {
    return Closing.awaitTermination(client, duration);
  }

  @Override
  public String toString() {
    return "guarded " + client;
  }

  private <T> Rounds<T> rounds(
      HttpRequest request,
      BodyHandler<T> handler,
      @Nullable PushPromiseHandler<T> pushPromiseHandler) {
    HttpCall call = HttpCall.of(request);
    return new Rounds<>(
        new SentCall<>(client, guard, call, request, handler, pushPromiseHandler),
        guard.retry(call).orElse(null),
        guard.hedge(call).orElse(null));
  }
}
