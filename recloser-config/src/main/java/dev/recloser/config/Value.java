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

  /**
   * A single value.
   *
   * @param text null where nothing was written
   */
  record Scalar(Place place, @Nullable String text) implements Value {
    @Override
    public String shown() {
      return text == null || text.isBlank() ? "nothing" : text.strip().replaceAll("\\R", " ");
    }
  }

  /** A list. */
  record Items(Place place, List<Value> values) implements Value {
    @Override
    public String shown() {
      return values.stream().map(Value::shown).collect(Collectors.joining(", ", "[", "]"));
    }
  }
}
