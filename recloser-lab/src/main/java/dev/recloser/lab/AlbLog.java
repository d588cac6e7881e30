package dev.recloser.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The access log of AWS's Application Load Balancer, whose {@code time} is when the answer was
 * sent.
 *
 * <p>A call takes as long as the three processing times together; where the target did not answer,
 * they are -1 and the time since the request came is taken.
 */
final class AlbLog implements LogDialect {
  /** Named as AWS names the fields; later versions have put more behind them. */
  static final String FIELDS =
      "$type $time $elb $client $target $request_processing_time $target_processing_time"
          + " $response_processing_time $elb_status_code $target_status_code $received_bytes"
          + " $sent_bytes \"$request\" \"$user_agent\" $ssl_cipher $ssl_protocol"
          + " $target_group_arn \"$trace_id\" \"$domain_name\" \"$chosen_cert_arn\""
          + " $matched_rule_priority $request_creation_time $more";

  /** The client closed the connection before the load balancer could answer. */
  private static final String CLIENT_CLOSED = "460";

  private static final int MIN_FAILURE = 500;
  private static final List<String> TIMES =
      List.of("request_processing_time", "target_processing_time", "response_processing_time");

  private final LogValues values = new LogValues();

  @Override
  public List<LoggedCall> calls(Fields line) throws UnreadableLineException {
    long end = values.time("time", line.get("time"));
    RecordedOutcome outcome = outcome(line);
    return outcome == null
        ? List.of()
        : List.of(LoggedCall.endedAt(end, duration(line, end), outcome));
  }

  private long duration(Fields line, long end) throws UnreadableLineException {
    long sum = 0;
    for (String field : TIMES) {
      String text = line.get(field);
      if (text == null || text.startsWith("-")) {
        long start = values.time("request_creation_time", line.get("request_creation_time"));
        return Math.max(0, end - start);
      }
      sum += values.duration(field, text, DecimalTime.SECONDS);
    }
    return sum;
  }

  /**
   * Null for what the load balancer answered by itself: a redirect, a fixed answer, a bad request.
   */
  private @Nullable RecordedOutcome outcome(Fields line) throws UnreadableLineException {
    String ofTarget = line.value("target_status_code");
    if (ofTarget != null) {
      return values.status("target_status_code", ofTarget);
    }
    String status = line.get("elb_status_code");
    if (CLIENT_CLOSED.equals(status)) {
      return LogValues.cancelled(CLIENT_CLOSED);
    }
    RecordedOutcome outcome = values.status("elb_status_code", status);
    return Integer.parseInt(outcome.text()) < MIN_FAILURE ? null : outcome;
  }

  @Override
  public List<String> hosts() {
    return List.of("domain_name");
  }

  @Override
  public List<String> routes() {
    return List.of();
  }

  @Override
  public List<String> upstreams() {
    return List.of("target_group_arn", "target");
  }

  @Override
  public List<List<String>> requests() {
    return List.of(List.of("request"));
  }
}
