package dev.recloser.httpclient5;

import dev.recloser.CallNotPermittedException;
import dev.recloser.Retry;
import dev.recloser.http.HttpCall;
import dev.recloser.http.HttpGuard;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecChainHandler;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;

/**
 * Puts each call of a classic client under the breaker of the dependency that it goes to.
 *
 * <pre>{@code
 * HttpGuard guard = HttpGuard.create();
 * CloseableHttpClient client = HttpClients.custom()
 *     .addExecInterceptorFirst("recloser", GuardExecHandler.of(guard))
 *     .build();
 * }</pre>
 *
 * <p>As the first of the chain it sees whole calls, with their redirects and retries. Added after
 * {@code ChainElement.RETRY} it sees, and refuses, each attempt.
 *
 * <ul>
 *   <li>A refusal is a {@link CallNotPermittedException}.
 *   <li>With {@link dev.recloser.http.CallEnd#BODY}, a call ends when its entity has been read to
 *       its end, or it or the response was closed, which the client asks for in any case.
 *   <li>A call whose request is cancelled, or whose thread is interrupted, is no evidence.
 * </ul>
 *
 * <p>With {@linkplain HttpGuard.Builder#retry a retry}, calls that may be made twice are made again
 * here, each attempt under a permit of its own, unless their entity can be sent only once. The
 * answer before is dropped first, with its connection. A request that is cancelled, or whose thread
 * is interrupted, stops waiting. The client has retries of its own, which {@code
 * disableAutomaticRetries()} turns off.
 *
 * <p>Thread-safe.
 */
public final class GuardExecHandler implements ExecChainHandler {
  private final HttpGuard guard;

  private GuardExecHandler(HttpGuard guard) {
    this.guard = guard;
  }

  /**
   * Makes a handler.
   *
   * @param guard which breakers, and what answers mean to them
   */
  public static GuardExecHandler of(HttpGuard guard) {
    return new GuardExecHandler(Objects.requireNonNull(guard, "guard"));
  }

  @Override
  public ClassicHttpResponse execute(
      ClassicHttpRequest request, ExecChain.Scope scope, ExecChain chain)
      throws IOException, HttpException {
    HttpCall call = Messages.call(request, scope.route);
    Repetition attempts = new Repetition(guard, call, request, scope, chain);
    HttpEntity entity = request.getEntity();
    Optional<Retry> retry =
        entity == null || entity.isRepeatable() ? guard.retry(call) : Optional.empty();
    return retry.isEmpty() ? attempts.once() : attempts.repeated(retry.get().begin());
  }
}
