package dev.recloser.httpclient5;

import dev.recloser.CallNotPermittedException;
import dev.recloser.http.HttpGuard;
import dev.recloser.http.HttpPermit;
import java.io.IOException;
import java.util.Objects;
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
 * <p>{@linkplain HttpGuard.Builder#retry Retries} of a guard are for the JDK's client only; this
 * one has its own.
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
    HttpPermit permit = guard.acquire(Messages.call(request, scope.route));
    GuardedCall call = new GuardedCall(permit, scope.originalRequest);
    ClassicHttpResponse response;
    try {
      response = chain.proceed(request, scope);
    } catch (Throwable thrown) {
      call.fail(thrown);
      throw thrown;
    }
    permit.answered(Messages.answer(response));
    HttpEntity entity = response.getEntity();
    if (entity == null) {
      permit.bodyEnded();
    } else {
      response.setEntity(new WatchedEntity(entity, call));
    }
    return response;
  }
}
