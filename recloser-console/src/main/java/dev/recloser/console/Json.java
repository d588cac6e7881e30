package dev.recloser.console;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** Writes JSON, in UTF-8 and on one line. */
final class Json {
  /** Escaped so that a name cannot end a line of an event stream either (U+2028, U+0085). */
  static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private Json() {}

  /** An object. */
  static byte[] bytes(Consumer<JsonGenerator> members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      json.writeStartObject();
      members.accept(json);
      json.writeEndObject();
    }
    return bytes.toByteArray();
  }

  static ConsoleAnswer answer(Consumer<JsonGenerator> members) {
    return ConsoleAnswer.of(200, Headers.JSON, bytes(members));
  }

  /** A duration in milliseconds, with its fraction; null for none. */
  static void millis(JsonGenerator json, String name, @Nullable Duration duration) {
    json.writeName(name);
    if (duration == null) {
      json.writeNull();
    } else {
      long micros = duration.toSeconds() * 1_000_000 + duration.toNanosPart() / 1_000;
      json.writeNumber(micros / 1_000.0);
    }
  }

  /** A rate in percent; null where there is none. */
  static void percent(JsonGenerator json, String name, double percent) {
    json.writeName(name);
    if (Double.isNaN(percent)) {
      json.writeNull();
    } else {
      json.writeNumber(percent);
    }
  }

  static void text(JsonGenerator json, String name, @Nullable String text) {
    json.writeName(name);
    if (text == null) {
      json.writeNull();
    } else {
      json.writeString(text);
    }
  }

  static void object(JsonGenerator json, String name, Runnable members) {
    json.writeObjectPropertyStart(name);
    members.run();
    json.writeEndObject();
  }

  static <T> void array(
      JsonGenerator json, String name, Iterable<? extends T> elements, Consumer<T> element) {
    json.writeArrayPropertyStart(name);
    for (T each : elements) {
      json.writeStartObject();
      element.accept(each);
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
