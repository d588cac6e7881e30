package dev.recloser.test;

import dev.recloser.CircuitBreaker;
import org.jspecify.annotations.Nullable;

/** Where asserts about Recloser begin. Goes together with a static import of AssertJ's own. */
public final class RecloserAssertions {
  private RecloserAssertions() {}

  /** Begins asserts about a breaker; null fails the first of them. */
  public static CircuitBreakerAssert assertThat(@Nullable CircuitBreaker actual) {
    return new CircuitBreakerAssert(actual);
  }
}
