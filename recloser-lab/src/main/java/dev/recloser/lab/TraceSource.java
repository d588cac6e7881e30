package dev.recloser.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens what people have as a trace: comma-separated values, and the access logs of servers and
 * proxies, plain or gzip, in UTF-8.
 *
 * <pre>{@code
 * TraceSource.of(Path.of("access.log.gz")).key("upstream").open();
 * TraceSource.of(Path.of("access.log")).format("nginx:$msec $status $request_time").open();
 * }</pre>
 *
 * <p>Without a {@link #format}, the format is recognised: each one is tried on the first lines, at
 * most 100, and the one that most of them fit is taken; {@link Trace#notes} says which, and why.
 * Those are nginx (combined with {@code $request_time}, and with {@code $upstream_response_time}
 * and {@code $upstream_status} behind it), HAProxy's HTTP log, Envoy (its default format, Istio's,
 * JSON), AWS's Application Load Balancer, Traefik (its common log format, JSON), Tomcat (common and
 * combined with {@code %D} in microseconds, as from version 10 on, or with {@code %T} with
 * decimals, as before), JSON lines with {@code at}, {@code duration} and {@code outcome}, and CSV.
 *
 * <p>In a log, a line that cannot be understood is left out and counted, unless there is no other;
 * in CSV it ends the trace. Calls are brought into the order in which they began: a log is written
 * when calls end. Times are counted from the first call.
 *
 * <p>Immutable.
 */
public final class TraceSource {
  private static final int READ_AHEAD = 1 << 18;
  private static final int CHUNK = 1 << 13;
  private static final String CSV = "csv";

  private final String name;
  private final Opener opener;
  private final @Nullable String format;
  private final @Nullable String key;

  private interface Opener {
    InputStream open() throws IOException;
  }

  private TraceSource(String name, Opener opener, @Nullable String format, @Nullable String key) {
    this.name = name;
    this.opener = opener;
    this.format = format;
    this.key = key;
  }

  /**
   * A file.
   *
   * @param file the file; messages name it as it is given here
   */
  public static TraceSource of(Path file) {
    return new TraceSource(file.toString(), () -> Files.newInputStream(file), null, null);
  }

  /**
   * A stream, which can be opened once.
   *
   * @param name what messages call it
   * @param in the stream; closed with the trace
   */
  public static TraceSource of(String name, InputStream in) {
    Objects.requireNonNull(in, "in");
    return new TraceSource(Objects.requireNonNull(name, "name"), () -> in, null, null);
  }

  /**
   * The same in a format that is named, not recognised.
   *
   * @param format one of
   *     <ul>
   *       <li>{@code csv}, {@code nginx}, {@code haproxy}, {@code envoy}, {@code alb}, {@code
   *           traefik}, {@code tomcat}, {@code jsonl}: one of those above
   *       <li>{@code tomcat9} (up to version 9, where {@code %D} is milliseconds and {@code %T} has
   *           decimals) and {@code apache} (where {@code %t} is the beginning of a request), common
   *           or combined with {@code %D} at the end
   *       <li>{@code nginx:}, {@code haproxy:}, {@code envoy:}, {@code tomcat:}, {@code tomcat9:}
   *           or {@code apache:} and a format string, as the configuration of that program has it
   *       <li>{@code jsonl:} and the names of fields: {@code at=FIELD} or {@code end=FIELD}, {@code
   *           duration=FIELD} and {@code outcome=FIELD}, separated by commas, the times in
   *           milliseconds or in the unit of a suffix ({@code end_s}, {@code duration_us}); a field
   *           within an object is reached by a dot
   *     </ul>
   *
   * @throws IllegalArgumentException if it is none of these, or if a format string does not say
   *     when a call was, how long it took, or how it ended
   */
  public TraceSource format(String format) {
    if (!format.equals(CSV)) {
      LogFormats.named(format);
    }
    return new TraceSource(name, opener, format, key);
  }

  /**
   * The same with calls told apart by the dependency that was called, see {@link RecordedCall#key}.
   *
   * @param key
   *     <ul>
   *       <li>{@code host}: the host that was asked for
   *       <li>{@code upstream}: what stands behind the proxy, as a group where the log has groups
   *       <li>{@code route}: the proxy's route where it has any, otherwise method and path, without
   *           the query and with a star for each part that is a number, or long and with a digit
   *       <li>a field of the format, as it is written there; of CSV, a column
   *     </ul>
   *     A call whose line has no value there has the key {@code -}.
   */
  public TraceSource key(String key) {
    return new TraceSource(name, opener, format, Objects.requireNonNull(key, "key"));
  }

  /**
   * Opens it.
   *
   * @throws IllegalArgumentException if the format has no field for the key
   * @throws InvalidTraceException if it is of no known format, or not of the one that was named
   * @throws IOException if reading fails
   */
  public Trace open() throws IOException {
    InputStream in = opener.open();
    try {
      return read(Decompressed.of(name, in));
    } catch (Throwable e) {
      in.close();
      throw e;
    }
  }

  private Trace read(InputStream in) throws IOException {
    // Bytes that are not UTF-8 become replacement characters: they may stand in fields nobody
    // reads.
    Reader decoded = new InputStreamReader(in, StandardCharsets.UTF_8);
    BufferedReader reader = new BufferedReader(decoded, READ_AHEAD);
    Recognition recognition = new Recognition(name, firstLines(reader));
    if (format == null ? recognition.isCsv() : format.equals(CSV)) {
      return new CsvTrace(name, reader, key);
    }
    recognition.requireLines();
    Recognition.Result result = recognised(recognition);
    CallKeys keys = keys(recognition, result.format());
    return new LogTrace(name, new LineReader(reader), result.format(), result.reason(), keys);
  }

  /** A format that is fully described is believed: its first lines may be others. */
  private Recognition.Result recognised(Recognition recognition) throws InvalidTraceException {
    List<LogFormat> formats = format == null ? LogFormats.recognised() : LogFormats.named(format);
    return format != null && formats.size() == 1
        ? new Recognition.Result(formats.get(0), "as named")
        : recognition.among(formats);
  }

  private @Nullable CallKeys keys(Recognition recognition, LogFormat log) {
    if (key == null) {
      return null;
    }
    CallKeys keys = CallKeys.by(key, log);
    recognition.requireKey(key, keys, log);
    return keys;
  }

  private static List<String> firstLines(BufferedReader reader) throws IOException {
    reader.mark(READ_AHEAD);
    String start = start(reader);
    reader.reset();
    LineReader lines = new LineReader(new StringReader(start));
    List<String> first = new ArrayList<>();
    for (String line = lines.next();
        line != null && first.size() < Recognition.LINES;
        line = lines.next()) {
      if (!line.isBlank()) {
        first.add(line);
      }
    }
    return first;
  }

  /** Reads enough lines, if there are, but does not wait for more. */
  private static String start(BufferedReader reader) throws IOException {
    char[] start = new char[READ_AHEAD];
    int length = 0;
    int lines = 0;
    while (length < start.length && lines <= Recognition.LINES) {
      int read = reader.read(start, length, Math.min(CHUNK, start.length - length));
      if (read < 0) {
        return new String(start, 0, length);
      }
      for (int i = length; i < length + read; i++) {
        lines += start[i] == '\n' ? 1 : 0;
      }
      length += read;
    }
    String cutOff = new String(start, 0, length);
    return lines == 0 ? cutOff : cutOff.substring(0, cutOff.lastIndexOf('\n'));
  }
}
