package dev.recloser.config;

import dev.recloser.config.InvalidConfigurationFileException.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was found wrong so far. */
final class Problems {
  private final List<Problem> found = new ArrayList<>();

  void add(Place place, String key, String value, String expected) {
    found.add(problem(place, key, value, expected));
  }

  /** A setting, where it is given. */
  void add(Given<?, ?> given, String expected) {
    add(given.place(), given.key(), given.shown(), expected);
  }

  /** A setting that is wrong for a block that inherits it. */
  void addInherited(Block<?> block, Given<?, ?> given, String expected) {
    int line = given.place().line();
    String where = "; inherited from " + given.key() + (line == 0 ? "" : " in line " + line);
    String key = block.path() + given.setting().name();
    add(block.place(), key, given.shown(), expected + where);
  }

  /** A source that has nothing of what is looked for. */
  void addNothing(Place place, String what, String expected) {
    found.add(problem(place, null, what, expected));
  }

  /** A key that was given twice, however it was spelled. */
  void addClash(String key, Place present, Value added) {
    int line = present.line();
    String where = line == 0 ? "" : ", and line " + line + " has it already";
    add(added.place(), key, added.shown(), "each key once" + where);
  }

  /** Something whose name is blank. */
  void addBlank(String path, Value named) {
    add(named.place(), path + "\"\"", named.shown(), "a name that is not blank");
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /**
   * Throws them, if there are any.
   *
   * @param order of the sources
   */
  void throwIfAny(SourceOrder order) {
    if (!found.isEmpty()) {
      found.sort(order.by(Problem::file, Problem::line));
      throw new InvalidConfigurationFileException(found);
    }
  }

  /** For a source in which there is nothing further to look at. */
  static InvalidConfigurationFileException fatal(Place place, String found, String expected) {
    return new InvalidConfigurationFileException(List.of(problem(place, null, found, expected)));
  }

  private static Problem problem(Place place, @Nullable String key, String value, String expected) {
    return new Problem(place.file(), place.line(), key, value, expected);
  }
}
