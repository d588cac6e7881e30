package dev.recloser.lab;

import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;

/**
 * Splits comma-separated values into rows of fields, as RFC 4180 has them.
 *
 * <p>More liberal than that in four points: lines may end in LF, CRLF or CR, spaces and tabs around
 * a field are dropped, blank lines are skipped, and a quote inside a field that does not begin with
 * one is a character like any other. Nothing outlives its row, and a row is of limited length, so
 * that a quote that is never closed does not swallow the memory together with the rest of the file.
 *
 * @implNote By hand, because a replay shall take less than a microsecond a row, in a fresh JVM too,
 *     and commons-csv takes most of it. This takes about two thirds as long.
 */
final class CsvReader implements Closeable {
  /** A row of more characters is refused when more memory would be needed for it: {@value}. */
  static final int MAX_ROW = 1_000_000;

  private static final int END = -1;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final String name;
  private final Reader reader;
  private final char[] buffer = new char[1 << 16];
  private int position;
  private int limit;

  /** The fields of the row, one behind the other without their separators. */
  private char[] row = new char[256];

  private int length;
  private int[] ends = new int[16];
  private int size;

  /** The line on which the row begins, and the one that is being read. */
  private long firstLine = 1;

  private long line = 1;

  CsvReader(String name, Reader reader) throws IOException {
    this.name = name;
    this.reader = reader;
    if (peek() == BYTE_ORDER_MARK) {
      position++;
    }
  }

  /** Goes on to the next row; false if there is none. */
  boolean next() throws IOException {
    do {
      if (peek() == END) {
        return false;
      }
      readRow();
    } while (size == 1 && length == 0);
    return true;
  }

  /** The line, from 1, on which the row begins. */
  long line() {
    return firstLine;
  }

  /** How many fields the row has. */
  int size() {
    return size;
  }

  /** Returns a field of the row. */
  String field(int index) {
    int start = index == 0 ? 0 : ends[index - 1];
    return new String(row, start, ends[index] - start);
  }

  /** Says what is wrong with the row. */
  InvalidTraceException invalid(String problem) {
    return new InvalidTraceException(name, firstLine, problem);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private void readRow() throws IOException {
    firstLine = line;
    length = 0;
    size = 0;
    int end;
    do {
      end = readField();
      endField();
    } while (end == ',');
  }

  private void endField() throws IOException {
    if (size == ends.length) {
      requireNotTooLong(0);
      ends = Arrays.copyOf(ends, 2 * size);
    }
    ends[size++] = length;
  }

  /** Reads a field and what ends it: a comma, the end of the line, or the end of the input. */
  private int readField() throws IOException {
    int c = peekAfterSpaces();
    if (c == '"') {
      position++;
      return readQuoted();
    }
    return readPlain();
  }

  private int readPlain() throws IOException {
    int start = length;
    while (!endsField(peek())) {
      appendRun();
    }
    while (length > start && isSpace(row[length - 1])) {
      length--;
    }
    return read();
  }

  /** Appends what is in the buffer up to the end of the field, at one go. */
  private void appendRun() throws IOException {
    int from = position;
    int to = from;
    while (to < limit && !endsField(buffer[to])) {
      to++;
    }
    makeRoomFor(to - from);
    System.arraycopy(buffer, from, row, length, to - from);
    length += to - from;
    position = to;
  }

  private int readQuoted() throws IOException {
    for (; ; ) {
      int c = read();
      if (c == END) {
        throw invalid("a quote is not closed (expected: \" at the end of the field)");
      } else if (c != '"') {
        append((char) c);
      } else if (peek() == '"') {
        append((char) read());
      } else {
        return readEndAfterQuote();
      }
    }
  }

  private int readEndAfterQuote() throws IOException {
    int c = peekAfterSpaces();
    if (!endsField(c)) {
      throw invalid(
          "a closing quote is followed by "
              + (char) c
              + " (expected: a comma, or \"\" for a quote)");
    }
    return read();
  }

  private int peekAfterSpaces() throws IOException {
    while (isSpace(peek())) {
      position++;
    }
    return peek();
  }

  /** Reads a character; any end of a line as a line feed. */
  private int read() throws IOException {
    int c = peek();
    if (c == END) {
      return END;
    }
    position++;
    if (c != '\n' && c != '\r') {
      return c;
    }
    line++;
    if (c == '\r' && peek() == '\n') {
      position++;
    }
    return '\n';
  }

  private int peek() throws IOException {
    return position < limit || fill() ? buffer[position] : END;
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, reader.read(buffer, 0, buffer.length));
    return limit > 0;
  }

  private void append(char c) throws IOException {
    makeRoomFor(1);
    row[length++] = c;
  }

  private void makeRoomFor(int more) throws IOException {
    int needed = length + more;
    if (needed > row.length) {
      requireNotTooLong(more);
      row = Arrays.copyOf(row, Math.max(needed, 2 * length));
    }
  }

  /** Asked whenever memory is needed for more. */
  private void requireNotTooLong(int more) throws IOException {
    if (length + size + more > MAX_ROW) {
      throw invalid("the row is longer than " + MAX_ROW + " characters (is a quote not closed?)");
    }
  }

  private static boolean endsField(int c) {
    return c == ',' || c == '\n' || c == '\r' || c == END;
  }

  private static boolean isSpace(int c) {
    return c == ' ' || c == '\t';
  }
}
