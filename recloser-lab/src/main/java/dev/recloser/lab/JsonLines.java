package dev.recloser.lab;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Lines with a JSON object each. Nested objects are reached by a dot: {@code request.host}. Arrays
 * are left out.
 */
final class JsonLines implements LineFormat {
  private static final JsonFactory FACTORY = new JsonFactory();

  @Override
  public @Nullable Set<String> names() {
    return null;
  }

  @Override
  public Fields split(String line) throws UnreadableLineException {
    return read(line)::get;
  }

  /** The fields of a line by their names. */
  static Map<String, String> read(String line) throws UnreadableLineException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new UnreadableLineException("no JSON object");
      }
      Map<String, String> values = new HashMap<>();
      readObject(parser, "", values);
      if (parser.nextToken() != null) {
        throw new UnreadableLineException("a JSON object with something behind it");
      }
      return values;
    } catch (JacksonException e) {
      throw new UnreadableLineException("wrong JSON: " + Shown.line(e.getOriginalMessage()));
    }
  }

  private static void readObject(JsonParser parser, String prefix, Map<String, String> values) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = prefix + parser.currentName();
      switch (parser.nextToken()) {
        case START_OBJECT -> readObject(parser, name + ".", values);
        case START_ARRAY -> parser.skipChildren();
        case VALUE_NULL -> {}
        default -> values.put(name, parser.getString());
      }
    }
  }
}
