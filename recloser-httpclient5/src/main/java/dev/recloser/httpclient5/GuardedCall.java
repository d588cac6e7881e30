package dev.recloser.httpclient5;

import dev.recloser.http.HttpPermit;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.core5.concurrent.CancellableDependency;

/**
 * A call with its permit.
 *
 * @param dependency what knows whether the caller has cancelled it, if it is one that does
 */
record GuardedCall(HttpPermit permit, Object dependency) {
  void fail(Throwable thrown) {
    if (isCancelled() || thrown instanceof RequestFailedException) {
      permit.close(); // The second is what an interrupt is called.
    } else {
      permit.fail(thrown);
    }
  }

  /** The rest of the body is not wanted: of an answer that is good enough, or of a call at all. */
  void bodyClosed() {
    if (isCancelled()) {
      permit.close();
    } else {
      permit.bodyClosed();
    }
  }

  private boolean isCancelled() {
    return dependency instanceof CancellableDependency cancellable && cancellable.isCancelled();
  }
}
