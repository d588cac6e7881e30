package dev.recloser.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is wrong with a request, told as a problem document (RFC 9457). */
@SuppressWarnings("serial") // Never leaves the handler.
final class Problem extends RuntimeException {
  private static final String MEDIA_TYPE = "application/problem+json";

  private final int status;
  private final String title;
  private final List<String> faults;
  private final Map<String, String> headers = new LinkedHashMap<>();

  private Problem(int status, String title, List<String> faults) {
    super(String.join("; ", faults), null, false, false);
    this.status = status;
    this.title = title;
    this.faults = List.copyOf(faults);
  }

  static Problem of(int status, String title, String fault) {
    return new Problem(status, title, List.of(fault));
  }

  static Problem badRequest(String fault) {
    return of(400, "Bad request", fault);
  }

  static Problem badRequest(List<String> faults) {
    return new Problem(400, "Bad request", faults);
  }

  static Problem notFound(String fault) {
    return of(404, "Not found", fault);
  }

  static Problem forbidden(String fault) {
    return of(403, "Forbidden", fault);
  }

  Problem with(String header, String value) {
    headers.put(header, value);
    return this;
  }

  int status() {
    return status;
  }

  ConsoleAnswer answer() {
    byte[] body =
        Json.bytes(
            json -> {
              json.writeStringProperty("type", "about:blank");
              json.writeStringProperty("title", title);
              json.writeNumberProperty("status", status);
              json.writeStringProperty("detail", getMessage());
              json.writeArrayPropertyStart("faults");
              faults.forEach(json::writeString);
              json.writeEndArray();
            });
    headers.put("Content-Type", MEDIA_TYPE);
    headers.put("Cache-Control", "no-store");
    return ConsoleAnswer.of(status, headers, body);
  }
}
