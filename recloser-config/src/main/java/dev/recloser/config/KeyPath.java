package dev.recloser.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Keys as they are spelled: {@code a.b-c}, {@code a.bC[0]}, {@code a[b.c].d}. */
final class KeyPath {
  private KeyPath() {}

  /** The parts of a key. What stands in brackets is one part, dots and all. */
  static List<String> parse(String key) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    while (start <= key.length()) {
      int close = key.startsWith("[", start) ? key.indexOf(']', start) : -1;
      int end = close >= 0 ? close + 1 : endOfPlain(key, start);
      parts.add(close >= 0 ? key.substring(start + 1, close) : key.substring(start, end));
      // A dot ends a part and is skipped, a bracket begins the next one; anything else, too.
      boolean atEnd = end == key.length();
      start = atEnd ? end + 1 : key.charAt(end) == '.' ? end + 1 : end;
    }
    return parts;
  }

  /** A name that keeps its dots; brackets around it are left out. */
  static String name(String key) {
    boolean bracketed = key.startsWith("[") && key.endsWith("]");
    return bracketed ? key.substring(1, key.length() - 1) : key;
  }

  /** What the spellings of one key have in common: no case, no dashes, no underscores. */
  static String canonical(String part) {
    return part.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
  }

  private static int endOfPlain(String key, int start) {
    int end = start;
    while (end < key.length()
        && key.charAt(end) != '.'
        && !(end > start && key.charAt(end) == '[' && key.indexOf(']', end) > 0)) {
      end++;
    }
    return end;
  }
}
