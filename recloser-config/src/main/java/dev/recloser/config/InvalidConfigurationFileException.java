package dev.recloser.config;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A configuration that cannot be used; lists everything that is wrong with it, not the first thing.
 * The message has one line for each.
 */
public final class InvalidConfigurationFileException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /**
   * Creates one.
   *
   * @param problems at least one
   */
  public InvalidConfigurationFileException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** The problems in the order of the files and their lines. Empty after deserialization. */
  public List<Problem> problems() {
    return problems == null ? List.of() : problems;
  }

  /**
   * Something that is wrong.
   *
   * @param file the file as it was named, or the source
   * @param line its line, from 1; 0 when it has none
   * @param key the key from the root on, {@code retry.instances.inventory.maxAttempts} for example,
   *     or from the root of the circuit breakers on where only those are read; null when the file
   *     as a whole is wrong
   * @param value the value as it was written, or what was found
   * @param expected what would have been right
   */
  public record Problem(
      String file, int line, @Nullable String key, String value, String expected) {
    /** Checks for null. */
    public Problem {
      Objects.requireNonNull(file, "file");
      Objects.requireNonNull(value, "value");
      Objects.requireNonNull(expected, "expected");
    }

    /** One line: {@code inventory.yml:7: failureRateThreshold: 120 (expected: ...)}. */
    @Override
    public String toString() {
      String what = key == null ? value : key + ": " + value;
      return new Place(file, line) + ": " + what + " (expected: " + expected + ")";
    }
  }
}
