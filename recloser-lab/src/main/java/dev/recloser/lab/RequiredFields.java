package dev.recloser.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Checks that the fields of a format say all that a replay has to know. */
final class RequiredFields {
  private final Set<String> fields;
  private final List<String> missing = new ArrayList<>();

  RequiredFields(Set<String> fields) {
    this.fields = fields;
  }

  /** One of these, separated by commas, and written as in the format. */
  RequiredFields oneOf(String expected) {
    List<String> names = List.of(expected.replaceAll("[$%]", "").split(", "));
    return oneOf(expected, names::contains);
  }

  /** One that is of this kind. */
  RequiredFields oneOf(String expected, Predicate<String> kind) {
    if (fields.stream().noneMatch(kind)) {
      missing.add(expected.contains(", ") ? "one of " + expected : expected);
    }
    return this;
  }

  /**
   * Says all that is missing.
   *
   * @throws IllegalArgumentException if anything is
   */
  void check() {
    if (!missing.isEmpty()) {
      String found = String.join(", ", new TreeSet<>(fields));
      throw new IllegalArgumentException(
          "fields " + Shown.line(found) + " (expected: also " + String.join("; ", missing) + ")");
    }
  }
}
