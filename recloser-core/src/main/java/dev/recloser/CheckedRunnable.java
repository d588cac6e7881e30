package dev.recloser;

/**
 * A call without a result that may throw.
 *
 * @param <X> what it throws; inferred from a lambda's body, {@code RuntimeException} if nothing
 *     checked is thrown there
 */
@FunctionalInterface
public interface CheckedRunnable<X extends Throwable> {
  /**
   * Makes the call.
   *
   * @throws X when it fails
   */
  void run() throws X;
}
