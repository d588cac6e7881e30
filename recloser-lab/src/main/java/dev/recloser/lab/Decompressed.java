package dev.recloser.lab;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Sees from the first bytes whether a file is compressed. */
final class Decompressed {
  private static final int BUFFER = 1 << 16;
  private static final String GZIP = "1f8b";

  /** How the files of compressors that cannot be read begin. */
  private static final Map<String, String> OTHERS =
      Map.of("28b52ffd", "zstd", "425a68", "bzip2", "fd377a58", "xz", "504b0304", "zip");

  private Decompressed() {}

  /**
   * Returns what a stream holds, decompressed if it is gzip.
   *
   * @throws InvalidTraceException if it is compressed in another way
   */
  static InputStream of(String name, InputStream in) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(in, BUFFER);
    buffered.mark(4);
    String magic = hex(buffered.readNBytes(4));
    buffered.reset();
    for (Map.Entry<String, String> other : OTHERS.entrySet()) {
      if (magic.startsWith(other.getKey())) {
        throw new InvalidTraceException(
            name, 1, "compressed with " + other.getValue() + " (expected: plain text or gzip)");
      }
    }
    return magic.startsWith(GZIP) ? gzip(buffered) : buffered;
  }

  /** It reads the header when it is made. */
  private static InputStream gzip(InputStream in) throws IOException {
    try {
      return new Gzip(in);
    } catch (EOFException | ZipException e) {
      throw told(e);
    }
  }

  private static IOException told(IOException e) {
    return new IOException(
        e instanceof EOFException
            ? "the gzip data breaks off"
            : "the gzip data is damaged: " + e.getMessage(),
        e);
  }

  private static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(String.format("%02x", b));
    }
    return text.toString();
  }

  /** Says of damaged data that it is damaged. */
  private static final class Gzip extends GZIPInputStream {
    Gzip(InputStream in) throws IOException {
      super(in, BUFFER);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        return super.read(bytes, offset, length);
      } catch (EOFException | ZipException e) {
        throw told(e);
      }
    }
  }
}
