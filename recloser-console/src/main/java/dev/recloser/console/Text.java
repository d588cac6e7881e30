package dev.recloser.console;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Text from outside, fit for a message. */
final class Text {
  private static final int MOST = 100;

  /** What ends a line, steers a terminal (U+009B), or turns the direction of what follows. */
  private static final Pattern CONTROL =
      Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069]");

  private Text() {}

  /** On one line, and not too long; what is missing says so. */
  static String quoted(@Nullable String text) {
    if (text == null) {
      return "missing";
    }
    return '"' + onOneLine(cut(text)) + '"';
  }

  static String cut(String text) {
    return cut(text, MOST);
  }

  static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - 1) + "…";
  }

  static String onOneLine(String text) {
    return CONTROL.matcher(text).replaceAll(" ");
  }

  static boolean isOnOneLine(String text) {
    return !CONTROL.matcher(text).find();
  }
}
