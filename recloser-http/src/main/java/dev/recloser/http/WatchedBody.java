package dev.recloser.http;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A body on its way to the caller's own subscriber, which tells a permit of its end before that
 * subscriber learns of it: so whoever has the body finds the call counted.
 *
 * <p>The subscriber is the caller's code. What it throws goes to the client, as without us, after
 * the call has ended as its head said.
 */
final class WatchedBody<T> implements BodySubscriber<T> {
  private final BodySubscriber<T> subscriber;
  private final HttpPermit permit;
  private final Consumer<Throwable> brokenOff;

  // Who writes one of these looks at the other afterwards: a body can be let go before it begins.
  private volatile @Nullable Subscription subscription;
  private volatile boolean discarded;

  /**
   * Creates one.
   *
   * @param brokenOff learns of a body that breaks off
   */
  WatchedBody(BodySubscriber<T> subscriber, HttpPermit permit, Consumer<Throwable> brokenOff) {
    this.subscriber = Objects.requireNonNull(subscriber, "the body handler gave no subscriber");
    this.permit = permit;
    this.brokenOff = brokenOff;
  }

  @Override
  public CompletionStage<T> getBody() {
    return subscriber.getBody();
  }

  @Override
  public void onSubscribe(Subscription upstream) {
    subscription = upstream;
    ofTheCaller(() -> subscriber.onSubscribe(new Watched(upstream)));
    if (discarded) {
      upstream.cancel();
    }
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    parts.forEach(permit::body);
    ofTheCaller(() -> subscriber.onNext(parts));
  }

  @Override
  public void onError(Throwable thrown) {
    brokenOff.accept(thrown);
    subscriber.onError(thrown);
  }

  @Override
  public void onComplete() {
    permit.bodyEnded();
    subscriber.onComplete();
  }

  void discard() {
    discarded = true;
    Subscription upstream = subscription;
    if (upstream != null) {
      upstream.cancel();
    }
  }

  private void ofTheCaller(Runnable code) {
    try {
      code.run();
    } catch (Throwable thrown) {
      permit.bodyClosed();
      throw thrown;
    }
  }

  /** The subscription that the caller's own subscriber gets, by which it can want no more. */
  private final class Watched implements Subscription {
    private final Subscription upstream;

    Watched(Subscription upstream) {
      this.upstream = upstream;
    }

    @Override
    public void request(long items) {
      upstream.request(items);
    }

    @Override
    public void cancel() {
      permit.bodyClosed();
      upstream.cancel();
    }
  }
}
