package dev.recloser.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Traefik, as JSON or in its Common Log Format: a line is written when a request has ended and says
 * when it came.
 *
 * <p>In JSON, what the service behind it answered and how long that took goes before what the
 * client got. A request without a service is none of a dependency.
 */
final class TraefikLog implements LogDialect {
  /** Named as in JSON, but for the times, which have other units and forms there. */
  static final String COMMON =
      "$ClientHost - $ClientUsername [$StartLocal] \"$request\" $DownstreamStatus"
          + " $DownstreamContentSize \"$Referer\" \"$UserAgent\" $RequestCount"
          + " \"$RouterName\" \"$ServiceURL\" ${DurationMs}ms";

  private static final String CLIENT_CLOSED_REQUEST = "499";
  private static final List<String> STARTS = List.of("StartUTC", "StartLocal");

  private final LogValues values = new LogValues();

  @Override
  public List<LoggedCall> calls(Fields line) throws UnreadableLineException {
    long start = values.time("StartUTC", line.firstValue(STARTS));
    String ofOrigin = positive(line.value("OriginStatus"));
    String status = ofOrigin == null ? line.value("DownstreamStatus") : ofOrigin;
    boolean passedOn =
        ofOrigin != null || line.value("ServiceURL") != null || line.value("ServiceName") != null;
    long duration = duration(line);
    boolean cancelled = CLIENT_CLOSED_REQUEST.equals(status) || "0".equals(status);
    RecordedOutcome outcome =
        cancelled
            ? LogValues.cancelled(CLIENT_CLOSED_REQUEST)
            : values.status("DownstreamStatus", status);
    return passedOn ? List.of(LoggedCall.begunAt(start, duration, outcome)) : List.of();
  }

  private long duration(Fields line) throws UnreadableLineException {
    String common = line.get("DurationMs");
    if (common != null) {
      return values.duration("Duration", common, DecimalTime.MILLISECONDS);
    }
    String ofOrigin = positive(line.value("OriginDuration"));
    return values.duration(
        "Duration", ofOrigin == null ? line.value("Duration") : ofOrigin, DecimalTime.NANOSECONDS);
  }

  /** Zero stands for no answer of the service. */
  private static @Nullable String positive(@Nullable String number) {
    return "0".equals(number) ? null : number;
  }

  @Override
  public List<String> hosts() {
    return List.of("RequestHost", "RequestAddr");
  }

  @Override
  public List<String> routes() {
    return List.of("RouterName");
  }

  @Override
  public List<String> upstreams() {
    return List.of("ServiceName", "ServiceURL");
  }

  @Override
  public List<List<String>> requests() {
    return List.of(List.of("RequestMethod", "RequestPath"), List.of("request"));
  }
}
