package dev.recloser.microprofile;

import dev.recloser.Pipeline;
import jakarta.interceptor.InvocationContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A method that is called through a pipeline of the application's own. */
final class NamedOperation implements Operation {
  /** A bean may be made late. */
  private final Supplier<Pipeline<?>> pipeline;

  private final boolean staged;

  NamedOperation(Supplier<Pipeline<?>> pipeline, Class<?> returned) {
    this.pipeline = pipeline;
    staged = returned == CompletionStage.class || returned == CompletableFuture.class;
  }

  @Override
  @SuppressWarnings("unchecked") // Whose results they are is for the application to know.
  public @Nullable Object call(InvocationContext context) throws Exception {
    Pipeline<@Nullable Object> through = (Pipeline<@Nullable Object>) pipeline.get();
    return staged ? through.callAsync(() -> start(context)) : through.call(context::proceed);
  }

  @SuppressWarnings("unchecked") // That is what the method returns.
  private static CompletionStage<@Nullable Object> start(InvocationContext context) {
    try {
      return (CompletionStage<@Nullable Object>) context.proceed();
    } catch (Exception thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }
}
