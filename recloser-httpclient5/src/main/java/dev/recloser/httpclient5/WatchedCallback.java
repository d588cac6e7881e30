package dev.recloser.httpclient5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncDataConsumer;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.jspecify.annotations.Nullable;

/**
 * Tells a permit of what happens to a call before the caller's own callback learns of it. What that
 * one throws fails the exchange, but is no fault of the answer, which is as good as its head said.
 */
final class WatchedCallback implements AsyncExecCallback {
  private final AsyncExecCallback callback;
  private final GuardedCall call;

  WatchedCallback(AsyncExecCallback callback, GuardedCall call) {
    this.callback = callback;
    this.call = call;
  }

  @Override
  public @Nullable AsyncDataConsumer handleResponse(
      HttpResponse response, @Nullable EntityDetails entity) throws HttpException, IOException {
    call.permit().answered(Messages.answer(response));
    if (entity == null) {
      call.permit().bodyEnded();
    }
    AsyncDataConsumer consumer;
    try {
      consumer = callback.handleResponse(response, entity);
    } catch (Throwable ofTheCaller) {
      call.bodyClosed();
      throw ofTheCaller;
    }
    return consumer == null ? null : new WatchedConsumer(consumer, call);
  }

  @Override
  public void handleInformationResponse(HttpResponse response) throws HttpException, IOException {
    callback.handleInformationResponse(response);
  }

  @Override
  public void completed() {
    call.permit().bodyEnded();
    callback.completed();
  }

  @Override
  public void failed(Exception thrown) {
    call.fail(thrown);
    callback.failed(thrown);
  }

  private static final class WatchedConsumer implements AsyncDataConsumer {
    private final AsyncDataConsumer consumer;
    private final GuardedCall call;

    WatchedConsumer(AsyncDataConsumer consumer, GuardedCall call) {
      this.consumer = consumer;
      this.call = call;
    }

    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
      try {
        consumer.updateCapacity(channel);
      } catch (Throwable ofTheCaller) {
        call.bodyClosed();
        throw ofTheCaller;
      }
    }

    @Override
    public void consume(ByteBuffer part) throws IOException {
      call.permit().body(part);
      try {
        consumer.consume(part);
      } catch (Throwable ofTheCaller) {
        call.bodyClosed();
        throw ofTheCaller;
      }
    }

    @Override
    public void streamEnd(@Nullable List<? extends Header> trailers)
        throws HttpException, IOException {
      call.permit().bodyEnded();
      consumer.streamEnd(trailers);
    }

    @Override
    public void releaseResources() {
      consumer.releaseResources();
    }
  }
}
