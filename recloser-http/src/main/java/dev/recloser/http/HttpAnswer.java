package dev.recloser.http;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The head of an HTTP answer, of whichever client: what the rows of {@link HttpOutcomes} look at.
 *
 * <p>Immutable and thread-safe as far as the headers that it was made with are.
 */
public final class HttpAnswer {
  private final int status;
  private final Function<? super String, ? extends List<String>> headers;

  private HttpAnswer(int status, Function<? super String, ? extends List<String>> headers) {
    this.status = status;
    this.headers = Objects.requireNonNull(headers, "headers");
  }

  /**
   * Makes one of what a client has.
   *
   * @param status the status code
   * @param headers from a name, in any case, to the values; an empty list for none
   */
  public static HttpAnswer of(
      int status, Function<? super String, ? extends List<String>> headers) {
    return new HttpAnswer(status, headers);
  }

  /** Makes one of an answer of the JDK's client. */
  public static HttpAnswer of(HttpResponse<?> response) {
    return of(response.statusCode(), response.headers());
  }

  /** Makes one of the head of an answer of the JDK's client. */
  public static HttpAnswer of(HttpResponse.ResponseInfo info) {
    return of(info.statusCode(), info.headers());
  }

  private static HttpAnswer of(int status, HttpHeaders headers) {
    return new HttpAnswer(status, headers::allValues);
  }

  /** The status code, as it was sent. */
  public int status() {
    return status;
  }

  /** The values of a header, in any case; empty if there is none. */
  public List<String> headers(String name) {
    return headers.apply(Objects.requireNonNull(name, "name"));
  }

  /** The first value of a header. */
  public Optional<String> header(String name) {
    return headers(name).stream().findFirst();
  }

  @Override
  public String toString() {
    return "HTTP " + status;
  }
}
