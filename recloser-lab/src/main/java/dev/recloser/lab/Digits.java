package dev.recloser.lab;

/** Reads the parts of which dates and times are made; -1 stands for what is not there. */
final class Digits {
  private Digits() {}

  /** Reads two digits behind a separator; -1 if they are not there or too large. */
  static int two(String text, int at, char separator, int max) {
    int value = two(text, at);
    return value >= 0 && text.charAt(at - 1) == separator && value <= max ? value : -1;
  }

  /** Reads two digits. */
  static int two(String text, int at) {
    int tens = text.charAt(at) - '0';
    int ones = text.charAt(at + 1) - '0';
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : -1;
  }

  /**
   * Reads the nanoseconds from the point to the end; zero if there is nothing, not even a point.
   */
  static long fraction(String text, int point, int end) {
    if (point == end) {
      return 0;
    }
    int digits = end - point - 1;
    if (text.charAt(point) != '.' || digits < 1 || digits > 9) {
      return -1;
    }
    long nanos = 0;
    for (int i = point + 1; i < end; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      nanos = 10 * nanos + (c - '0');
    }
    for (int i = digits; i < 9; i++) {
      nanos *= 10;
    }
    return nanos;
  }
}
