package dev.recloser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a test of two policies in one order proves, as the documents say it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Pair {
  Kind outer();

  Kind inner();

  /** What happens in this order. */
  String says();

  /** When to choose this order, if it is the one that is right for most; else empty. */
  String choose() default "";

  /** The policies, in the order that is right for most. */
  enum Kind {
    FALLBACK,
    RETRY,
    HEDGE,
    CIRCUIT_BREAKER,
    RATE_LIMITER,
    BULKHEAD,
    TIMEOUT;

    /** Its name in a text. */
    String text() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
  }
}
