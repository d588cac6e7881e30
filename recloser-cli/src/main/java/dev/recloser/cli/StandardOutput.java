package dev.recloser.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * Standard output that remembers why it failed; {@code System.out} only knows that it did. A reader
 * that has seen enough and closed its end, as {@code head} does, is no failure.
 */
final class StandardOutput extends FilterOutputStream {
  private @Nullable IOException failure;

  /**
   * Creates one.
   *
   * @param out the bare stream: a {@link java.io.PrintStream} would keep the reason to itself
   */
  StandardOutput(OutputStream out) {
    super(out);
  }

  PrintWriter writer() {
    String encoding =
        System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
    Charset charset = encoding == null ? Charset.defaultCharset() : Charset.forName(encoding);
    return new PrintWriter(new OutputStreamWriter(this, charset), /* autoFlush= */ true);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /** Why something could not be written; null if all could, or if nobody wanted it. */
  @Nullable String failure() {
    String message = failure == null ? null : failure.getMessage();
    return message == null || message.contains("Broken pipe") ? null : message;
  }
}
