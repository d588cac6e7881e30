package dev.recloser.config;

import java.util.Set;

/** The names of the exceptions that say that a call was not made. */
final class Refusals {
  private static final String PACKAGE = "dev.recloser.";

  private static final Set<String> OURS =
      Set.of(
          PACKAGE + "CallRejectedException",
          PACKAGE + "CallNotPermittedException",
          PACKAGE + "BulkheadFullException",
          PACKAGE + "RequestNotPermittedException",
          PACKAGE + "DeadlineExceededException");

  private static final Set<String> THEIRS =
      Set.of(
          "io.github.resilience4j.circuitbreaker.CallNotPermittedException",
          "io.github.resilience4j.bulkhead.BulkheadFullException",
          "io.github.resilience4j.ratelimiter.RequestNotPermitted");

  private Refusals() {}

  /** Whether it is a refusal of this library. */
  static boolean isOurs(String name) {
    return OURS.contains(name);
  }

  /** Whether it is a refusal of Resilience4j, which nobody throws here. */
  static boolean isTheirs(String name) {
    return THEIRS.contains(name);
  }
}
