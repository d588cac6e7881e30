package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/**
 * All there is to know, as one file for the report of an incident. Breakers are read one after the
 * other as the file is written, so that no more than one of them is in memory.
 */
final class Export {
  private static final System.Logger LOG = System.getLogger(Console.class.getName());
  private static final DateTimeFormatter IN_FILE_NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final Consumer<JsonGenerator> console;
  private final Consumer<JsonGenerator> policies;
  private final BiConsumer<JsonGenerator, CircuitBreaker> detail;

  Export(
      Consumer<JsonGenerator> console,
      Consumer<JsonGenerator> policies,
      BiConsumer<JsonGenerator, CircuitBreaker> detail) {
    this.console = console;
    this.policies = policies;
    this.detail = detail;
  }

  ConsoleAnswer of(List<CircuitBreaker> breakers, Instant now) {
    // Made now, while an answer can still say that something is wrong.
    byte[] head = Json.bytes(console);
    byte[] tail = Json.bytes(policies);
    return Json.streamed(
        headers(now),
        json -> {
          json.writeStringProperty("exportedAt", now.toString());
          write(json, "console", head);
          Map<String, String> unreadable = writeBreakers(json, breakers);
          Json.array(
              json,
              "unreadable",
              unreadable.entrySet(),
              entry -> {
                json.writeStringProperty("name", entry.getKey());
                json.writeStringProperty("fault", entry.getValue());
              });
          write(json, "policies", tail);
        });
  }

  private static Map<String, String> headers(Instant now) {
    Map<String, String> headers = new LinkedHashMap<>(Headers.JSON);
    headers.put(
        "Content-Disposition",
        "attachment; filename=\"recloser-" + IN_FILE_NAME.format(now) + ".json\"");
    return headers;
  }

  /** Returns what those have thrown that could not be read, by their names. */
  private Map<String, String> writeBreakers(JsonGenerator json, List<CircuitBreaker> breakers) {
    Map<String, String> unreadable = new LinkedHashMap<>();
    Json.readable(
        json,
        "breakers",
        breakers,
        detail,
        (breaker, thrown) -> {
          LOG.log(System.Logger.Level.WARNING, "The console could not read a breaker", thrown);
          unreadable.put(breaker.name(), thrown.toString());
        });
    return unreadable;
  }

  private static void write(JsonGenerator json, String name, byte[] value) {
    json.writeName(name);
    json.writeRawValue(new String(value, StandardCharsets.UTF_8));
  }
}
