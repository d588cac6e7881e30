package dev.recloser.lab;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * HAProxy's HTTP log: a line is written when a request has ended and says when it came.
 *
 * <p>A call begins when the request is complete and ends with the last byte of the answer ({@code
 * %Ta} without {@code %TR}): time in HAProxy's queue is time that the caller waits. What the two
 * letters of the termination state say goes before the status, which may have been sent before
 * things went wrong.
 */
final class HaproxyLog implements LogDialect {
  /** {@code option httplog}, with or without captured headers. */
  static final String HTTP_LOG =
      "%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc"
          + " %ac/%fc/%bc/%sc/%rc %sq/%bq %captures\"%r\"";

  private static final List<String> STARTS = List.of("tr", "trg", "trl", "t", "T", "Tl");
  private static final List<String> STATES = List.of("tsc", "ts");
  private static final String NO_SERVER = "<NOSRV>";

  private final LogValues values = new LogValues();

  /**
   * Creates one.
   *
   * @throws IllegalArgumentException if the fields do not say when a request was, how long it took,
   *     and how it ended
   */
  HaproxyLog(Set<String> fields) {
    new RequiredFields(fields)
        .oneOf("%tr, %trg, %trl, %t, %T, %Tl")
        .oneOf("%Ta, %Tt")
        .oneOf("%ST")
        .check();
  }

  /** Cuts off what a system log puts before the line. */
  static String withoutSyslogHeader(String line) {
    int bracket = line.indexOf(" [");
    while (bracket >= 0 && !isDate(line, bracket + 2)) {
      bracket = line.indexOf(" [", bracket + 1);
    }
    return bracket <= 0 ? line : line.substring(line.lastIndexOf(' ', bracket - 1) + 1);
  }

  private static boolean isDate(String line, int at) {
    return line.length() > at + 3 && line.charAt(at + 2) == '/' && Digits.two(line, at) >= 0;
  }

  @Override
  public List<LoggedCall> calls(Fields line) throws UnreadableLineException {
    String state = state(line);
    if (!wasSent(line, state)) {
      return List.of();
    }
    String text = line.firstValue(STARTS);
    long stamp = values.time("tr", text);
    // -1 stands for a phase that was never reached.
    long reading = "-1".equals(line.get("TR")) ? 0 : time(line, "TR", 0);
    long active = line.get("Ta") == null ? time(line, "Tt", -1) : time(line, "Ta", -1);
    long duration = Math.max(0, active - reading);
    RecordedOutcome outcome = outcome(line, state);
    return List.of(new LoggedCall(stamp, stamp + reading, duration, outcome, 0));
  }

  private static String state(Fields line) {
    String state = line.firstValue(STATES);
    return state == null || state.length() < 2 ? "--" : state;
  }

  /**
   * A request that was wrong, refused by a rule, or answered by HAProxy itself says nothing about a
   * server. One that found no server (503), or waited in vain for one, does.
   */
  private static boolean wasSent(Fields line, String state) {
    char cause = state.charAt(0);
    boolean readingRequest = state.charAt(1) == 'R';
    boolean byProxy = cause == 'P' || cause == 'L' || readingRequest;
    return !byProxy || !NO_SERVER.equals(line.value("s"));
  }

  private RecordedOutcome outcome(Fields line, String state) throws UnreadableLineException {
    String status = line.get("ST");
    String text = status + " " + state.substring(0, 2);
    return switch (state.charAt(0)) {
      case 'C', 'c' -> LogValues.cancelled(text);
      case 'S', 's', 'D', 'K' -> LogValues.failed(text);
      default -> values.status("ST", status);
    };
  }

  private long time(Fields line, String field, long missing) throws UnreadableLineException {
    String text = line.get(field);
    if (text == null && missing >= 0) {
      return missing;
    }
    // A plus is written before the times of option logasap.
    String number = text != null && text.startsWith("+") ? text.substring(1) : text;
    return values.duration(field, number, DecimalTime.MILLISECONDS);
  }

  /** Of captured headers, the first: {@code {shop.example|curl} {11}} gives the host. */
  @Override
  public @Nullable String value(Fields line, String field, LoggedCall call) {
    String text = line.value(field);
    if (text == null || !text.startsWith("{")) {
      return text;
    }
    int end = 1;
    while (end < text.length() && text.charAt(end) != '|' && text.charAt(end) != '}') {
      end++;
    }
    return end == 1 ? null : text.substring(1, end);
  }

  @Override
  public List<String> hosts() {
    return List.of("capture.req.hdr(0)", "hr", "captures");
  }

  @Override
  public List<String> routes() {
    return List.of();
  }

  @Override
  public List<String> upstreams() {
    return List.of("b");
  }

  @Override
  public List<List<String>> requests() {
    return List.of(List.of("r"), List.of("HM", "HP"), List.of("HM", "HU"));
  }
}
