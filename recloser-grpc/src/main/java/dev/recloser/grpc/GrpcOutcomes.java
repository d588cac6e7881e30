package dev.recloser.grpc;

import dev.recloser.Classifier;
import dev.recloser.Outcome;
import dev.recloser.http.HttpOutcomes;
import dev.recloser.http.RefusalResponse;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the status of a gRPC call says about the dependency.
 *
 * <p>Unless changed, what the HTTP status says that {@code google/rpc/code.proto} gives for it, by
 * {@link HttpOutcomes#defaults()}:
 *
 * <ul>
 *   <li>{@code OK}, {@code NOT_FOUND}, {@code ALREADY_EXISTS} and {@code ABORTED} are a {@link
 *       Outcome#SUCCESS}: it did its work.
 *   <li>{@code UNAVAILABLE}, {@code DEADLINE_EXCEEDED}, {@code RESOURCE_EXHAUSTED}, {@code
 *       INTERNAL}, {@code UNKNOWN} and {@code DATA_LOSS} are a {@link Outcome#FAILURE}.
 *   <li>{@code INVALID_ARGUMENT}, {@code FAILED_PRECONDITION}, {@code OUT_OF_RANGE}, {@code
 *       UNAUTHENTICATED}, {@code PERMISSION_DENIED} and {@code UNIMPLEMENTED} are {@link
 *       Outcome#IGNORED}.
 *   <li>{@code CANCELLED} is {@link Outcome#CANCELLED}.
 * </ul>
 *
 * <p>A {@link GuardClientInterceptor} has such a table. It is also a {@link Classifier} for what
 * stubs throw, to be given to policies around them: a retry for example, which so does not repeat
 * what a breaker has refused.
 *
 * <pre>{@code
 * Retry retry = Retry.create("inventory", config -> config
 *     .maxAttempts(3)
 *     .classifier(GrpcOutcomes.defaults()));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class GrpcOutcomes implements Classifier {
  private static final GrpcOutcomes DEFAULTS = new GrpcOutcomes(standard());

  private final Map<Status.Code, Outcome> byCode;

  private GrpcOutcomes(Map<Status.Code, Outcome> byCode) {
    this.byCode = new EnumMap<>(byCode);
  }

  /** Returns the table in which nothing was changed. */
  public static GrpcOutcomes defaults() {
    return DEFAULTS;
  }

  /**
   * Makes a table.
   *
   * @param rows sets what shall differ from the defaults
   */
  public static GrpcOutcomes of(Consumer<? super Builder> rows) {
    return DEFAULTS.with(rows);
  }

  /**
   * Makes a table from this one.
   *
   * @param rows sets what shall differ
   */
  public GrpcOutcomes with(Consumer<? super Builder> rows) {
    Builder builder = new Builder(byCode);
    rows.accept(builder);
    return new GrpcOutcomes(builder.byCode);
  }

  /** What a status says. */
  public Outcome of(Status.Code code) {
    return Objects.requireNonNull(byCode.get(code));
  }

  /**
   * What the exception of a stub says; one that stands for a refusal by this library is {@link
   * Outcome#IGNORED}. Without an opinion on other exceptions, and on results.
   */
  @Override
  public @Nullable Outcome classify(@Nullable Object result, @Nullable Throwable thrown) {
    Status status =
        thrown instanceof StatusRuntimeException unchecked
            ? unchecked.getStatus()
            : thrown instanceof StatusException checked ? checked.getStatus() : null;
    if (thrown == null || status == null) {
      return null;
    }
    return RefusalResponse.refusalIn(thrown).isPresent() ? Outcome.IGNORED : of(status.getCode());
  }

  private static Map<Status.Code, Outcome> standard() {
    Map<Status.Code, Outcome> byCode = new EnumMap<>(Status.Code.class);
    for (Status.Code code : Status.Code.values()) {
      byCode.put(code, HttpOutcomes.defaults().ofStatus(httpStatus(code)));
    }
    byCode.put(Status.Code.CANCELLED, Outcome.CANCELLED);
    return byCode;
  }

  /** The mapping of {@code google/rpc/code.proto}. */
  private static int httpStatus(Status.Code code) {
    return switch (code) {
      case OK -> 200;
      case CANCELLED -> 499;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
      case DEADLINE_EXCEEDED -> 504;
      case NOT_FOUND -> 404;
      case ALREADY_EXISTS, ABORTED -> 409;
      case PERMISSION_DENIED -> 403;
      case UNAUTHENTICATED -> 401;
      case RESOURCE_EXHAUSTED -> 429;
      case UNIMPLEMENTED -> 501;
      case UNAVAILABLE -> 503;
      case UNKNOWN, INTERNAL, DATA_LOSS -> 500;
    };
  }

  /** Sets what a table shall differ in. Not thread-safe. */
  public static final class Builder {
    private final Map<Status.Code, Outcome> byCode;

    private Builder(Map<Status.Code, Outcome> byCode) {
      this.byCode = new EnumMap<>(byCode);
    }

    /** Sets what a status says. */
    public Builder status(Status.Code code, Outcome outcome) {
      byCode.put(Objects.requireNonNull(code, "code"), Objects.requireNonNull(outcome, "outcome"));
      return this;
    }
  }
}
