package dev.recloser;

import java.util.Objects;

/** What a thing may be called. */
final class Names {
  private Names() {}

  static String check(String name) {
    Objects.requireNonNull(name, "name");
    if (name.isBlank()) {
      throw new IllegalArgumentException("name: \"" + name + "\" (expected: not blank)");
    }
    return name;
  }
}
