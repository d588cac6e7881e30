package dev.recloser.cli;

import dev.recloser.lab.TraceNotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the reader of a trace has noted, in sentences. */
final class TraceRemarks {
  private TraceRemarks() {}

  /** What it was read as. */
  static String format(String name, TraceNotes notes) {
    return name + ": read as " + notes.format();
  }

  /** What was left out or changed. */
  static List<String> of(String name, TraceNotes notes) {
    List<String> remarks = new ArrayList<>();
    if (notes.unreadable() > 0) {
      remarks.add(
          say(
              "%s: %,d of %,d lines cannot be read and are left out%s",
              name,
              notes.unreadable(),
              notes.lines(),
              notes.unreadable() > notes.firstUnreadable().size() ? "; the first:" : ":"));
      notes.firstUnreadable().forEach(line -> remarks.add("  " + line));
    }
    if (notes.notPassedOn() > 0) {
      remarks.add(
          say(
              "%s: %,d of %,d lines tell of requests that were not passed on and are left out",
              name, notes.notPassedOn(), notes.lines()));
    }
    if (notes.shortened() > 0) {
      remarks.add(
          say(
              "%s: %,d of the calls began more than two minutes before they were written down and"
                  + " are taken to have begun later",
              name, notes.shortened()));
    }
    return remarks;
  }

  private static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
