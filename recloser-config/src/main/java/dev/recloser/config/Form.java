package dev.recloser.config;

import java.util.List;
import java.util.Map;

/**
 * How the values of a kind look, for the reference and for editors.
 *
 * @param name stays the same; what editors know it by
 * @param text for people
 * @param unit of a value that does not say its own; empty where there is none
 * @param schema what JSON Schema says of them, placeholders aside
 */
record Form(String name, String text, String unit, Map<String, Object> schema) {
  /** One of some names, in any case, with dashes or underscores. */
  static Form choice(List<String> names) {
    return new Form("", String.join(", ", names), "", Map.of("enum", names));
  }
}
