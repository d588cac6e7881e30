package dev.recloser.microprofile;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.Config;

/**
 * The words for yes and no. MicroProfile Config takes whatever it does not know for no, so that a
 * mistyped word would switch off what it was to switch on.
 */
final class Booleans {
  private static final Set<String> YES = Set.of("true", "1", "yes", "y", "on");
  private static final Set<String> NO = Set.of("false", "0", "no", "n", "off");

  private Booleans() {}

  /** What a key says, if anything; something else is told. */
  static Optional<Boolean> of(Config config, String key, Problems problems) {
    String value = config.getOptionalValue(key, String.class).orElse(null);
    if (value == null) {
      return Optional.empty();
    }
    String word = value.strip().toLowerCase(Locale.ROOT);
    if (!YES.contains(word) && !NO.contains(word)) {
      problems.add(key, "\"" + value + "\"", "true or false");
      return Optional.empty();
    }
    return Optional.of(YES.contains(word));
  }
}
