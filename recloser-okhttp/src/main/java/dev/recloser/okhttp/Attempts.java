package dev.recloser.okhttp;

import dev.recloser.CallRejectedException;
import dev.recloser.JudgedResult;
import dev.recloser.http.HttpAnswer;
import dev.recloser.http.HttpCall;
import dev.recloser.http.HttpGuard;
import dev.recloser.http.HttpPermit;
import java.io.IOException;
import okhttp3.Interceptor.Chain;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Makes the attempts of one call, each under a permit of its own. */
final class Attempts {
  private static final int SWITCHING_PROTOCOLS = 101;

  private final HttpGuard guard;
  private final HttpCall call;
  private final Chain chain;
  private final long startedAt = GuardedCall.now();

  /** Of an attempt that has thrown: that it had sent nothing; null if it may have. */
  private @Nullable JudgedResult notSent;

  Attempts(HttpGuard guard, HttpCall call, Chain chain) {
    this.guard = guard;
    this.call = call;
    this.chain = chain;
  }

  /**
   * What an attempt got.
   *
   * @param judged what the answer means
   */
  record Answered(Response response, @Nullable JudgedResult judged) {}

  Answered make() throws IOException {
    Request request = chain.request();
    HttpPermit permit = acquire();
    GuardedCall attempt = new GuardedCall(permit, chain.call(), startedAt);
    OwnBody body = OwnBody.of(request);
    Response response;
    try {
      response = chain.proceed(body == null ? request : body.in(request));
    } catch (Throwable thrown) {
      if (body != null && body.hasFailed()) {
        permit.notSent();
      } else {
        attempt.fail(thrown);
      }
      notSent = permit.result();
      throw thrown;
    }
    return new Answered(watched(response, attempt), permit.result());
  }

  @Nullable JudgedResult notSent() {
    return notSent;
  }

  private HttpPermit acquire() throws IOException {
    try {
      return guard.acquire(call);
    } catch (CallRejectedException refused) {
      throw refused;
    } catch (RuntimeException noBreaker) {
      throw GuardInterceptor.unguarded(noBreaker);
    }
  }

  private static Response watched(Response response, GuardedCall attempt) {
    if (response.networkResponse() == null) {
      attempt.permit().notSent();
      return response;
    }
    attempt.permit().answered(HttpAnswer.of(response.code(), response::headers));
    if (response.code() == SWITCHING_PROTOCOLS || response.body().contentLength() == 0) {
      attempt.permit().bodyEnded();
      return response;
    }
    return response.newBuilder().body(new WatchedBody(response.body(), attempt)).build();
  }
}
