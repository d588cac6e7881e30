package dev.recloser.okhttp;

import dev.recloser.Ticker;
import dev.recloser.http.HttpPermit;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.UnknownServiceException;
import okhttp3.Call;

/**
 * One attempt of a call with its permit, and with what it takes to tell a timeout from a
 * cancellation.
 */
final class GuardedCall {
  /** Of its time-out, which began a little before us, a call has had this much when it is over. */
  private static final double NEARLY = 0.95;

  private static final Ticker TICKER = Ticker.system();

  private final HttpPermit permit;
  private final Call call;
  private final long startedAt;

  /**
   * Creates one.
   *
   * @param startedAt when the call came here, by {@link #now}: its time-out is one for all attempts
   */
  GuardedCall(HttpPermit permit, Call call, long startedAt) {
    this.permit = permit;
    this.call = call;
    this.startedAt = startedAt;
  }

  static long now() {
    return TICKER.nanoTime();
  }

  HttpPermit permit() {
    return permit;
  }

  void fail(Throwable thrown) {
    if (isGivenUp(thrown)) {
      permit.close();
    } else if (thrown instanceof UnknownServiceException) {
      permit.notSent(); // No connection would have done: clear text is forbidden, for example.
    } else {
      permit.fail(thrown);
    }
  }

  /**
   * The rest of the body is not wanted. If the call has been cancelled meanwhile it was not the
   * reader who closed the body: OkHttp does so with an answer that comes after that.
   */
  void bodyClosed() {
    if (call.isCanceled()) {
      fail(new InterruptedIOException("cancelled before the end of the body"));
    } else {
      permit.bodyClosed();
    }
  }

  private boolean isGivenUp(Throwable thrown) {
    if (call.isCanceled()) {
      return !isTimedOut();
    }
    // As Okio tells of an interrupt; its time-outs say "timeout", those of sockets have their type.
    return thrown instanceof InterruptedIOException
        && !(thrown instanceof SocketTimeoutException)
        && "interrupted".equals(thrown.getMessage());
  }

  /** OkHttp cancels a call whose time is over. */
  private boolean isTimedOut() {
    long limit = call.timeout().timeoutNanos();
    return limit > 0 && now() - startedAt >= limit * NEARLY;
  }
}
