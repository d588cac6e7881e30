package dev.recloser.http;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way to the client. It is made by the caller's own code, so that it
 * fails is nobody else's fault, though the client then tells of a failed exchange.
 */
final class OwnBody implements BodyPublisher {
  private final BodyPublisher publisher;
  private volatile boolean hasFailed;

  private OwnBody(BodyPublisher publisher) {
    this.publisher = publisher;
  }

  /** That of a request; null if there is none. */
  static @Nullable OwnBody of(HttpRequest request) {
    return request.bodyPublisher().map(OwnBody::new).orElse(null);
  }

  /** The same request with this body; itself if it is one of a kind that cannot be copied. */
  HttpRequest in(HttpRequest request) {
    try {
      return HttpRequest.newBuilder(request, (name, value) -> true)
          .method(request.method(), this)
          .build();
    } catch (IllegalArgumentException strange) {
      return request;
    }
  }

  boolean hasFailed() {
    return hasFailed;
  }

  @Override
  public long contentLength() {
    return ofTheCaller(publisher::contentLength);
  }

  @Override
  public void subscribe(Subscriber<? super ByteBuffer> client) {
    hasFailed = false; // A client may begin anew by itself.
    boolean unused =
        ofTheCaller(
            () -> {
              publisher.subscribe(new Watching(client));
              return true;
            });
  }

  private <R> R ofTheCaller(Supplier<R> code) {
    try {
      return code.get();
    } catch (Throwable thrown) {
      hasFailed = true;
      throw thrown;
    }
  }

  private final class Watching implements Subscriber<ByteBuffer> {
    private final Subscriber<? super ByteBuffer> client;

    Watching(Subscriber<? super ByteBuffer> client) {
      this.client = client;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      client.onSubscribe(subscription);
    }

    @Override
    public void onNext(ByteBuffer part) {
      client.onNext(part);
    }

    @Override
    public void onError(Throwable thrown) {
      hasFailed = true;
      client.onError(thrown);
    }

    @Override
    public void onComplete() {
      client.onComplete();
    }
  }
}
