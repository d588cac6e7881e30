package dev.recloser.microprofile;

import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/** A method with what is done around its calls. Made once for a bean class and a method. */
interface Operation {
  /** Makes a call. */
  @Nullable Object call(InvocationContext context) throws Exception;

  /** Throws whatever it is given: a method throws what it declares, and so do its policies. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <X extends Throwable> X sneaky(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
