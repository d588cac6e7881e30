package dev.recloser.lab;

import java.util.List;

/**
 * What the reader of a trace has to say about it; a snapshot.
 *
 * @param format what it was read as, and why; a phrase for people
 * @param lines the lines read so far, blank ones among them
 * @param unreadable those that could not be understood and were left out
 * @param firstUnreadable the first of them, at most {@link #MAX_UNREADABLE}, each with its place,
 *     what is wrong with it, and how it begins
 * @param notPassedOn those that tell of a request that no dependency was asked for, and were left
 *     out
 * @param shortened the calls that began so long before they were written down that they are taken
 *     to have begun later
 */
public record TraceNotes(
    String format,
    long lines,
    long unreadable,
    List<String> firstUnreadable,
    long notPassedOn,
    long shortened) {
  /** How many unreadable lines are shown: {@value}. */
  public static final int MAX_UNREADABLE = 5;

  /** Creates one. */
  public TraceNotes {
    firstUnreadable = List.copyOf(firstUnreadable);
  }

  /** Those of a trace that leaves nothing out. */
  static TraceNotes complete(String format, long lines) {
    return new TraceNotes(format, lines, 0, List.of(), 0, 0);
  }
}
