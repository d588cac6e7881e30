package dev.recloser.lab;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the lines of a log are split into fields. */
interface LineFormat {
  /**
   * Splits a line.
   *
   * @throws UnreadableLineException if it is not of this format
   */
  Fields split(String line) throws UnreadableLineException;

  /** The names of all fields; null if each line has its own. */
  @Nullable Set<String> names();
}
