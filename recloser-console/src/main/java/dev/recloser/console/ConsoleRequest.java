package dev.recloser.console;

import java.io.InputStream;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request to the panel, as whatever server got it.
 *
 * @param method its method, such as {@code GET}
 * @param path its path below the place where the panel is, as it was sent and so percent-encoded;
 *     {@code /} for the page. With the query, if there is one, behind a question mark
 * @param headers its header fields, whatever the case of their names. Copied
 * @param body what it brings; read by the panel only as far as it needs, and not closed
 */
public record ConsoleRequest(
    String method, String path, Map<String, List<String>> headers, InputStream body) {
  /** Makes a request. */
  public ConsoleRequest {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(body, "body");
    Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach(
        (name, values) -> {
          if (name != null && values != null) { // URLConnection has the status line under null.
            // A map that tells cases apart may have a field twice, and both count.
            copy.merge(
                name,
                List.copyOf(values),
                (some, more) -> Stream.of(some, more).flatMap(List::stream).toList());
          }
        });
    headers = Collections.unmodifiableMap(copy);
  }

  /** A request without a body. */
  public static ConsoleRequest of(String method, String path, Map<String, List<String>> headers) {
    return new ConsoleRequest(method, path, headers, InputStream.nullInputStream());
  }

  /** The path alone. */
  String pathOnly() {
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }

  /** What stands behind the question mark; empty if there is nothing. */
  String query() {
    int query = path.indexOf('?');
    return query < 0 ? "" : path.substring(query + 1);
  }

  /** The first value of a header field; null if there is none. */
  public @Nullable String header(String name) {
    List<String> values = headers.get(name);
    return values == null || values.isEmpty() ? null : values.get(0);
  }

  /** The only value of a header field that may not be there twice; null if there is none. */
  @Nullable String soleHeader(String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw Problem.badRequest(name + ": sent " + values.size() + " times (expected: once)");
    }
    return values.isEmpty() ? null : values.get(0);
  }
}
