package dev.recloser.httpclient5;

import dev.recloser.http.HttpPermit;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;

/** One attempt of a call with its permit. */
record GuardedCall(HttpPermit permit, Dependency dependency) {
  void fail(Throwable thrown) {
    if (isGivenUp(thrown)) {
      permit.close();
    } else {
      permit.fail(thrown);
    }
  }

  /** The rest of the body is not wanted: of an answer that is good enough, or of a call at all. */
  void bodyClosed() {
    if (dependency.isCancelled()) {
      permit.close();
    } else {
      permit.bodyClosed();
    }
  }

  /** Whether the caller has given up; an interrupt is thrown as a failed request. */
  private boolean isGivenUp(Throwable thrown) {
    return dependency.isCancelled() || thrown instanceof RequestFailedException;
  }
}
