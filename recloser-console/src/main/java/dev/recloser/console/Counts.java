package dev.recloser.console;

/** Calls, by what became of them. Immutable. */
record Counts(long succeeded, long failed, long refused) {
  static final Counts NONE = new Counts(0, 0, 0);

  Counts plus(Counts more) {
    return new Counts(succeeded + more.succeeded, failed + more.failed, refused + more.refused);
  }

  /** What came since; nothing where one has begun anew and so counts from zero again. */
  Counts since(Counts before) {
    return new Counts(
        Math.max(0, succeeded - before.succeeded),
        Math.max(0, failed - before.failed),
        Math.max(0, refused - before.refused));
  }

  boolean isNothing() {
    return equals(NONE);
  }
}
