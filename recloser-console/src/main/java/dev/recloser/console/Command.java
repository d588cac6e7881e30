package dev.recloser.console;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * What an operator asks for.
 *
 * @param reason why; for the log and the page
 * @param expiry after how long it ends by itself; null for never
 */
record Command(Control control, String reason, @Nullable Duration expiry) {
  private static final int MOST_BYTES = 8_192;
  private static final int MOST_REASON = 200;
  private static final long MOST_SECONDS = Duration.ofDays(7).toSeconds();

  /** Reads it from the body of a request, and tells all that is wrong with it. */
  static Command of(InputStream body) {
    Map<String, String> members = members(bytes(body));
    List<String> faults = new ArrayList<>();
    Control control = control(members.remove("action"), faults);
    String reason = reason(members.remove("reason"), faults);
    Duration expiry = expiry(members.remove("expirySeconds"), control, faults);
    members.forEach(
        (name, value) ->
            faults.add(Text.quoted(name) + ": unknown (expected: action, reason, expirySeconds)"));
    if (control == null || !faults.isEmpty()) {
      throw Problem.badRequest(faults);
    }
    return new Command(control, reason, expiry);
  }

  private static @Nullable Control control(@Nullable String word, List<String> faults) {
    Control control = Control.of(word);
    if (control == null) {
      faults.add(
          "action: "
              + Text.quoted(word)
              + " (expected: one of "
              + String.join(", ", Control.words())
              + ")");
    }
    return control;
  }

  private static String reason(@Nullable String text, List<String> faults) {
    String reason = text == null ? "" : text.strip();
    if (reason.isEmpty() || reason.length() > MOST_REASON || !Text.isOnOneLine(reason)) {
      faults.add(
          "reason: "
              + Text.quoted(text)
              + " (expected: a line of at most "
              + MOST_REASON
              + " characters)");
    }
    return reason;
  }

  private static @Nullable Duration expiry(
      @Nullable String text, @Nullable Control control, List<String> faults) {
    if (text == null) {
      return null;
    }
    boolean seconds = text.matches("[0-9]{1,7}");
    long value = seconds ? Long.parseLong(text) : 0;
    if (value < 1 || value > MOST_SECONDS) {
      faults.add("expirySeconds: " + Text.quoted(text) + " (expected: 1 to " + MOST_SECONDS + ")");
    } else if (control != null && !control.lasts()) {
      faults.add(
          "expirySeconds: " + text + " (expected: none, " + control.word() + " ends by itself)");
    }
    return Duration.ofSeconds(value);
  }

  private static byte[] bytes(InputStream body) {
    byte[] bytes;
    try {
      bytes = body.readNBytes(MOST_BYTES + 1);
    } catch (IOException e) {
      throw Problem.badRequest("body: cannot be read");
    }
    if (bytes.length > MOST_BYTES) {
      throw Problem.of(
          413, "Body too large", "body: more than " + MOST_BYTES + " bytes (expected: at most)");
    }
    return bytes;
  }

  /** An object of texts, numbers and nulls; those that are null are left out. */
  private static Map<String, String> members(byte[] bytes) {
    Map<String, String> members = new LinkedHashMap<>();
    try (JsonParser json = Json.FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw notAnObject();
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (!value.isScalarValue()) {
          throw notAnObject();
        }
        if (value != JsonToken.VALUE_NULL && members.put(name, json.getString()) != null) {
          throw Problem.badRequest(Text.quoted(name) + ": there twice (expected: once)");
        }
      }
      if (json.nextToken() != null) {
        throw notAnObject();
      }
      return members;
    } catch (JacksonException e) {
      throw notAnObject();
    }
  }

  private static Problem notAnObject() {
    return Problem.badRequest("body: expected a JSON object of texts and numbers");
  }
}
