package dev.recloser.okhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import okhttp3.MediaType;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;
import okio.Source;
import org.jspecify.annotations.Nullable;

/** A body that tells a permit when it has been read to its end, has broken off, or was closed. */
final class WatchedBody extends ResponseBody {
  private final ResponseBody body;
  private final BufferedSource source;

  WatchedBody(ResponseBody body, GuardedCall call) {
    this.body = body;
    source = Okio.buffer(new WatchedSource(body.source(), call));
  }

  @Override
  public @Nullable MediaType contentType() {
    return body.contentType();
  }

  @Override
  public long contentLength() {
    return body.contentLength();
  }

  @Override
  public BufferedSource source() {
    return source;
  }

  private static final class WatchedSource extends ForwardingSource {
    private final GuardedCall call;

    WatchedSource(Source source, GuardedCall call) {
      super(source);
      this.call = call;
    }

    @Override
    public long read(Buffer sink, long byteCount) throws IOException {
      long read;
      try {
        read = super.read(sink, byteCount);
      } catch (Throwable thrown) {
        call.fail(thrown);
        throw thrown;
      }
      if (read < 0) {
        call.permit().bodyEnded();
      } else if (call.permit().wantsBody()) {
        call.permit().body(last(sink, read));
      }
      return read;
    }

    @Override
    public void close() throws IOException {
      call.bodyClosed();
      super.close();
    }

    /** A copy of what was read last. */
    private static ByteBuffer last(Buffer sink, long bytes) {
      Buffer copy = new Buffer();
      sink.copyTo(copy, sink.size() - bytes, bytes);
      return ByteBuffer.wrap(copy.readByteArray());
    }
  }
}
