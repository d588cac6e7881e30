package dev.recloser.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * The last line of a terminal, drawn over and over, while other output goes above it. Thread-safe:
 * a progress bar draws on a thread of its own.
 */
final class StatusLine {
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter out;
  private boolean drawn;

  StatusLine(PrintWriter out) {
    this.out = out;
  }

  synchronized void draw(String text) {
    out.print(CLEAR + text.strip());
    out.flush();
    drawn = true;
  }

  synchronized void clear() {
    if (drawn) {
      drawn = false;
      out.print(CLEAR);
      out.flush();
    }
  }

  /** What is written to the same terminal and is to stay there. */
  Writer above(Writer other) {
    return new Writer() {
      @Override
      public void write(char[] chars, int offset, int length) throws IOException {
        clear();
        other.write(chars, offset, length);
      }

      @Override
      public void flush() throws IOException {
        other.flush();
      }

      @Override
      public void close() throws IOException {
        other.close();
      }
    };
  }
}
