package dev.recloser.http;

import dev.recloser.CallRefusedIoException;
import dev.recloser.CallRejectedException;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Classifier;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Outcome;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an answer says about the dependency that gave it: the same for every client.
 *
 * <table>
 *   <caption>Unless changed</caption>
 *   <tr><th>answer</th><th>outcome</th></tr>
 *   <tr><td>100 to 399, 404, 409, 410, 412</td><td>{@link Outcome#SUCCESS}: it did its
 *       work</td></tr>
 *   <tr><td>408, 429, 500 to 599 but 501, and what is no status</td><td>{@link
 *       Outcome#FAILURE}</td></tr>
 *   <tr><td>the rest of 400 to 499, and 501</td><td>{@link Outcome#IGNORED}: the request was
 *       wrong</td></tr>
 *   <tr><td>connection refused or reset, TLS, a timeout, any other exception</td><td>what the
 *       breaker makes of it: a {@link Outcome#FAILURE}</td></tr>
 *   <tr><td>given up by the caller</td><td>{@link Outcome#CANCELLED}</td></tr>
 * </table>
 *
 * <p>Every row can be changed, and others added:
 *
 * <pre>{@code
 * HttpOutcomes outcomes = HttpOutcomes.of(rows -> rows
 *     .status(404, Outcome.FAILURE)
 *     .statuses(520, 530, Outcome.IGNORED)
 *     .header("X-Degraded", value -> true, Outcome.FAILURE)
 *     .body(text -> text.contains("\"error\":"), Outcome.FAILURE));
 * }</pre>
 *
 * <p>Headers are asked before the status, and of rows of one kind the one written last. A body is
 * asked last, and only where the head of the answer is a success: it can be a 200 that carries an
 * error.
 *
 * <p>A {@link HttpGuard} has such a table. It is also a {@link Classifier} for results of the JDK's
 * client, {@link HttpResponse}, and for {@link HttpAnswer}, to be given to policies of one's own:
 *
 * <pre>{@code
 * HttpOutcomes outcomes = HttpOutcomes.defaults();
 * Pipeline<HttpResponse<String>> stocks = Pipeline.create("orders-to-inventory", calls -> calls
 *     .retry(config -> config.classifier(outcomes).retryAfter(outcomes::retryAfter))
 *     .circuitBreaker(config -> config.classifier(outcomes).retryAfter(outcomes::retryAfter)));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class HttpOutcomes implements Classifier {
  /** Default of {@code bodyLimit}: {@value} bytes. */
  public static final int DEFAULT_BODY_LIMIT = 8_192;

  /** Largest {@code bodyLimit}: {@value} bytes. */
  public static final int MAX_BODY_LIMIT = 1_048_576;

  private static final int FIRST_STATUS = 100;
  private static final int LAST_STATUS = 999;

  /** What the name of a header may be, RFC 9110, section 5.6.2. */
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  /** What an exception row means only by naming it, never through a supertype. */
  private static final List<Class<? extends Throwable>> SPECIAL =
      List.of(
          CancellationException.class,
          InterruptedException.class,
          CallRejectedException.class,
          CallRefusedIoException.class);

  private static final HttpOutcomes DEFAULTS = new HttpOutcomes(new Builder(standard()));

  private final Outcome[] byStatus;
  private final List<HeaderRow> headerRows;
  private final List<BodyRow> bodyRows;
  private final List<ExceptionRow> exceptionRows;
  private final int bodyLimit;
  private final InstantSource clock;

  private HttpOutcomes(Builder source) {
    byStatus = source.byStatus.clone();
    headerRows = List.copyOf(source.headerRows);
    bodyRows = List.copyOf(source.bodyRows);
    exceptionRows = List.copyOf(source.exceptionRows);
    bodyLimit = source.bodyLimit;
    clock = source.clock;
  }

  /** Returns the table in which nothing was changed. */
  public static HttpOutcomes defaults() {
    return DEFAULTS;
  }

  /**
   * Makes a table.
   *
   * @param rows sets what shall differ from the defaults
   * @throws InvalidConfigurationException when rows are wrong; lists them all
   */
  public static HttpOutcomes of(Consumer<? super Builder> rows) {
    return DEFAULTS.with(rows);
  }

  /**
   * Makes a table from this one.
   *
   * @param rows sets what shall differ
   * @throws InvalidConfigurationException when rows are wrong; lists them all
   */
  public HttpOutcomes with(Consumer<? super Builder> rows) {
    Builder builder = new Builder(byStatus);
    builder.headerRows.addAll(headerRows);
    builder.bodyRows.addAll(bodyRows);
    builder.exceptionRows.addAll(exceptionRows);
    builder.bodyLimit = bodyLimit;
    builder.clock = clock;
    rows.accept(builder);
    builder.check();
    return new HttpOutcomes(builder);
  }

  /**
   * What a status alone says.
   *
   * @param status any number; one that is no status is a failure, as RFC 9110, 15, wants it
   */
  public Outcome ofStatus(int status) {
    return status < FIRST_STATUS || status > LAST_STATUS ? Outcome.FAILURE : byStatus[status];
  }

  /** What the head of an answer says. Throws what the predicate of a row throws. */
  public Outcome of(HttpAnswer answer) {
    for (HeaderRow row : headerRows) {
      if (answer.headers(row.name).stream().anyMatch(row.value)) {
        return row.outcome;
      }
    }
    return ofStatus(answer.status());
  }

  /**
   * What an answer says, with the beginning of its body.
   *
   * @param body null where none is known
   */
  Outcome of(HttpAnswer answer, @Nullable String body) {
    Outcome head = of(answer);
    if (head != Outcome.SUCCESS || body == null) {
      return head;
    }
    for (BodyRow row : bodyRows) {
      if (row.text.test(body)) {
        return row.outcome;
      }
    }
    return head;
  }

  /**
   * What the result or the exception of a call says; without an opinion on results of types that it
   * does not know, and on exceptions without a row. A body is asked if it is a {@code String} or
   * {@code byte[]}.
   */
  @Override
  public @Nullable Outcome classify(@Nullable Object result, @Nullable Throwable thrown) {
    if (thrown != null) {
      return ofException(thrown);
    }
    HttpAnswer answer = answerIn(result);
    return answer == null ? null : of(answer, bodyIn(result));
  }

  /**
   * Whether a result is a failure: in the shape that {@code recordResult} of a fallback, and {@code
   * retryOnResult} of a retry want.
   *
   * @param result an answer, of the JDK's client or as {@link HttpAnswer}, or anything else, which
   *     is none
   */
  public boolean isFailure(@Nullable Object result) {
    return classify(result, null) == Outcome.FAILURE;
  }

  /**
   * How long the dependency wants to be left alone, by the headers of {@link RetryAfterHeader};
   * null where it does not say. It has the shape that {@link
   * CircuitBreakerConfig.Builder#retryAfter retryAfter} of a breaker or a retry wants.
   *
   * @param result an answer, of the JDK's client or as {@link HttpAnswer}, or anything else
   * @param thrown ignored
   */
  public @Nullable Duration retryAfter(@Nullable Object result, @Nullable Throwable thrown) {
    HttpAnswer answer = thrown == null ? answerIn(result) : null;
    return answer == null ? null : retryAfter(answer);
  }

  @Nullable Duration retryAfter(HttpAnswer answer) {
    return RetryAfterHeader.of(answer, clock).orElse(null);
  }

  /** What an exception says; null without a row for it. */
  @Nullable Outcome ofException(Throwable thrown) {
    for (ExceptionRow row : exceptionRows) {
      if (row.means(thrown)) {
        return row.outcome;
      }
    }
    return null;
  }

  boolean asksBodies() {
    return !bodyRows.isEmpty();
  }

  /** How many bytes of a body are kept to be asked. */
  int bodyLimit() {
    return bodyLimit;
  }

  private String bodyOf(byte[] bytes) {
    return new String(bytes, 0, Math.min(bytes.length, bodyLimit), StandardCharsets.UTF_8);
  }

  private @Nullable String bodyIn(@Nullable Object result) {
    if (!asksBodies() || !(result instanceof HttpResponse<?> response)) {
      return null;
    }
    Object body = response.body();
    if (body instanceof String text) {
      return text.substring(0, Math.min(text.length(), bodyLimit));
    }
    return body instanceof byte[] bytes ? bodyOf(bytes) : null;
  }

  private static @Nullable HttpAnswer answerIn(@Nullable Object result) {
    if (result instanceof HttpResponse<?> response) {
      return HttpAnswer.of(response);
    }
    return result instanceof HttpAnswer answer ? answer : null;
  }

  private static Outcome[] standard() {
    Outcome[] byStatus = new Outcome[LAST_STATUS + 1];
    Arrays.fill(byStatus, Outcome.FAILURE);
    Arrays.fill(byStatus, FIRST_STATUS, 400, Outcome.SUCCESS);
    Arrays.fill(byStatus, 400, 500, Outcome.IGNORED);
    for (int done : new int[] {404, 409, 410, 412}) {
      byStatus[done] = Outcome.SUCCESS;
    }
    byStatus[408] = Outcome.FAILURE;
    byStatus[429] = Outcome.FAILURE;
    byStatus[501] = Outcome.IGNORED;
    return byStatus;
  }

  /** A header whose value says something. */
  private record HeaderRow(String name, Predicate<? super String> value, Outcome outcome) {}

  /** A body that says something. */
  private record BodyRow(Predicate<? super String> text, Outcome outcome) {}

  /** An exception that says something. */
  private record ExceptionRow(Class<? extends Throwable> type, Outcome outcome) {
    boolean means(Throwable thrown) {
      return type.isInstance(thrown)
          && SPECIAL.stream()
              .noneMatch(one -> one.isInstance(thrown) && !one.isAssignableFrom(type));
    }
  }

  /** Sets what a table shall differ in. Not thread-safe. */
  public static final class Builder {
    private final Outcome[] byStatus;

    // The one written last first.
    private final List<HeaderRow> headerRows = new ArrayList<>();
    private final List<BodyRow> bodyRows = new ArrayList<>();
    private final List<ExceptionRow> exceptionRows = new ArrayList<>();
    private final List<InvalidConfigurationException.Fault> faults = new ArrayList<>();
    private int bodyLimit = DEFAULT_BODY_LIMIT;
    private InstantSource clock = InstantSource.system();

    private Builder(Outcome[] byStatus) {
      this.byStatus = byStatus.clone();
    }

    /**
     * Sets what a status says.
     *
     * @param status 100 to 999
     * @param outcome any but {@code CANCELLED}, which only a caller can be the cause of
     */
    public Builder status(int status, Outcome outcome) {
      return statuses(status, status, outcome);
    }

    /**
     * Sets what a range of statuses says; single ones can be set after it.
     *
     * @param first 100 to 999
     * @param last {@code first} to 999, included
     * @param outcome any but {@code CANCELLED}
     */
    public Builder statuses(int first, int last, Outcome outcome) {
      String name = first == last ? "status" : "statuses";
      String value = first == last ? "" + first : first + " to " + last;
      boolean fits = first >= FIRST_STATUS && first <= last && last <= LAST_STATUS;
      if (!fits) {
        faults.add(fault(name, value, expected(first == last)));
      } else {
        Arrays.fill(byStatus, first, last + 1, outcome);
      }
      checkOutcome(name + " " + value, outcome);
      return this;
    }

    /**
     * Sets what a header says, whatever the status is.
     *
     * @param name its name, in any case; a token of RFC 9110, section 5.6.2
     * @param value which values say it; asked about each value of the header
     * @param outcome any but {@code CANCELLED}
     */
    public Builder header(String name, Predicate<? super String> value, Outcome outcome) {
      Objects.requireNonNull(value, "value");
      if (!TOKEN.matcher(name).matches()) {
        String shown = "\"" + name.replaceAll("\\p{Cntrl}", "?") + "\"";
        faults.add(fault("header", shown, "a token of RFC 9110, for example X-Degraded"));
      }
      checkOutcome("header " + name, outcome);
      headerRows.add(0, new HeaderRow(name, value, outcome));
      return this;
    }

    /**
     * Sets what a body says, where the head of the answer is a success. The breaker then has to
     * wait for the end of the body.
     *
     * @param text which bodies say it; asked about the first {@code bodyLimit} bytes, read as
     *     UTF-8, as the client hands them over
     * @param outcome any but {@code CANCELLED}
     */
    public Builder body(Predicate<? super String> text, Outcome outcome) {
      Objects.requireNonNull(text, "text");
      checkOutcome("body", outcome);
      bodyRows.add(0, new BodyRow(text, outcome));
      return this;
    }

    /**
     * Sets how much of a body is kept to be asked. Default: {@value #DEFAULT_BODY_LIMIT} bytes.
     *
     * @param bytes 1 to {@value #MAX_BODY_LIMIT}
     */
    public Builder bodyLimit(int bytes) {
      bodyLimit = bytes;
      return this;
    }

    /**
     * Sets what an exception of the client says, in place of what the breaker makes of it.
     * Cancellations, interrupts and refusals by this library are meant only where they are named
     * themselves, not through a supertype.
     *
     * @param type the exceptions, subclasses included
     * @param outcome any
     */
    public Builder exception(Class<? extends Throwable> type, Outcome outcome) {
      Objects.requireNonNull(type, "type");
      Objects.requireNonNull(outcome, "outcome");
      exceptionRows.add(0, new ExceptionRow(type, outcome));
      return this;
    }

    /**
     * Sets the time of day that a date in a {@code Retry-After} is compared with, where the answer
     * has no {@code Date} of its own. Default: that of the system.
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    private static String expected(boolean one) {
      return FIRST_STATUS + " to " + LAST_STATUS + (one ? "" : ", the smaller one first");
    }

    private void checkOutcome(String row, Outcome outcome) {
      if (Objects.requireNonNull(outcome, "outcome") == Outcome.CANCELLED) {
        faults.add(
            fault(row, "CANCELLED", "SUCCESS, FAILURE or IGNORED; no answer cancels a call"));
      }
    }

    private void check() {
      if (bodyLimit < 1 || bodyLimit > MAX_BODY_LIMIT) {
        faults.add(fault("bodyLimit", "" + bodyLimit, "1 to " + MAX_BODY_LIMIT + " bytes"));
      }
      if (!faults.isEmpty()) {
        throw new InvalidConfigurationException("The table of HTTP answers", faults);
      }
    }

    private static InvalidConfigurationException.Fault fault(
        String setting, String value, String expected) {
      return new InvalidConfigurationException.Fault(setting, value, expected);
    }
  }
}
