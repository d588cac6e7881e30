package dev.recloser.lab;

import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of limited length, so that a file without any does not fill the memory. Lines end in
 * LF or CRLF.
 */
final class LineReader implements Closeable {
  /** Of a longer line only the beginning is returned: {@value} characters. */
  static final int MAX_LENGTH = 1_000_000;

  private final Reader reader;
  private final char[] buffer = new char[1 << 16];
  private int position;
  private int limit;
  private long number;

  LineReader(Reader reader) {
    this.reader = reader;
  }

  /** How many lines have been read. */
  long number() {
    return number;
  }

  /** Returns the next line without its end; null at the end of the input. */
  @Nullable String next() throws IOException {
    if (position == limit && !fill()) {
      return null;
    }
    number++;
    int end = indexOfLineFeed();
    if (end >= 0) {
      return take(end);
    }
    StringBuilder line = new StringBuilder();
    do {
      line.append(buffer, position, Math.min(limit - position, MAX_LENGTH - line.length()));
      position = limit;
    } while (fill() && (end = indexOfLineFeed()) < 0);
    if (end >= 0) {
      String rest = take(end);
      line.append(rest, 0, Math.min(rest.length(), MAX_LENGTH - line.length()));
    }
    return withoutCarriageReturn(line);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private static String withoutCarriageReturn(StringBuilder line) {
    int length = line.length();
    boolean ends = length > 0 && line.charAt(length - 1) == '\r';
    return line.substring(0, ends ? length - 1 : length);
  }

  private String take(int end) {
    boolean carriageReturn = end > position && buffer[end - 1] == '\r';
    String line = new String(buffer, position, (carriageReturn ? end - 1 : end) - position);
    position = end + 1;
    return line;
  }

  private int indexOfLineFeed() {
    for (int i = position; i < limit; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, reader.read(buffer, 0, buffer.length));
    return limit > 0;
  }
}
