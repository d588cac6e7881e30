package dev.recloser.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers and sentences as the demo prints them; ASCII, so that every terminal and log can. */
final class Text {
  /** The widest line. */
  static final int WIDTH = 100;

  private Text() {}

  /** {@code 1,190 ms}, and {@code 0.4 ms} where whole ones would say nothing. */
  static String millis(Duration duration) {
    double millis = duration.toNanos() / 1e6;
    return millis > 0 && millis < 10 ? format("%.1f ms", millis) : format("%,.0f ms", millis);
  }

  /** {@code 12.3 s}. */
  static String seconds(Duration duration) {
    return format("%,.1f s", duration.toNanos() / 1e9);
  }

  /** {@code 62%}, {@code -} for no number. Rounded down, so that 100% means all. */
  static String percent(double percent) {
    return Double.isNaN(percent) ? "-" : format("%.0f%%", Math.floor(percent));
  }

  static String number(long number) {
    return format("%,d", number);
  }

  /** Formats in the same way in every country. */
  static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /** {@code [####......]}. */
  static String bar(int part, int whole, int width) {
    int filled = part == 0 ? 0 : Math.max(1, Math.min(width, part * width / whole));
    return "[" + "#".repeat(filled) + ".".repeat(width - filled) + "]";
  }

  /** Breaks a sentence into lines of at most {@link #WIDTH} columns, each with this indent. */
  static List<String> wrap(String indent, String sentence) {
    List<String> lines = new ArrayList<>();
    var line = new StringBuilder(indent);
    for (String word : sentence.split(" ", -1)) {
      if (line.length() > indent.length() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
      }
      line.append(line.length() > indent.length() ? " " : "").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
