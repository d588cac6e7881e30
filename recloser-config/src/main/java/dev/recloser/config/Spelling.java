package dev.recloser.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds what was meant. */
final class Spelling {
  private Spelling() {}

  /**
   * The candidate with the fewest edits from what was written, or one that has it as a part; the
   * first of several.
   *
   * @param candidates at least one
   */
  static String nearest(String written, List<String> candidates) {
    return candidates.stream()
        .min(Comparator.comparingInt(candidate -> distance(written, candidate)))
        .orElseThrow();
  }

  /**
   * What to expect in place of a name that is not there: those that are, and the one that may have
   * been meant.
   *
   * @param none what there is if there are none
   */
  static String oneOf(Collection<String> names, String wrong, String none) {
    if (names.isEmpty()) {
      return "none, " + none;
    }
    String all = "one of " + names;
    if (names.size() == 1) {
      return all;
    }
    String nearest = nearest(wrong, List.copyOf(names));
    boolean isNear = edits(wrong, nearest) <= Math.max(1, wrong.length() / 3);
    return all + (isNear ? ", perhaps " + nearest : "");
  }

  private static int distance(String written, String candidate) {
    boolean isPart = KeyPath.canonical(candidate).contains(KeyPath.canonical(written));
    return isPart ? Math.min(1, edits(written, candidate)) : edits(written, candidate);
  }

  /** How many letters have to be inserted, deleted or replaced (the distance of Levenshtein). */
  static int edits(String written, String candidate) {
    String from = KeyPath.canonical(written);
    String to = KeyPath.canonical(candidate);
    int[] row = new int[to.length() + 1]; // Edits from what was read so far to each prefix of it.
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
