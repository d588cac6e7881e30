package dev.recloser.okhttp;

import dev.recloser.CallRefusedIoException;
import dev.recloser.CallRejectedException;
import dev.recloser.Retry;
import dev.recloser.http.HttpCall;
import dev.recloser.http.HttpGuard;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
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
 *       for OkHttp has no way to pass on any other. So is what else comes of the functions that
 *       give breakers and retries: an {@code IOException} with that as its cause.
 *   <li>With {@link dev.recloser.http.CallEnd#BODY}, a call ends when its body has been read to its
 *       end, or closed, which OkHttp asks for in any case.
 *   <li>A call that is cancelled, or whose thread is interrupted, is no evidence; one that is ended
 *       by its {@code callTimeout} is a failure. Inside a call the two look alike, and are told
 *       apart by the time that has passed.
 *   <li>An answer from the cache is no evidence; nor is what the caller's own request body throws.
 *   <li>The call of a WebSocket ends with the handshake.
 * </ul>
 *
 * <p>With {@linkplain HttpGuard.Builder#retry a retry}, calls that may be made twice are made again
 * here, each attempt under a permit of its own, unless their body can be sent only once. The answer
 * before is closed first. A call that is cancelled, or whose thread is interrupted, stops waiting;
 * one whose {@code callTimeout} would be over first does not begin to wait.
 *
 * <p>Thread-safe.
 */
public final class GuardInterceptor implements Interceptor {
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
    Attempts attempts;
    Optional<Repetition> repetition;
    try {
      Request request = chain.request();
      HttpCall call = HttpCall.of(request.method(), request.url().uri(), request.headers()::values);
      attempts = new Attempts(guard, call, chain);
      Optional<Retry> retry = canBeSentAgain(request) ? guard.retry(call) : Optional.empty();
      repetition = retry.map(with -> new Repetition(chain.call(), attempts, with));
    } catch (RuntimeException thrown) {
      throw unguarded(thrown);
    }
    try {
      return repetition.isPresent() ? repetition.get().make() : attempts.make().response();
    } catch (CallRejectedException refused) {
      throw new CallRefusedIoException(refused);
    }
  }

  /** Of a call that is not made; what is no {@code IOException} would end a dispatcher's thread. */
  static IOException unguarded(RuntimeException thrown) {
    return new IOException("the call is not made, for there is no guard for it: " + thrown, thrown);
  }

  private static boolean canBeSentAgain(Request request) {
    RequestBody body = request.body();
    return body == null || (!body.isOneShot() && !body.isDuplex());
  }
}
