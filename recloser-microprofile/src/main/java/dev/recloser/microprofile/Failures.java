package dev.recloser.microprofile;

import dev.recloser.BulkheadFullException;
import dev.recloser.CallNotPermittedException;
import dev.recloser.CallRejectedException;
import dev.recloser.DeadlineExceededException;
import dev.recloser.TimeoutExceededException;
import java.util.concurrent.CancellationException;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.eclipse.microprofile.faulttolerance.exceptions.FaultToleranceException;
import org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What the policies throw, as the specification has it. */
final class Failures {
  private Failures() {}

  /** Whether it is a call that its caller has given up; one of a method itself is wrapped. */
  static boolean isGivenUp(Throwable seen) {
    return seen instanceof CancellationException;
  }

  /** The type that the lists of the annotations are about. Spares making the exception for it. */
  static Class<?> typeOf(Throwable seen) {
    Class<?> specified = specifiedType(seen);
    return specified == null ? MethodFailure.opened(seen).getClass() : specified;
  }

  /** What a caller gets, and a fallback is told, for what the policies threw. */
  static Throwable specified(Throwable seen) {
    Class<?> type = specifiedType(seen);
    if (type == TimeoutException.class) {
      return new TimeoutException(seen.getMessage(), seen);
    }
    if (type == CircuitBreakerOpenException.class) {
      return new CircuitBreakerOpenException(seen.getMessage(), seen);
    }
    if (type == BulkheadException.class) {
      return new BulkheadException(seen.getMessage(), seen);
    }
    return type == null
        ? MethodFailure.opened(seen)
        : new FaultToleranceException(seen.getMessage(), seen);
  }

  private static @Nullable Class<?> specifiedType(Throwable seen) {
    if (seen instanceof TimeoutExceededException || seen instanceof DeadlineExceededException) {
      return TimeoutException.class;
    }
    if (seen instanceof CallNotPermittedException) {
      return CircuitBreakerOpenException.class;
    }
    if (seen instanceof BulkheadFullException) {
      return BulkheadException.class;
    }
    return seen instanceof CallRejectedException ? FaultToleranceException.class : null;
  }
}
