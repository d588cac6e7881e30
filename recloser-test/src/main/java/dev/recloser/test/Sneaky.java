package dev.recloser.test;

/** Throws what a signature does not allow for, where nobody but a test is surprised. */
final class Sneaky {
  private Sneaky() {}

  /**
   * Throws this very object; {@code X} is inferred as unchecked.
   *
   * @return nothing, so that a caller can end with a throw statement
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <X extends Throwable> RuntimeException rethrow(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
