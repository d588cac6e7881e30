package dev.recloser.benchmarks;

import java.util.function.Supplier;

/** A failure that costs nothing to make, so that what is measured is what is made of it. */
final class Fault extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** A call that fails. */
  static final Supplier<String> CALL =
      () -> {
        throw new Fault();
      };

  Fault() {
    super("no stock", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
  }
}
