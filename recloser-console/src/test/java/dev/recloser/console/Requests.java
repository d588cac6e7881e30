package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import dev.recloser.Policies;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests as tests make them, and what comes of them. */
final class Requests {
  static final JsonMapper JSON = new JsonMapper();

  private Requests() {}

  static ConsoleRequest get(String path, String... headers) {
    return request("GET", path, "", headers);
  }

  /** What the page sends, with more header fields or others; an empty value leaves one out. */
  static ConsoleRequest command(String path, String body, String... headers) {
    Map<String, String> all = new HashMap<>();
    all.put("Content-Type", "application/json");
    all.put("X-Recloser-Console", "1");
    all.put("Origin", "http://localhost:8080");
    all.put("Sec-Fetch-Site", "same-origin");
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    String[] flat =
        all.entrySet().stream()
            .filter(header -> !header.getValue().isEmpty())
            .flatMap(header -> List.of(header.getKey(), header.getValue()).stream())
            .toArray(String[]::new);
    return request("POST", path, body, flat);
  }

  static ConsoleRequest request(String method, String path, String body, String... headers) {
    Map<String, List<String>> all = new HashMap<>();
    all.put("host", List.of("localhost:8080"));
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i].toLowerCase(Locale.ROOT), List.of(headers[i + 1]));
    }
    return new ConsoleRequest(
        method, path, all, new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
  }

  static String text(ConsoleAnswer answer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      answer.writeTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  static JsonNode json(ConsoleAnswer answer) {
    return JSON.readTree(text(answer));
  }

  static CircuitBreaker breaker(Policies policies, String name) {
    return policies.circuitBreakers().circuitBreaker(name);
  }

  static void fail(CircuitBreaker breaker, int times) {
    for (int i = 0; i < times; i++) {
      try (var permit = breaker.acquire()) {
        permit.fail(new IllegalStateException("no\nstock"));
      }
    }
  }

  static void succeed(CircuitBreaker breaker, int times) {
    for (int i = 0; i < times; i++) {
      breaker.run(() -> {});
    }
  }
}
