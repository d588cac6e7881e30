package dev.recloser.grpc;

import dev.recloser.JudgedResult;
import dev.recloser.Outcome;
import dev.recloser.http.RefusalResponse;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The status of a call with the table that it is judged by. */
final class JudgedStatus extends JudgedResult {
  /** Of gRFC A6: how long a server wants to be left alone. Negative means for ever. */
  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,9}");

  private final GrpcOutcomes table;
  private final Status status;
  private final Metadata trailers;

  JudgedStatus(GrpcOutcomes table, Status status, Metadata trailers) {
    this.table = table;
    this.status = status;
    this.trailers = trailers;
  }

  /** Whether the server wants no other attempt: what is no time means that, too (gRFC A6). */
  boolean forbidsRetry() {
    String pushback = trailers.get(PUSHBACK);
    return pushback != null && !MILLIS.matcher(pushback).matches();
  }

  /** A refusal by this library, which another guard on the way has made a status of, is none. */
  @Override
  public Outcome outcome() {
    Throwable cause = status.getCause();
    return cause != null && RefusalResponse.refusalIn(cause).isPresent()
        ? Outcome.IGNORED
        : table.of(status.getCode());
  }

  @Override
  public String what() {
    return "gRPC " + status.getCode();
  }

  @Override
  public @Nullable Duration retryAfter() {
    String pushback = trailers.get(PUSHBACK);
    if (pushback == null || !MILLIS.matcher(pushback).matches()) {
      return null;
    }
    Duration asked = Duration.ofMillis(Long.parseLong(pushback));
    return asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
  }
}
