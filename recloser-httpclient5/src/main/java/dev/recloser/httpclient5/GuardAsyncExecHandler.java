package dev.recloser.httpclient5;

import dev.recloser.CallNotPermittedException;
import dev.recloser.http.HttpGuard;
import dev.recloser.http.HttpPermit;
import java.io.IOException;
import java.util.Objects;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.async.AsyncExecChainHandler;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.jspecify.annotations.Nullable;

/**
 * Puts each call of an asynchronous client under the breaker of the dependency that it goes to.
 *
 * <pre>{@code
 * HttpGuard guard = HttpGuard.create();
 * CloseableHttpAsyncClient client = HttpAsyncClients.custom()
 *     .addExecInterceptorFirst("recloser", GuardAsyncExecHandler.of(guard))
 *     .build();
 * }</pre>
 *
 * <p>As the first of the chain it sees whole calls, with their redirects and retries. Added after
 * {@code ChainElement.RETRY} it sees, and refuses, each attempt.
 *
 * <ul>
 *   <li>A refusal is a {@link CallNotPermittedException}, in the future.
 *   <li>With {@link dev.recloser.http.CallEnd#BODY}, a call ends with the last byte of its body.
 *   <li>A call whose future is cancelled is no evidence.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class GuardAsyncExecHandler implements AsyncExecChainHandler {
  private final HttpGuard guard;

  private GuardAsyncExecHandler(HttpGuard guard) {
    this.guard = guard;
  }

  /**
   * Makes a handler.
   *
   * @param guard which breakers, and what answers mean to them
   */
  public static GuardAsyncExecHandler of(HttpGuard guard) {
    return new GuardAsyncExecHandler(Objects.requireNonNull(guard, "guard"));
  }

  @Override
  public void execute(
      HttpRequest request,
      @Nullable AsyncEntityProducer body,
      AsyncExecChain.Scope scope,
      AsyncExecChain chain,
      AsyncExecCallback callback)
      throws HttpException, IOException {
    HttpPermit permit;
    try {
      permit = guard.acquire(Messages.call(request, scope.route));
    } catch (RuntimeException refused) {
      callback.failed(refused);
      return;
    }
    GuardedCall call = new GuardedCall(permit, scope.cancellableDependency);
    try {
      chain.proceed(request, body, scope, new WatchedCallback(callback, call));
    } catch (Throwable thrown) {
      call.fail(thrown);
      throw thrown;
    }
  }
}
