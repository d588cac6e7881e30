package dev.recloser.config;

import dev.recloser.config.BreakerConfigs.Note;
import java.util.ArrayList;
import java.util.List;

/**
 * What is found on the way through a source.
 *
 * @param classes whether the classes that it names may be loaded
 * @param placeholders what to put in place of placeholders
 * @param objects what names stand for
 * @param problems what is wrong so far
 * @param notes what does nothing here so far
 * @param unknownKeys keys of Resilience4j that it does not have so far
 */
record Reading(
    Classes classes,
    Placeholders placeholders,
    NamedObjects objects,
    Problems problems,
    List<Note> notes,
    List<UnknownKey> unknownKeys) {

  Reading(Classes classes, Placeholders placeholders, NamedObjects objects) {
    this(classes, placeholders, objects, new Problems(), new ArrayList<>(), new ArrayList<>());
  }

  /** The same, where placeholders may also name keys of these documents. */
  Reading with(List<Section> documents) {
    return new Reading(classes, placeholders.and(documents), objects, problems, notes, unknownKeys);
  }

  /** Another one with the same problems and unknown keys, and notes of its own. */
  Reading withOwnNotes() {
    return new Reading(classes, placeholders, objects, problems, new ArrayList<>(), unknownKeys);
  }

  /**
   * The value with its placeholders replaced. One that stands for nothing is a problem, unless what
   * it would stand for is not to be expected here.
   *
   * @param path before the keys in it: empty or with a dot at the end
   */
  Value resolved(String path, Value value) {
    return value instanceof Section section ? section.resolve(placeholders, path, problems) : value;
  }

  /**
   * Tells of a key that nobody knows: a problem, unless it was written for somebody who does not
   * mind.
   *
   * @param expected what was meant, perhaps
   */
  void unknown(Root root, Value value, String key, String expected) {
    UnknownKey unknown = new UnknownKey(value, key, expected);
    switch (root) {
      case RECLOSER -> unknown.reportTo(problems);
      case RESILIENCE4J -> unknownKeys.add(unknown);
    }
  }

  /** The notes of unknown keys. */
  List<Note> notesOfUnknown() {
    return unknownKeys.stream().map(UnknownKey::note).toList();
  }

  void note(Value value, String key, String advice) {
    notes.add(Note.of(value.place(), key, advice));
  }

  /** Whether the classes that a source names are there. */
  enum Classes {
    /** Load them; one that cannot be loaded is a problem. */
    LOADED,

    /** They are those of a program that is not running here; what needs them is left out. */
    ABSENT
  }
}
