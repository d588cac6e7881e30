package dev.recloser.config;

import dev.recloser.config.BreakerConfigs.Note;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was read and is no mistake.
 *
 * @param withoutEffect keys that do nothing here, or not quite what they do elsewhere
 * @param unknown keys that nobody knows
 */
record Remarks(List<Note> withoutEffect, List<Note> unknown) {
  /** All of them and some more. */
  List<Note> inOrder(List<Note> more, SourceOrder order) {
    return Stream.of(withoutEffect, unknown, more)
        .flatMap(List::stream)
        .sorted(order.by(Note::file, Note::line))
        .toList();
  }
}
