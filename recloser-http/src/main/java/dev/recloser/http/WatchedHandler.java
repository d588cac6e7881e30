package dev.recloser.http;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A body handler that tells a permit of the answer on its way to the caller's own handler.
 *
 * <p>A body that breaks off while the client still waits for it makes the client throw, and what it
 * then throws is what counts: an interrupt, for example, cancels the exchange, which breaks the
 * body off, before the caller learns that it was interrupted. Only once the caller has the
 * response, and with it a stream, is there nothing else to tell of it.
 */
final class WatchedHandler<T> implements BodyHandler<T> {
  private static final Object HANDED_OVER = new Object();

  private final BodyHandler<T> handler;
  private final HttpPermit permit;
  private volatile @Nullable WatchedBody<T> body;

  /** How the body broke off while the client waited for it, or that the caller has the response. */
  private final AtomicReference<@Nullable Object> brokenOrHandedOver = new AtomicReference<>();

  WatchedHandler(BodyHandler<T> handler, HttpPermit permit) {
    this.handler = handler;
    this.permit = permit;
  }

  @Override
  public BodySubscriber<T> apply(ResponseInfo info) {
    permit.answered(HttpAnswer.of(info));
    try {
      WatchedBody<T> watched = new WatchedBody<>(handler.apply(info), permit, this::brokenOff);
      body = watched;
      return watched;
    } catch (Throwable ofTheCaller) {
      permit.bodyClosed();
      throw ofTheCaller;
    }
  }

  /**
   * The caller gets the response now. The client has not always asked for what becomes of the body:
   * not when a proxy wants to be told who asks for a tunnel.
   */
  void handedOver(HttpResponse<?> response) {
    if (permit.result() == null) {
      permit.answered(HttpAnswer.of(response));
      permit.bodyEnded();
    }
    if (brokenOrHandedOver.getAndSet(HANDED_OVER) instanceof Throwable brokenOff) {
      permit.fail(brokenOff);
    }
  }

  private void brokenOff(Throwable thrown) {
    if (!brokenOrHandedOver.compareAndSet(null, thrown)) {
      permit.fail(thrown);
    }
  }

  /** Lets go of a body that nobody will read, and of the connection that it comes over. */
  void discard() {
    WatchedBody<T> unread = body;
    if (unread != null) {
      unread.discard();
    }
  }
}
