package dev.recloser.benchmarks;

import java.util.Arrays;
import java.util.Comparator;

/** What is measured; the name of a benchmark begins with one of them. */
enum Library {
  BARE("bare", "bare call"),
  CLOCK("clock", "clock"),
  RECLOSER("recloser", "Recloser"),
  RESILIENCE4J("resilience4j", "Resilience4j"),
  RESILIENCE4J_LOCK_FREE("resilience4jLockFree", "Resilience4j lock-free"),
  FAILSAFE("failsafe", "Failsafe"),
  FAILSAFE_ALONE("failsafeAlone", "Failsafe alone"),
  SMALLRYE("smallrye", "SmallRye"),
  SENTINEL("sentinel", "Sentinel"),
  HELIDON("helidon", "Helidon");

  final String prefix;
  final String title;

  Library(String prefix, String title) {
    this.prefix = prefix;
    this.title = title;
  }

  static Library of(String method) {
    return Arrays.stream(values())
        .filter(library -> method.startsWith(library.prefix))
        .max(Comparator.comparingInt(library -> library.prefix.length()))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    method + " (expected: a name that begins with a library)"));
  }

  /** Whether it is a library that others are compared with, and not a floor. */
  boolean isPeer() {
    return compareTo(RECLOSER) > 0;
  }
}
