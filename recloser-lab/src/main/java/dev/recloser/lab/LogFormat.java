package dev.recloser.lab;

/**
 * A format of logs.
 *
 * @param program what writes it, as a user names it
 * @param description which of the program's formats it is
 * @param lines how a line is split into fields
 * @param dialect what the fields mean
 * @param numberInMicroseconds whether its durations are whole numbers that in another format, which
 *     looks the same, would be of a coarser unit
 */
record LogFormat(
    String program,
    String description,
    LineFormat lines,
    LogDialect dialect,
    boolean numberInMicroseconds) {

  LogFormat(String program, String description, LineFormat lines, LogDialect dialect) {
    this(program, description, lines, dialect, false);
  }

  @Override
  public String toString() {
    return program + " (" + description + ")";
  }
}
