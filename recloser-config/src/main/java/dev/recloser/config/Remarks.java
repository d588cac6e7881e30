package dev.recloser.config;

import dev.recloser.config.BreakerConfigs.Note;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was read and is no mistake.
 *
 * @param withoutEffect keys that do nothing here, or not quite what they do elsewhere
 * @param unknown keys that nobody knows
 */
record Remarks(List<Note> withoutEffect, List<Note> unknown) {
  /** All of them and some more, by line. */
  List<Note> and(List<Note> more) {
    return Stream.of(withoutEffect, unknown, more)
        .flatMap(List::stream)
        .sorted(Comparator.comparingInt(Note::line))
        .toList();
  }
}
