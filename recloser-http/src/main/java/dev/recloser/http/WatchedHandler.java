package dev.recloser.http;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import org.jspecify.annotations.Nullable;

/** A body handler that tells a permit of the answer on its way to the caller's own handler. */
final class WatchedHandler<T> implements BodyHandler<T> {
  private final BodyHandler<T> handler;
  private final HttpPermit permit;
  private volatile @Nullable WatchedBody<T> body;

  WatchedHandler(BodyHandler<T> handler, HttpPermit permit) {
    this.handler = handler;
    this.permit = permit;
  }

  @Override
  public BodySubscriber<T> apply(ResponseInfo info) {
    permit.answered(HttpAnswer.of(info));
    try {
      WatchedBody<T> watched = new WatchedBody<>(handler.apply(info), permit);
      body = watched;
      return watched;
    } catch (Throwable ofTheCaller) {
      permit.bodyClosed();
      throw ofTheCaller;
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
