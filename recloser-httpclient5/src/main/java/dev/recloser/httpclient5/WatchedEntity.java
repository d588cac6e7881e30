package dev.recloser.httpclient5;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.HttpEntityWrapper;

/**
 * An entity that tells a permit when it has been read to its end, has broken off, or was closed.
 */
final class WatchedEntity extends HttpEntityWrapper {
  private final GuardedCall call;

  WatchedEntity(HttpEntity entity, GuardedCall call) {
    super(entity);
    this.call = call;
  }

  @Override
  public InputStream getContent() throws IOException {
    return new WatchedStream(super.getContent(), call);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    try (InputStream content = getContent()) {
      content.transferTo(out);
    }
  }

  @Override
  public void close() throws IOException {
    call.bodyClosed();
    super.close();
  }

  private static final class WatchedStream extends FilterInputStream {
    private final GuardedCall call;

    WatchedStream(InputStream stream, GuardedCall call) {
      super(stream);
      this.call = call;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read;
      try {
        read = super.read(bytes, offset, length);
      } catch (Throwable thrown) {
        call.fail(thrown);
        throw thrown;
      }
      if (read < 0) {
        call.permit().bodyEnded();
      } else {
        call.permit().body(ByteBuffer.wrap(bytes, offset, read));
      }
      return read;
    }

    @Override
    public void close() throws IOException {
      call.bodyClosed();
      super.close();
    }
  }
}
