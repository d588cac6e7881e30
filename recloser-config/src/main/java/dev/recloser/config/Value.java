package dev.recloser.config;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A value as it was written. */
sealed interface Value permits Value.Scalar, Value.Items, Section {
  /** Where its key stands; of an item, where that stands. */
  Place place();

  /** For messages, on one line. */
  String shown();

  /** Whether a placeholder in it stands for nothing. */
  default boolean isUnresolved() {
    return false;
  }

  /**
   * A single value.
   *
   * @param text null where nothing was written, or what was written stands for nothing
   * @param written what the text stands in for; null where it was written itself
   */
  record Scalar(Place place, @Nullable String text, @Nullable String written) implements Value {
    /** One that was written itself. */
    Scalar(Place place, @Nullable String text) {
      this(place, text, null);
    }

    /** Whether it was written as a placeholder that stands for nothing. */
    @Override
    public boolean isUnresolved() {
      return written != null && text == null;
    }

    @Override
    public String shown() {
      String present = text == null || text.isBlank() ? "nothing" : oneLine(text);
      return isUnresolved()
          ? oneLine(String.valueOf(written))
          : written == null ? present : present + ", from " + oneLine(written);
    }

    private static String oneLine(String text) {
      return text.strip().replaceAll("\\R", " ");
    }
  }

  /** A list. */
  record Items(Place place, List<Value> values) implements Value {
    @Override
    public boolean isUnresolved() {
      return values.stream().anyMatch(Value::isUnresolved);
    }

    @Override
    public String shown() {
      return values.stream().map(Value::shown).collect(Collectors.joining(", ", "[", "]"));
    }
  }
}
