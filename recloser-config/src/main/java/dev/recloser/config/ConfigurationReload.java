package dev.recloser.config;

import dev.recloser.config.InvalidConfigurationFileException.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of files that have changed: either all of them was taken, or nothing.
 *
 * @param files those that were read, in their order
 * @param changes every key that has another value now; empty if nothing was taken, or if files that
 *     were wrong are again as they were before
 * @param problems why nothing was taken; empty if it was
 */
public record ConfigurationReload(List<Path> files, List<Change> changes, List<Problem> problems) {
  /** Copies the lists. */
  public ConfigurationReload {
    files = List.copyOf(files);
    changes = List.copyOf(changes);
    problems = List.copyOf(problems);
  }

  /** Whether the files were taken. */
  public boolean isTaken() {
    return problems.isEmpty();
  }

  /**
   * A key with another value.
   *
   * @param key the key from the root on, {@code retry.instances.inventory.maxAttempts} for example;
   *     of a policy or a pipeline that was added or is no longer written, without a setting
   * @param before the value for people; null if there was none
   * @param after the value for people; null if there is none. That of a pipeline says that it holds
   *     for pipelines fetched from now on
   */
  public record Change(String key, @Nullable String before, @Nullable String after) {
    /** Checks for null. */
    public Change {
      Objects.requireNonNull(key, "key");
    }

    /** One line: {@code retry.instances.inventory.maxAttempts: 3 -> 2}. */
    @Override
    public String toString() {
      return key + ": " + shown(before) + " -> " + shown(after);
    }

    private static String shown(@Nullable String value) {
      return value == null ? "nothing" : value;
    }
  }
}
