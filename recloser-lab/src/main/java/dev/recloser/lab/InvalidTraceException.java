package dev.recloser.lab;

import java.io.IOException;

/** A trace that cannot be replayed; says where, what stands there, and what was expected. */
public final class InvalidTraceException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long line;

  /**
   * Creates one.
   *
   * @param source the name of the trace
   * @param line the line, from 1
   * @param problem what is wrong there, in one line
   */
  public InvalidTraceException(String source, long line, String problem) {
    super(source + ":" + line + ": " + problem);
    this.line = line;
  }

  /** The line, from 1, on which the wrong row begins. */
  public long line() {
    return line;
  }
}
