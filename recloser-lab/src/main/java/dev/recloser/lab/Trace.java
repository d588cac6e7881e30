package dev.recloser.lab;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Recorded calls, handed out one by one in the order in which they began. */
public interface Trace extends Closeable {
  /**
   * Returns the next call.
   *
   * @return a call that began no earlier than the one before; null at the end
   * @throws InvalidTraceException if what comes next is not a call
   * @throws IOException if reading fails
   */
  @Nullable RecordedCall next() throws IOException;

  /** What there is to say about what has been read so far. */
  default TraceNotes notes() {
    return TraceNotes.complete("recorded calls", 0);
  }

  /**
   * Opens a file of comma-separated values in UTF-8, as {@link #csv(String, Reader)} describes.
   *
   * @param file the file; messages name it as it is given here
   * @throws InvalidTraceException if the file does not begin with a header that has the columns
   * @throws IOException if the file cannot be read
   */
  static Trace csv(Path file) throws IOException {
    // Bytes that are not UTF-8 become replacement characters: they may stand in ignored columns.
    Reader reader = new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8);
    try {
      return csv(file.toString(), reader);
    } catch (Throwable e) {
      reader.close();
      throw e;
    }
  }

  /**
   * Reads comma-separated values.
   *
   * <p>The first line is a header. It has the columns {@code at}, {@code duration} and {@code
   * outcome} in any order and case; other columns are ignored. A row has as many fields as the
   * header.
   *
   * <ul>
   *   <li>{@code at}: when the call began, in milliseconds from the start of the trace with any
   *       decimals, or in seconds or milliseconds since 1970 or as ISO-8601 instants, which are
   *       counted from the first row. A first number from 10<sup>9</sup> on is taken for seconds
   *       since 1970 and one from 10<sup>12</sup> on for milliseconds. All rows do it in the same
   *       way, and no row comes before the one above it.
   *   <li>{@code duration}: how long it took, in milliseconds with any decimals.
   *   <li>{@code outcome}: how it ended, as {@link RecordedOutcome#parse} describes.
   * </ul>
   *
   * <p>Times are cut to nanoseconds. Fields may be quoted, spaces around them are dropped, and so
   * are a byte order mark and blank lines. Lines end in LF, CRLF or CR.
   *
   * @param name what messages call the source
   * @param reader the source; closed with the trace
   * @throws InvalidTraceException if it does not begin with a header that has the columns
   * @throws IOException if reading fails
   */
  static Trace csv(String name, Reader reader) throws IOException {
    return new CsvTrace(name, reader, null);
  }
}
