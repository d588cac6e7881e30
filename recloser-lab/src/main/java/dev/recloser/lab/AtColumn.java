package dev.recloser.lab;

import org.jspecify.annotations.Nullable;

/**
 * How the column that says when a call began is to be read: as numbers in all rows, or as instants
 * in all rows.
 */
sealed interface AtColumn permits AtColumn.InMilliseconds, Instants {
  /** Returns nanoseconds from the start; -1 if the text is not what is {@link #expected}. */
  long toNanos(String text);

  /** What a row has to have. */
  String expected();

  /**
   * Finds out from the first row.
   *
   * @return null if it is neither a number nor an instant
   */
  static @Nullable AtColumn startingWith(String text) {
    AtColumn milliseconds = new InMilliseconds();
    return milliseconds.toNanos(text) >= 0 ? milliseconds : Instants.startingWith(text);
  }

  /** Numbers. */
  record InMilliseconds() implements AtColumn {
    @Override
    public long toNanos(String text) {
      return Milliseconds.toNanos(text);
    }

    @Override
    public String expected() {
      return "milliseconds from the start, zero or more and at most 36,500 days";
    }
  }
}
