package dev.recloser.console;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the events of an instance, from the request until it ends, however that is.
 *
 * <p>The client calls the methods of a subscriber one after the other. Only what {@link #close}
 * needs is shared with other threads, and guarded by this.
 */
final class FeedConnection implements BodySubscriber<@Nullable Void>, AutoCloseable {
  /** How large an event may be: some three thousand breakers, each with a long name. */
  static final int MOST_BYTES = 2 * 1024 * 1024;

  /** Whom it tells. Called without a lock. */
  interface Listener {
    void heard(FeedConnection from, String type, RemoteEvent event);

    /**
     * It is over, once and for all.
     *
     * @param cause null if the other side has ended it
     */
    void ended(FeedConnection from, @Nullable Throwable cause);
  }

  private final Listener listener;
  private final EventParser parser = new EventParser(MOST_BYTES, this::event);
  private final CompletableFuture<@Nullable Void> body = new CompletableFuture<>();
  private @Nullable FeedFault refused;

  // Guarded by this.
  private @Nullable CompletableFuture<?> exchange;
  private Flow.@Nullable Subscription subscription;
  private @Nullable Thread maker;
  private boolean closed;

  FeedConnection(Listener listener) {
    this.listener = listener;
  }

  /** Which thread makes the request, asking the application for header fields; null for none. */
  synchronized void whileMadeOn(@Nullable Thread thread) {
    if (closed && thread != null) {
      throw new FeedFault("given up");
    }
    maker = thread;
  }

  /** Sends the request and returns at once. */
  void open(HttpClient client, HttpRequest request) {
    CompletableFuture<?> sent = client.sendAsync(request, this::begin);
    boolean late;
    synchronized (this) {
      exchange = sent;
      late = closed;
    }
    if (late) {
      sent.cancel(true);
    }
    var unused = sent.whenComplete((response, cause) -> listener.ended(this, cause));
  }

  /** It could not even be sent. */
  void fail(Throwable cause) {
    listener.ended(this, cause);
  }

  private BodySubscriber<@Nullable Void> begin(ResponseInfo answer) {
    refused = fault(answer);
    return this;
  }

  private static @Nullable FeedFault fault(ResponseInfo answer) {
    int status = answer.statusCode();
    if (status != 200) {
      return new FeedFault("answers " + status + hint(status));
    }
    String type = answer.headers().firstValue("Content-Type").orElse(null);
    boolean events = type != null && type.toLowerCase(Locale.ROOT).startsWith("text/event-stream");
    return events
        ? null
        : FeedFault.notAPanel("answers " + Text.quoted(type) + " (expected: text/event-stream)");
  }

  private static String hint(int status) {
    return switch (status) {
      case 301, 302, 303, 307, 308 -> " (redirects are not followed)";
      case 401, 403, 407 -> " (it does not let this panel in)";
      case 404 -> " (no panel is there)";
      case 421 -> " (its panel does not have that name among its hosts)";
      default -> "";
    };
  }

  @Override
  public CompletionStage<@Nullable Void> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription made) {
    boolean late;
    synchronized (this) {
      subscription = made;
      late = closed;
    }
    if (late || refused != null) {
      end(made, refused == null ? new FeedFault("given up") : refused);
    } else {
      made.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> pieces) {
    Flow.Subscription own;
    synchronized (this) {
      own = subscription;
    }
    if (own == null || body.isDone()) {
      return;
    }
    try {
      pieces.forEach(parser::accept);
      own.request(1);
    } catch (RuntimeException e) {
      end(own, e);
    }
  }

  @Override
  public void onError(Throwable cause) {
    body.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    body.complete(null);
  }

  /** To cancel closes the connection, so that the rest of what is sent is not even received. */
  private void end(Flow.Subscription own, Throwable cause) {
    own.cancel();
    body.completeExceptionally(cause);
  }

  private void event(String type, byte[] data) {
    switch (type) {
      case "snapshot", "changes", "heartbeat" ->
          listener.heard(this, type, RemoteEvent.parse(data));
      default -> {
        // One of a later version.
      }
    }
  }

  /** Gives up. The listener is told, if it was not. */
  @Override
  public void close() {
    CompletableFuture<?> sent;
    Flow.Subscription own;
    synchronized (this) {
      closed = true;
      if (maker != null) {
        maker.interrupt(); // It may wait for a header field, and is of no use any more.
      }
      sent = exchange;
      own = subscription;
    }
    if (own != null) {
      end(own, new FeedFault("given up"));
    }
    if (sent != null) {
      sent.cancel(true);
    }
  }
}
