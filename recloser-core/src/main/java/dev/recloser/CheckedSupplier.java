package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * A call that returns a value and may throw.
 *
 * @param <T> the type of the result
 * @param <X> what it throws; inferred from a lambda's body, {@code RuntimeException} if nothing
 *     checked is thrown there
 */
@FunctionalInterface
public interface CheckedSupplier<T extends @Nullable Object, X extends Throwable> {
  /**
   * Makes the call.
   *
   * @return the result
   * @throws X when it fails
   */
  T get() throws X;
}
