package dev.recloser.okhttp;

import dev.recloser.CallRefusedIoException;
import dev.recloser.CallRejectedException;
import dev.recloser.http.HttpAnswer;
import dev.recloser.http.HttpCall;
import dev.recloser.http.HttpGuard;
import dev.recloser.http.HttpPermit;
import java.io.IOException;
import java.util.Objects;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Puts each call of an OkHttp client under the breaker of the dependency that it goes to.
 *
 * <pre>{@code
 * HttpGuard guard = HttpGuard.create();
 * OkHttpClient client = new OkHttpClient.Builder()
 *     .addInterceptor(GuardInterceptor.of(guard)) // the first, so that it sees whole calls
 *     .build();
 * }</pre>
 *
 * <p>It is an application interceptor: redirects, authentication and what the client tries again by
 * itself are part of a call. As a network interceptor it would not see connections that fail.
 *
 * <ul>
 *   <li>A refusal is a {@link CallRefusedIoException}, whether the call is executed or enqueued,
 *       for OkHttp has no way to pass on any other.
 *   <li>With {@link dev.recloser.http.CallEnd#BODY}, a call ends when its body has been read to its
 *       end, or closed, which OkHttp asks for in any case.
 *   <li>A call that is cancelled, or whose thread is interrupted, is no evidence; one that is ended
 *       by its {@code callTimeout} is a failure. Inside a call the two look alike, and are told
 *       apart by the time that has passed.
 *   <li>An answer from the cache is no evidence.
 *   <li>The call of a WebSocket ends with the handshake.
 * </ul>
 *
 * <p>{@linkplain HttpGuard.Builder#retry Retries} of a guard are for the JDK's client only.
 *
 * <p>Thread-safe.
 */
public final class GuardInterceptor implements Interceptor {
  private static final int SWITCHING_PROTOCOLS = 101;

  private final HttpGuard guard;

  private GuardInterceptor(HttpGuard guard) {
    this.guard = guard;
  }

  /**
   * Makes an interceptor.
   *
   * @param guard which breakers, and what answers mean to them
   */
  public static GuardInterceptor of(HttpGuard guard) {
    return new GuardInterceptor(Objects.requireNonNull(guard, "guard"));
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    GuardedCall call = new GuardedCall(acquire(request), chain.call());
    Response response;
    try {
      response = chain.proceed(request);
    } catch (Throwable thrown) {
      call.fail(thrown);
      throw thrown;
    }
    return watched(response, call);
  }

  private HttpPermit acquire(Request request) throws CallRefusedIoException {
    try {
      return guard.acquire(
          HttpCall.of(request.method(), request.url().uri(), request.headers()::values));
    } catch (CallRejectedException refused) {
      throw new CallRefusedIoException(refused);
    }
  }

  private static Response watched(Response response, GuardedCall call) {
    if (response.networkResponse() == null) {
      call.permit().notSent();
      return response;
    }
    call.permit().answered(HttpAnswer.of(response.code(), response::headers));
    if (response.code() == SWITCHING_PROTOCOLS || response.body().contentLength() == 0) {
      call.permit().bodyEnded();
      return response;
    }
    return response.newBuilder().body(new WatchedBody(response.body(), call)).build();
  }
}
