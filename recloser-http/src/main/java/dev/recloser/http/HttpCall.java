package dev.recloser.http;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an HTTP call before it is made, with whichever client: what a {@link HttpKey}
 * looks at.
 *
 * <p>Immutable and thread-safe as far as the headers that it was made with are.
 */
public final class HttpCall {
  /** Of which RFC 9110, 9.2.2, says that doing them twice is doing them once. */
  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");

  private final String method;
  private final URI uri;
  private final Function<? super String, ? extends List<String>> headers;

  private HttpCall(
      String method, URI uri, Function<? super String, ? extends List<String>> headers) {
    this.method = Objects.requireNonNull(method, "method");
    this.uri = Objects.requireNonNull(uri, "uri");
    this.headers = Objects.requireNonNull(headers, "headers");
  }

  /**
   * Makes one of what a client has.
   *
   * @param method the method, {@code GET} for example
   * @param uri where it goes to
   * @param headers from a name, in any case, to the values; an empty list for none
   */
  public static HttpCall of(
      String method, URI uri, Function<? super String, ? extends List<String>> headers) {
    return new HttpCall(method, uri, headers);
  }

  /** Makes one of a request of the JDK's client. */
  public static HttpCall of(HttpRequest request) {
    return new HttpCall(request.method(), request.uri(), request.headers()::allValues);
  }

  /** The method. */
  public String method() {
    return method;
  }

  /** Where it goes to. */
  public URI uri() {
    return uri;
  }

  /** The values of a header, in any case; empty if there is none. */
  public List<String> headers(String name) {
    return headers.apply(Objects.requireNonNull(name, "name"));
  }

  /**
   * Scheme, host and port as RFC 6454 writes them: in small letters, without the port if it is the
   * usual one of the scheme. {@code http://inventory:8080} for example.
   */
  public String origin() {
    String scheme = lower(uri.getScheme() == null ? "" : uri.getScheme());
    int port = uri.getPort() == usualPort(scheme) ? -1 : uri.getPort();
    String host = uri.getHost();
    String place = host == null ? authority(uri) : host + (port < 0 ? "" : ":" + port);
    return scheme + "://" + lower(place);
  }

  /**
   * Whether it may be made twice: its method is one of {@code GET}, {@code HEAD}, {@code OPTIONS},
   * {@code TRACE}, {@code PUT} and {@code DELETE}, or it has an {@code Idempotency-Key}, by which
   * the server knows that it is the same again.
   */
  public boolean isIdempotent() {
    return IDEMPOTENT.contains(method)
        || headers("Idempotency-Key").stream().anyMatch(value -> !value.isBlank());
  }

  @Override
  public String toString() {
    return method + " " + origin();
  }

  /** Of a host that a URI cannot have, with an underscore for example. Never with a password. */
  private static String authority(URI uri) {
    @Nullable String whole = uri.getRawAuthority();
    return whole == null ? "" : whole.substring(whole.lastIndexOf('@') + 1);
  }

  private static int usualPort(String scheme) {
    return switch (scheme) {
      case "http", "ws" -> 80;
      case "https", "wss" -> 443;
      default -> -1;
    };
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
