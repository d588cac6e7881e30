package dev.recloser.lab;

/** Text from a file as it fits into a message of one line. */
final class Shown {
  private static final int VALUE = 60;
  private static final int LINE = 160;

  private Shown() {}

  static String value(String value) {
    return value.isEmpty() ? "nothing" : printable(value, VALUE);
  }

  static String line(String line) {
    return printable(line, LINE);
  }

  private static String printable(String text, int length) {
    String start = text.length() > length ? text.substring(0, length) + "..." : text;
    return start.replaceAll("\\p{Cntrl}", "?");
  }
}
