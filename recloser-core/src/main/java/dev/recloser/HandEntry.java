package dev.recloser;

import java.util.function.Consumer;

/** A call that a policy has let in by hand. */
interface HandEntry {
  /** Of a policy that does not care how the call ends. */
  HandEntry INDIFFERENT = end -> end;

  /**
   * How a call has ended.
   *
   * @param tell tells a breaker's permit
   * @param returned whether it has a result, rather than having failed or been given up
   */
  record End(Consumer<Permit> tell, boolean returned) {
    static End failed(Throwable thrown) {
      return new End(permit -> permit.fail(thrown), /* returned= */ false);
    }
  }

  /**
   * The call has ended.
   *
   * @return the same end, or what it is for those further out
   */
  End end(End end);

  /** Whether the call tests a half-open breaker. */
  default boolean isProbe() {
    return false;
  }
}
