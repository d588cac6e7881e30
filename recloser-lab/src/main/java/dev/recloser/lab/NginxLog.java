package dev.recloser.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * nginx: a line is written when a request has ended.
 *
 * <p>Where the format says how the upstreams did ({@code $upstream_status} or {@code
 * $upstream_response_time}), they are what is called: a request that was passed to several, one
 * after the other, is as many calls, and one that nginx answered by itself is none. Otherwise the
 * request is the call.
 */
final class NginxLog implements LogDialect {
  static final String COMBINED =
      "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent"
          + " \"$http_referer\" \"$http_user_agent\"";
  static final String WITH_REQUEST_TIME = COMBINED + " $request_time";
  static final String WITH_UPSTREAM =
      WITH_REQUEST_TIME + " $upstream_response_time $upstream_status";

  private static final String CLIENT_CLOSED_REQUEST = "499";
  private static final String UPSTREAM_STATUS = "upstream_status";
  private static final String UPSTREAM_TIME = "upstream_response_time";

  /** Between upstreams of one group a comma, between groups a colon. */
  private static final Pattern SEPARATOR = Pattern.compile(", | : ");

  private final LogValues values = new LogValues();
  private final Set<String> fields;
  private final String timeField;

  /**
   * Creates one.
   *
   * @param fields the variables of the format
   * @throws IllegalArgumentException if they do not say when a request was, how long it took, and
   *     how it ended
   */
  NginxLog(Set<String> fields) {
    this.fields = fields;
    new RequiredFields(fields)
        .oneOf("$msec, $time_iso8601, $time_local")
        .oneOf("$request_time, $upstream_response_time")
        .oneOf("$status, $upstream_status")
        .check();
    timeField =
        fields.contains("msec")
            ? "msec"
            : fields.contains("time_iso8601") ? "time_iso8601" : "time_local";
  }

  @Override
  public List<LoggedCall> calls(Fields line) throws UnreadableLineException {
    long end = values.time(timeField, line.get(timeField), DecimalTime.SECONDS);
    if (!fields.contains(UPSTREAM_STATUS) && !fields.contains(UPSTREAM_TIME)) {
      long duration = requestTime(line);
      return List.of(LoggedCall.endedAt(end, duration, outcome("status", line.get("status"))));
    }
    boolean passedOn = line.value(UPSTREAM_TIME) != null || line.value(UPSTREAM_STATUS) != null;
    return passedOn ? attempts(line, end) : List.of();
  }

  private List<LoggedCall> attempts(Fields line, long end) throws UnreadableLineException {
    String[] times = list(line.get(UPSTREAM_TIME));
    String[] statuses = list(line.get(UPSTREAM_STATUS));
    if (times.length <= 1 && statuses.length <= 1) {
      String status = statuses.length == 0 ? null : statuses[0];
      return List.of(LoggedCall.endedAt(end, duration(line, times, 0), outcome(line, status)));
    }
    int last = Math.max(times.length, statuses.length) - 1;
    List<LoggedCall> calls = new ArrayList<>(last + 1);
    long attemptEnd = end;
    for (int i = last; i >= 0; i--) {
      long duration = times.length == 0 && i < last ? 0 : duration(line, times, i);
      String status = i < statuses.length ? statuses[i] : null;
      RecordedOutcome outcome =
          status == null && i < last ? LogValues.failed("next upstream") : outcome(line, status);
      calls.add(0, new LoggedCall(end, attemptEnd - duration, duration, outcome, i));
      attemptEnd -= duration;
    }
    return calls;
  }

  private long duration(Fields line, String[] times, int attempt) throws UnreadableLineException {
    if (attempt >= times.length) {
      return requestTime(line);
    }
    boolean unknown = times[attempt].equals("-");
    return unknown ? 0 : seconds(UPSTREAM_TIME, times[attempt]);
  }

  private long requestTime(Fields line) throws UnreadableLineException {
    return seconds("request_time", line.get("request_time"));
  }

  /** nginx always writes decimals, which tells its log from those of others. */
  private long seconds(String field, @Nullable String text) throws UnreadableLineException {
    if (text != null && text.indexOf('.') < 0) {
      throw new UnreadableLineException(field, text, "seconds with decimals");
    }
    return values.duration(field, text, DecimalTime.SECONDS);
  }

  /** The upstream's own status says more than the one that nginx answered with. */
  private RecordedOutcome outcome(Fields line, @Nullable String upstreamStatus)
      throws UnreadableLineException {
    // An upstream that failed has 502 or 504; without a status its answer was not waited for.
    return upstreamStatus == null
        ? outcome("status", line.get("status"))
        : upstreamStatus.equals("-")
            ? LogValues.cancelled(CLIENT_CLOSED_REQUEST)
            : outcome(UPSTREAM_STATUS, upstreamStatus);
  }

  private RecordedOutcome outcome(String field, @Nullable String status)
      throws UnreadableLineException {
    return CLIENT_CLOSED_REQUEST.equals(status)
        ? LogValues.cancelled(CLIENT_CLOSED_REQUEST)
        : values.status(field, status);
  }

  private static String[] list(@Nullable String values) {
    if (values == null || values.isEmpty()) {
      return new String[0];
    }
    boolean one = values.indexOf(' ') < 0;
    return one ? new String[] {values} : SEPARATOR.split(values);
  }

  @Override
  public @Nullable String value(Fields line, String field, LoggedCall call) {
    String text = line.value(field);
    if (text == null || !field.startsWith("upstream_")) {
      return text;
    }
    String[] list = list(text);
    return list[Math.min(call.attempt(), list.length - 1)];
  }

  @Override
  public List<String> hosts() {
    return List.of("host", "http_host", "server_name");
  }

  @Override
  public List<String> routes() {
    return List.of();
  }

  @Override
  public List<String> upstreams() {
    return List.of("proxy_host", "upstream_addr");
  }

  @Override
  public List<List<String>> requests() {
    return List.of(
        List.of("request"),
        List.of("request_method", "request_uri"),
        List.of("request_method", "uri"));
  }
}
