package dev.recloser.config;

import dev.recloser.config.BreakerConfigs.Note;

/**
 * A key that nobody knows.
 *
 * @param key with its path
 * @param expected what was meant, perhaps
 */
record UnknownKey(Value value, String key, String expected) {
  Note note() {
    return Note.of(
        value.place(), key, "unknown to Resilience4j too, which ignores it; write " + expected);
  }

  void reportTo(Problems problems) {
    problems.add(value.place(), key, value.shown(), expected);
  }
}
