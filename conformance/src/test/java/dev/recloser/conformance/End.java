package dev.recloser.conformance;

import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How a call ends, as its caller sees it. */
enum End {
  /** A result. */
  RESULT,
  /** A result that counts as a failure. */
  BAD_RESULT,
  /** An exception that is a failure, listed or not. */
  FAILURE,
  /** An exception that the settings ignore. */
  IGNORED,
  /** An exception that is not listed, where failures are. */
  UNLISTED,
  /** An exception that says that the caller's thread was interrupted. */
  INTERRUPTED,
  /** Nothing: the caller has given up. */
  GIVEN_UP;

  private static final List<End> RARE = List.of(IGNORED, UNLISTED, INTERRUPTED, GIVEN_UP);

  /** Whether the settings of both libraries take a result for a failure. */
  static boolean isBad(@Nullable Object result) {
    return BAD_RESULT.name().equals(result);
  }

  /** What the call threw, null if it did not. */
  @Nullable Exception thrown() {
    return switch (this) {
      case FAILURE -> new IOException("no route to host");
      case IGNORED -> new IllegalArgumentException("no such item");
      case UNLISTED -> new IllegalStateException("not initialized");
      case INTERRUPTED -> new InterruptedException("shutting down");
      case RESULT, BAD_RESULT, GIVEN_UP -> null;
    };
  }

  /**
   * Draws an end: mostly good ones while the dependency is well, mostly bad ones while it is not.
   */
  static End random(RandomGenerator random, boolean well) {
    int draw = random.nextInt(100);
    if (draw < 16) {
      return RARE.get(draw % RARE.size());
    }
    boolean good = random.nextInt(100) < (well ? 95 : 35);
    return good ? RESULT : draw % 2 == 0 ? FAILURE : BAD_RESULT;
  }
}
