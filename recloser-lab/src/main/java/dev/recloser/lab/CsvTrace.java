package dev.recloser.lab;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A trace in comma-separated values. */
final class CsvTrace implements Trace {
  private final CsvReader csv;
  private final Memo<String, RecordedOutcome> outcomes = new Memo<>(RecordedOutcome::parse);

  private final int columns;
  private final int atIndex;
  private final int durationIndex;
  private final int outcomeIndex;

  /** -1 if no column tells the dependencies apart. */
  private final int keyIndex;

  private final Memo<String, String> keys =
      new Memo<>(key -> key.isBlank() ? CallKeys.UNKNOWN : key);

  private long row;
  private @Nullable AtColumn atColumn;
  private long lastNanos;
  private String lastAt = "";

  CsvTrace(String name, Reader reader, @Nullable String keyColumn) throws IOException {
    csv = new CsvReader(name, reader);
    if (!csv.next()) {
      throw csv.invalid("nothing (expected: a header with at, duration and outcome)");
    }
    List<String> header = new ArrayList<>();
    for (int i = 0; i < csv.size(); i++) {
      header.add(csv.field(i).toLowerCase(Locale.ROOT));
    }
    columns = header.size();
    atIndex = indexOf("at", header);
    durationIndex = indexOf("duration", header);
    outcomeIndex = indexOf("outcome", header);
    keyIndex = keyColumn == null ? -1 : keyIndex(keyColumn, header);
  }

  private static int keyIndex(String column, List<String> header) {
    int index = header.indexOf(column.toLowerCase(Locale.ROOT));
    if (index < 0) {
      throw new IllegalArgumentException(
          "key: "
              + Shown.value(column)
              + " (expected: one of the columns "
              + String.join(", ", header)
              + ")");
    }
    return index;
  }

  @Override
  public @Nullable RecordedCall next() throws IOException {
    if (!csv.next()) {
      return null;
    }
    if (csv.size() != columns) {
      throw csv.invalid("fields: " + csv.size() + " (expected: " + columns + ", as in the header)");
    }
    row++;
    return new RecordedCall(
        row,
        at(csv.field(atIndex)),
        duration(csv.field(durationIndex)),
        outcome(csv.field(outcomeIndex)),
        keyIndex < 0 ? RecordedCall.NO_KEY : keys.get(csv.field(keyIndex)));
  }

  @Override
  public TraceNotes notes() {
    return TraceNotes.complete("CSV", csv.line());
  }

  @Override
  public void close() throws IOException {
    csv.close();
  }

  private int indexOf(String column, List<String> header) throws InvalidTraceException {
    int index = header.indexOf(column);
    if (index >= 0 && index == header.lastIndexOf(column)) {
      return index;
    }
    throw invalid(
        "columns",
        String.join(", ", header),
        "one " + column + ", in a header with at, duration and outcome, separated by commas");
  }

  private long at(String text) throws InvalidTraceException {
    if (atColumn == null) {
      atColumn = AtColumn.startingWith(text);
    }
    if (atColumn == null) {
      throw invalid(
          "at",
          text,
          "milliseconds from the start, zero or more and at most 36,500 days,"
              + " or an ISO-8601 instant such as 2026-01-31T12:00:00.5Z");
    }
    long nanos = atColumn.toNanos(text);
    if (nanos < 0) {
      throw invalid("at", text, atColumn.expected());
    }
    if (nanos < lastNanos) {
      throw invalid("at", text, lastAt + " or more, as in the row before");
    }
    lastNanos = nanos;
    lastAt = text;
    return nanos;
  }

  private long duration(String text) throws InvalidTraceException {
    long nanos = Milliseconds.toNanos(text);
    if (nanos < 0) {
      throw invalid("duration", text, "milliseconds, zero or more and at most 36,500 days");
    }
    return nanos;
  }

  private RecordedOutcome outcome(String text) throws InvalidTraceException {
    try {
      return outcomes.get(text);
    } catch (IllegalArgumentException e) {
      throw invalid("outcome", text, RecordedOutcome.EXPECTED);
    }
  }

  private InvalidTraceException invalid(String what, String value, String expected) {
    return csv.invalid(what + ": " + Shown.value(value) + " (expected: " + expected + ")");
  }
}
