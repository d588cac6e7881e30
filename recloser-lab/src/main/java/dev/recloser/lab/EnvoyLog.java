package dev.recloser.lab;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Envoy, as text or as JSON with the names that Istio and Envoy's own examples give the fields: a
 * line is written when a request has ended and says when it came.
 *
 * <p>The response flags say what the status cannot: that the request was refused by Envoy itself,
 * so that it says nothing about the upstream, or that the client went away.
 */
final class EnvoyLog implements LogDialect {
  static final String DEFAULT =
      "[%START_TIME%] \"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%\""
          + " %RESPONSE_CODE% %RESPONSE_FLAGS% %BYTES_RECEIVED% %BYTES_SENT% %DURATION%"
          + " %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% \"%REQ(X-FORWARDED-FOR)%\""
          + " \"%REQ(USER-AGENT)%\" \"%REQ(X-REQUEST-ID)%\" \"%REQ(:AUTHORITY)%\""
          + " \"%UPSTREAM_HOST%\"";
  static final String ISTIO =
      "[%START_TIME%] \"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%\""
          + " %RESPONSE_CODE% %RESPONSE_FLAGS% %RESPONSE_CODE_DETAILS%"
          + " %CONNECTION_TERMINATION_DETAILS% \"%UPSTREAM_TRANSPORT_FAILURE_REASON%\""
          + " %BYTES_RECEIVED% %BYTES_SENT% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)%"
          + " \"%REQ(X-FORWARDED-FOR)%\" \"%REQ(USER-AGENT)%\" \"%REQ(X-REQUEST-ID)%\""
          + " \"%REQ(:AUTHORITY)%\" \"%UPSTREAM_HOST%\" %UPSTREAM_CLUSTER%"
          + " %UPSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_REMOTE_ADDRESS%"
          + " %REQUESTED_SERVER_NAME% %ROUTE_NAME%";

  private static final List<String> STARTS = List.of("START_TIME", "start_time");
  private static final List<String> DURATIONS = List.of("DURATION", "duration");
  private static final List<String> CODES = List.of("RESPONSE_CODE", "response_code");
  private static final List<String> FLAGS = List.of("RESPONSE_FLAGS", "response_flags");

  /** The request never left Envoy: no route, its own limits, its own authorization. */
  private static final Set<String> NOT_SENT =
      Set.of("NR", "NC", "UO", "RL", "RLSE", "UAEX", "IH", "DPE", "FI", "OM");

  /** The client, or its stream, went away. */
  private static final Set<String> CANCELLED = Set.of("DC", "DR");

  /** The upstream reset, timed out or broke off, whatever status was sent by then. */
  private static final Set<String> FAILED =
      Set.of("UF", "UH", "UC", "UR", "UT", "UPE", "LR", "SI", "DT", "URX", "LH", "UMSDR", "DF");

  private final LogValues values = new LogValues();

  /**
   * Creates one.
   *
   * @param fields the names of the fields; null if each line has its own
   * @throws IllegalArgumentException if they do not say when a request was, how long it took, and
   *     how it ended
   */
  EnvoyLog(@Nullable Set<String> fields) {
    if (fields != null) {
      new RequiredFields(fields)
          .oneOf("%START_TIME%")
          .oneOf("%DURATION%")
          .oneOf("%RESPONSE_CODE%")
          .check();
    }
  }

  @Override
  public List<LoggedCall> calls(Fields line) throws UnreadableLineException {
    long start = start(line.firstValue(STARTS));
    String flags = line.firstValue(FLAGS);
    String code = line.firstValue(CODES);
    long duration =
        values.duration("DURATION", line.firstValue(DURATIONS), DecimalTime.MILLISECONDS);
    if (flags == null) {
      return List.of(LoggedCall.begunAt(start, duration, outcome(code)));
    }
    List<String> known = List.of(flags.split(","));
    if (known.stream().anyMatch(NOT_SENT::contains)) {
      return List.of();
    }
    String text = code + " " + flags;
    RecordedOutcome outcome =
        known.stream().anyMatch(CANCELLED::contains)
            ? LogValues.cancelled(text)
            : known.stream().anyMatch(FAILED::contains) ? LogValues.failed(text) : outcome(code);
    return List.of(LoggedCall.begunAt(start, duration, outcome));
  }

  /** Zero stands for an answer that never began, which is mostly a client that went away. */
  private RecordedOutcome outcome(@Nullable String code) throws UnreadableLineException {
    return "0".equals(code) ? LogValues.cancelled("0") : values.status("RESPONSE_CODE", code);
  }

  /** As text, or as what {@code %START_TIME(%s.%3f)%} and the like print. */
  private long start(@Nullable String text) throws UnreadableLineException {
    int digits = text == null ? 0 : text.length();
    DecimalTime unit =
        switch (digits) {
          case 13 -> DecimalTime.MILLISECONDS;
          case 16 -> DecimalTime.MICROSECONDS;
          case 19 -> DecimalTime.NANOSECONDS;
          default -> DecimalTime.SECONDS;
        };
    boolean decimal = text != null && text.indexOf('.') >= 0;
    return values.time("START_TIME", text, decimal ? DecimalTime.SECONDS : unit);
  }

  @Override
  public List<String> hosts() {
    return List.of("REQ(:AUTHORITY)", "authority", "REQ(HOST)");
  }

  @Override
  public List<String> routes() {
    return List.of("ROUTE_NAME", "route_name");
  }

  @Override
  public List<String> upstreams() {
    return List.of("UPSTREAM_CLUSTER", "upstream_cluster", "UPSTREAM_HOST", "upstream_host");
  }

  @Override
  public List<List<String>> requests() {
    return List.of(
        List.of("REQ(:METHOD)", "REQ(X-ENVOY-ORIGINAL-PATH?:PATH)"),
        List.of("REQ(:METHOD)", "REQ(:PATH)"),
        List.of("method", "path"));
  }
}
