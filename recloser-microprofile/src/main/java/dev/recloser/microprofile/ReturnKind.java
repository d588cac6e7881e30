package dev.recloser.microprofile;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** How a method's calls end. */
enum ReturnKind {
  /** When the method does, on the calling thread. */
  PLAIN,
  /** When the stage does that the method returns. */
  STAGE,
  /** When the method does, on another thread; the future that it returns is the result. */
  FUTURE;

  /** That of an asynchronous method; null if the method cannot be one. */
  static @Nullable ReturnKind ofAsynchronous(Class<?> returned) {
    if (returned == CompletionStage.class || returned == CompletableFuture.class) {
      return STAGE;
    }
    return returned == Future.class ? FUTURE : null;
  }
}
