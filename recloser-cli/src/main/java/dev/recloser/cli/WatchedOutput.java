package dev.recloser.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * An output of which is known before long that it takes nothing any more. A {@link PrintWriter}
 * keeps that to itself, so that whoever writes goes on to the end, and for nobody.
 */
final class WatchedOutput extends Writer {
  /** Asking flushes, so it is not done for each line. */
  private static final int STRIDE = 1 << 13;

  private final PrintWriter out;
  private int unwatched;

  WatchedOutput(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void write(char[] chars, int offset, int length) throws IOException {
    out.write(chars, offset, length);
    unwatched += length;
    if (unwatched >= STRIDE) {
      flush();
    }
  }

  @Override
  public void flush() throws IOException {
    unwatched = 0;
    if (out.checkError()) { // Which flushes.
      throw new EndedException();
    }
  }

  @Override
  public void close() {
    out.close();
  }

  /** Nothing can be written any more; who made the output knows why. */
  static final class EndedException extends IOException {
    private static final long serialVersionUID = 1L;

    EndedException() {
      super("the output has ended");
    }
  }
}
