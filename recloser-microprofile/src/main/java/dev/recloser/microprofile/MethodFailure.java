package dev.recloser.microprofile;

import dev.recloser.CallRejectedException;
import dev.recloser.TimeoutExceededException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Carries something that a method threw through policies that would see more in it than the
 * specification does: who throws a cancellation has not given up for it, a refusal that the method
 * met further in is none of ours, and a wrapper is judged by itself and never by its cause.
 *
 * <p>So whatever the policies see of those types without this around it is their own.
 */
final class MethodFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private MethodFailure(Throwable thrown) {
    super(null, thrown, /* enableSuppression= */ false, /* writableStackTrace= */ false);
  }

  /** What the policies get to see of what a method threw. */
  static Throwable closed(Throwable thrown) {
    return isSpecial(thrown) ? new MethodFailure(thrown) : thrown;
  }

  /** What the method threw. */
  static Throwable opened(Throwable seen) {
    return seen instanceof MethodFailure ? Objects.requireNonNull(seen.getCause()) : seen;
  }

  @Override
  public String getMessage() {
    return String.valueOf(getCause());
  }

  private static boolean isSpecial(Throwable thrown) {
    return thrown instanceof CancellationException
        || thrown instanceof InterruptedException
        || thrown instanceof CallRejectedException
        || thrown instanceof TimeoutExceededException
        || thrown instanceof CompletionException
        || thrown instanceof ExecutionException
        || thrown instanceof InvocationTargetException
        || thrown instanceof UndeclaredThrowableException;
  }
}
