package dev.recloser.console;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the panel answers. To be written once, or closed; a stream of events holds a place until
 * then.
 *
 * <p>Not thread-safe.
 */
public final class ConsoleAnswer implements AutoCloseable {
  /** Writes a body. */
  @FunctionalInterface
  interface Body {
    void writeTo(OutputStream out) throws IOException;
  }

  private final int status;
  private final Map<String, String> headers;
  private final long length;
  private final Body body;
  private final Runnable onClose;

  private ConsoleAnswer(
      int status, Map<String, String> headers, long length, Body body, Runnable onClose) {
    this.status = status;
    this.headers = headers;
    this.length = length;
    this.body = body;
    this.onClose = onClose;
  }

  static ConsoleAnswer of(int status, Map<String, String> headers, byte[] body) {
    return new ConsoleAnswer(status, headers, body.length, out -> out.write(body), () -> {});
  }

  static ConsoleAnswer stream(Map<String, String> headers, Body body, Runnable onClose) {
    return new ConsoleAnswer(200, headers, -1, body, onClose);
  }

  /** The same for a request that wants no body. */
  ConsoleAnswer withoutBody() {
    close();
    return new ConsoleAnswer(status, headers, length, out -> {}, () -> {});
  }

  ConsoleAnswer with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(more);
    all.putAll(headers);
    return new ConsoleAnswer(status, all, length, body, onClose);
  }

  /** The status code. */
  public int status() {
    return status;
  }

  /** The header fields, one value each, the length not among them. Immutable. */
  public Map<String, String> headers() {
    return Collections.unmodifiableMap(headers);
  }

  /** The length of the body in bytes; -1 where it is not known before. */
  public long length() {
    return length;
  }

  /**
   * Writes the body. A stream of events does not end by itself: this returns when the panel is
   * closed, and throws when the reader has gone. It flushes whenever there is something to read.
   *
   * @throws IOException when the reader has gone, or was too slow
   */
  public void writeTo(OutputStream out) throws IOException {
    try (this) {
      body.writeTo(out);
    }
  }

  /** Gives back what it holds; does nothing after that. Never throws. */
  @Override
  public void close() {
    onClose.run();
  }
}
