package dev.recloser.httpclient5;

import dev.recloser.CallNotPermittedException;
import dev.recloser.Retry;
import dev.recloser.http.HttpCall;
import dev.recloser.http.HttpGuard;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
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
 * <p>With {@linkplain HttpGuard.Builder#retry a retry}, calls that may be made twice are made again
 * here, each attempt under a permit of its own, unless their entity can be sent only once. No
 * thread is held by the wait, which ends when the future is cancelled. The client has retries of
 * its own, which {@code disableAutomaticRetries()} turns off.
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
    HttpCall call = Messages.call(request, scope.route);
    AsyncRepetition attempts =
        new AsyncRepetition(guard, call, request, body, scope, chain, callback);
    Optional<Retry> retry;
    try {
      retry = body == null || body.isRepeatable() ? guard.retry(call) : Optional.empty();
    } catch (RuntimeException thrown) {
      callback.failed(thrown); // The client would not tell the future of it.
      return;
    }
    if (retry.isEmpty()) {
      attempts.once();
    } else {
      attempts.repeated(retry.get().begin());
    }
  }
}
