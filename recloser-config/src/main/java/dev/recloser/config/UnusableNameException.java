package dev.recloser.config;

/** A name that stands for nothing that can be used. */
final class UnusableNameException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String expected;

  /**
   * Creates one.
   *
   * @param expected what to write instead
   */
  UnusableNameException(String expected) {
    super(expected, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    this.expected = expected;
  }

  String expected() {
    return expected;
  }
}
