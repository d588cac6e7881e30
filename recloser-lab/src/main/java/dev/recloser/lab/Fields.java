package dev.recloser.lab;

import org.jspecify.annotations.Nullable;

/** The named fields of a line. Valid until the next line is read. */
interface Fields {
  /**
   * The value of a field as it stands in the line.
   *
   * @return null if the line has no such field
   */
  @Nullable String get(String name);

  /** The same, but null for a field that is there to say that it has no value: blank or a dash. */
  default @Nullable String value(String name) {
    String text = get(name);
    return text == null || text.isBlank() || text.equals("-") ? null : text;
  }

  /** The first of some fields that has a value; null if none has. */
  default @Nullable String firstValue(Iterable<String> names) {
    for (String name : names) {
      String value = value(name);
      if (value != null) {
        return value;
      }
    }
    return null;
  }
}
