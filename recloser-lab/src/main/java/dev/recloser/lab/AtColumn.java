package dev.recloser.lab;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the column that says when a call began is to be read: as numbers in all rows, or as instants
 * in all rows.
 */
sealed interface AtColumn permits AtColumn.InMilliseconds, AtColumn.SinceEpoch, Instants {
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
    if (milliseconds.toNanos(text) < 0) {
      return Instants.startingWith(text);
    }
    AtColumn sinceEpoch = SinceEpoch.startingWith(text);
    return sinceEpoch == null ? milliseconds : sinceEpoch;
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

  /**
   * Seconds or milliseconds since 1970, counted from the first. They are told by their size: no
   * trace has its first call days after its start.
   */
  record SinceEpoch(DecimalTime unit, long first) implements AtColumn {
    /** A billion seconds: September 2001. */
    private static final long EARLIEST_NANOS = 1_000_000_000L * 1_000_000_000L;

    /** Returns null if the number is too small. */
    static @Nullable SinceEpoch startingWith(String text) {
      for (DecimalTime unit : List.of(DecimalTime.MILLISECONDS, DecimalTime.SECONDS)) {
        long nanos = unit.toNanos(text);
        if (nanos >= EARLIEST_NANOS) {
          return new SinceEpoch(unit, nanos);
        }
      }
      return null;
    }

    @Override
    public long toNanos(String text) {
      long nanos = unit.toNanos(text);
      return nanos < first ? -1 : nanos - first;
    }

    @Override
    public String expected() {
      return unit.name().toLowerCase(Locale.ROOT) + " since 1970, no less than in the first row";
    }
  }
}
