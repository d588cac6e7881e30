package dev.recloser.lab;

/** A line of a log that says nothing about a call. Without a stack trace: there may be many. */
final class UnreadableLineException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableLineException(String problem) {
    super(problem, null, false, false);
  }

  UnreadableLineException(String name, String value, String expected) {
    this(name + ": " + Shown.value(value) + " (expected: " + expected + ")");
  }
}
