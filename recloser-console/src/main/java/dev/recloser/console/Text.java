package dev.recloser.console;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Text from outside, fit for a message. */
final class Text {
  private static final int MOST = 100;
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u0085\u2028\u2029]");

  private Text() {}

  /** On one line, and not too long; what is missing says so. */
  static String quoted(@Nullable String text) {
    if (text == null) {
      return "missing";
    }
    return '"' + onOneLine(cut(text)) + '"';
  }

  static String cut(String text) {
    return text.length() <= MOST ? text : text.substring(0, MOST - 1) + "…";
  }

  static String onOneLine(String text) {
    return CONTROL.matcher(text).replaceAll(" ");
  }

  static boolean isOnOneLine(String text) {
    return !CONTROL.matcher(text).find();
  }
}
