package dev.recloser.microprofile;

import org.jspecify.annotations.Nullable;

/** What a method's annotation gives in place of a failure. */
@FunctionalInterface
interface FallbackPlan {
  /**
   * Makes the answer to a call.
   *
   * @param failure what its caller would get otherwise
   */
  @Nullable Object answer(Call call, Throwable failure) throws Throwable;
}
