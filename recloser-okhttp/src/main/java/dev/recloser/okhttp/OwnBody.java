package dev.recloser.okhttp;

import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okio.Buffer;
import okio.BufferedSink;
import okio.ForwardingSink;
import okio.Okio;
import okio.Sink;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, which the caller's own code writes. That this fails is no fault of the
 * dependency, unless what it is written to has failed first.
 */
final class OwnBody extends RequestBody {
  private final RequestBody body;
  private volatile boolean hasFailed;

  private OwnBody(RequestBody body) {
    this.body = body;
  }

  /** That of a request; null if there is none, or it is written while the answer is read. */
  static @Nullable OwnBody of(Request request) {
    RequestBody body = request.body();
    return body == null || body.isDuplex() ? null : new OwnBody(body);
  }

  Request in(Request request) {
    return request.newBuilder().method(request.method(), this).build();
  }

  boolean hasFailed() {
    return hasFailed;
  }

  @Override
  public @Nullable MediaType contentType() {
    return body.contentType();
  }

  @Override
  public long contentLength() throws IOException {
    return body.contentLength();
  }

  @Override
  public boolean isOneShot() {
    return body.isOneShot();
  }

  @Override
  public void writeTo(BufferedSink sink) throws IOException {
    hasFailed = false; // OkHttp may begin anew by itself.
    Connection connection = new Connection(sink);
    BufferedSink own = Okio.buffer((Sink) connection);
    try {
      body.writeTo(own);
      if (own.isOpen()) { // Bodies that compress close it.
        own.emit();
      }
    } catch (Throwable thrown) {
      hasFailed = !connection.hasFailed;
      throw thrown;
    }
  }

  /** Where it goes to; remembers that this has failed. */
  private static final class Connection extends ForwardingSink {
    private boolean hasFailed;

    Connection(Sink sink) {
      super(sink);
    }

    @Override
    public void write(Buffer source, long bytes) throws IOException {
      try {
        super.write(source, bytes);
      } catch (Throwable thrown) {
        hasFailed = true;
        throw thrown;
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        super.flush();
      } catch (Throwable thrown) {
        hasFailed = true;
        throw thrown;
      }
    }
  }
}
