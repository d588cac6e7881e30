package dev.recloser.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A trace made of a log of a server. What cannot be read is left out and counted. */
final class LogTrace implements Trace {
  /** A trace may begin with a call whose end is given as a small number, but its start is not. */
  private static final long DAY = Duration.ofDays(1).toNanos();

  private static final long LATEST = RecordedCall.MAX_TIME.toNanos() - DAY;

  private final String name;
  private final LineReader lines;
  private final LogFormat format;
  private final String reason;
  private final @Nullable CallKeys keys;

  private final StartOrder order = new StartOrder();
  private final List<String> firstUnreadable = new ArrayList<>();
  private long unreadable;
  private long notPassedOn;
  private long firstUnreadableLine;
  private boolean hasCalls;
  private long origin;

  /**
   * Creates one.
   *
   * @param name what messages call the source
   * @param reason why the format was taken
   * @param keys null if all calls have the same
   */
  LogTrace(
      String name, LineReader lines, LogFormat format, String reason, @Nullable CallKeys keys) {
    this.name = name;
    this.lines = lines;
    this.format = format;
    this.reason = reason;
    this.keys = keys;
  }

  @Override
  public @Nullable RecordedCall next() throws IOException {
    StartOrder.Entry next = order.poll();
    while (next == null) {
      String line = lines.next();
      if (line == null) {
        order.end();
        next = order.poll();
        return next == null ? end() : recorded(next);
      }
      read(line);
      next = order.poll();
    }
    return recorded(next);
  }

  @Override
  public TraceNotes notes() {
    return new TraceNotes(
        format + ", " + reason,
        lines.number(),
        unreadable,
        firstUnreadable,
        notPassedOn,
        order.shortened());
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  private void read(String line) {
    if (line.isBlank()) {
      return;
    }
    try {
      Fields fields = format.lines().split(line);
      List<LoggedCall> calls = format.dialect().calls(fields);
      if (calls.isEmpty()) {
        notPassedOn++;
      }
      for (LoggedCall call : calls) {
        add(fields, call);
      }
    } catch (UnreadableLineException e) {
      unreadable(line, String.valueOf(e.getMessage()));
    }
  }

  private void add(Fields fields, LoggedCall call) throws UnreadableLineException {
    if (call.startNanos() < -DAY || call.startNanos() > LATEST) {
      throw new UnreadableLineException("the call began before 1970 or after 2069");
    }
    String key = keys == null ? RecordedCall.NO_KEY : keys.of(fields, call);
    if (!order.add(new StartOrder.Entry(call, lines.number(), key))) {
      throw new UnreadableLineException(
          "the call was over before those of earlier lines began (expected: lines in the order of"
              + " time, give or take two minutes)");
    }
  }

  private void unreadable(String line, String problem) {
    if (unreadable++ == 0) {
      firstUnreadableLine = lines.number();
    }
    if (firstUnreadable.size() < TraceNotes.MAX_UNREADABLE) {
      firstUnreadable.add(name + ":" + lines.number() + ": " + problem + " in " + Shown.line(line));
    }
  }

  private RecordedCall recorded(StartOrder.Entry entry) {
    LoggedCall call = entry.call();
    if (!hasCalls) {
      hasCalls = true;
      origin = call.startNanos();
    }
    return new RecordedCall(
        entry.line(),
        call.startNanos() - origin,
        call.durationNanos(),
        call.outcome(),
        entry.key());
  }

  /** A log of which nothing can be read was taken for something that it is not. */
  private @Nullable RecordedCall end() throws InvalidTraceException {
    if (hasCalls || unreadable == 0) {
      return null;
    }
    String place = name + ":" + firstUnreadableLine + ": "; // Which the message begins with.
    throw new InvalidTraceException(
        name,
        firstUnreadableLine,
        "no line can be read as "
            + format
            + "; the first: "
            + firstUnreadable.get(0).substring(place.length()));
  }
}
