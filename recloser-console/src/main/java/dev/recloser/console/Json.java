package dev.recloser.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** Writes JSON, in UTF-8 and on one line. */
final class Json {
  /** Escaped so that a name cannot end a line of an event stream either (U+2028, U+0085). */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          // What ends in an exception shall not look whole; and a stream is its owner's to close.
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

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

  /** An object that is written as it is made, for what may be too large to be kept. */
  static ConsoleAnswer streamed(Map<String, String> headers, Consumer<JsonGenerator> members) {
    return ConsoleAnswer.stream(headers, out -> write(out, members), () -> {});
  }

  private static void write(OutputStream out, Consumer<JsonGenerator> members) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      members.accept(json);
      json.writeEndObject();
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
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
      json.writeNumber(inMillis(duration));
    }
  }

  /** In milliseconds, as exact as a microsecond. */
  static double inMillis(Duration duration) {
    long micros = duration.toSeconds() * 1_000_000 + duration.toNanosPart() / 1_000;
    return micros / 1_000.0;
  }

  /** A whole number, or one with a fraction. */
  static void number(JsonGenerator json, String name, Number number) {
    if (number instanceof Double fraction) {
      json.writeNumberProperty(name, fraction);
    } else {
      json.writeNumberProperty(name, number.longValue());
    }
  }

  /** A span between two readings of a clock; one that is over is none. */
  static Duration nanos(long span) {
    return Duration.ofNanos(Math.max(0, span));
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

  /** A rate by time; null where it is not known. */
  static void rate(JsonGenerator json, String name, double perSecond) {
    percent(json, name, perSecond);
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

  /**
   * An array of what can be read: an element whose members cannot be, for user code throws, is left
   * out, and costs the others nothing.
   *
   * @param unreadable is told what it was
   */
  static <T> void readable(
      JsonGenerator json,
      String name,
      Iterable<? extends T> elements,
      BiConsumer<JsonGenerator, T> element,
      BiConsumer<T, Throwable> unreadable) {
    json.writeArrayPropertyStart(name);
    for (T each : elements) {
      byte[] whole;
      try {
        whole = bytes(own -> element.accept(own, each));
      } catch (RuntimeException | Error e) {
        unreadable.accept(each, e);
        continue;
      }
      json.writeRawValue(new String(whole, StandardCharsets.UTF_8));
    }
    json.writeEndArray();
  }

  static void texts(JsonGenerator json, String name, Iterable<String> texts) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }
}
