package dev.recloser.microprofile;

import dev.recloser.Pipeline;
import jakarta.interceptor.InvocationContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A method that is called through a pipeline of the application's own.
 *
 * <p>The pipeline may make attempts on threads of which the container knows nothing; so each is
 * given what the calling thread has, the class loader and a request context.
 */
final class NamedOperation implements Operation {
  private final Supplier<Pipeline<?>> finder;
  private final boolean staged;
  private final RequestContexts requests;
  private final OngoingCalls ongoing;

  /** Found by the first call, since its bean may be made late; the same whoever finds it. */
  private volatile @Nullable Pipeline<@Nullable Object> pipeline;

  NamedOperation(
      Supplier<Pipeline<?>> finder,
      Class<?> returned,
      RequestContexts requests,
      OngoingCalls ongoing) {
    this.finder = finder;
    this.requests = requests;
    this.ongoing = ongoing;
    staged = returned == CompletionStage.class || returned == CompletableFuture.class;
  }

  @Override
  @SuppressWarnings("NullAway") // A result is null where the method says so.
  public @Nullable Object call(InvocationContext context) throws Exception {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return staged
        ? start(context, loader)
        : pipeline().<Exception>call(() -> proceed(context, loader));
  }

  private CompletableFuture<@Nullable Object> start(InvocationContext context, ClassLoader loader) {
    CompletableFuture<@Nullable Object> running =
        pipeline().callAsync(() -> proceedStaged(context, loader));
    ongoing.add(context, running);
    var unused = running.whenComplete((result, thrown) -> ongoing.remove(context));
    return running;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // That is what the method returns, or null.
  private CompletionStage<@Nullable Object> proceedStaged(
      InvocationContext context, ClassLoader loader) {
    try {
      return (CompletionStage<@Nullable Object>) proceed(context, loader);
    } catch (Exception thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }

  private @Nullable Object proceed(InvocationContext context, ClassLoader loader) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader own = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return requests.within(context::proceed);
    } catch (Throwable thrown) {
      throw Operation.<Exception>sneaky(thrown);
    } finally {
      thread.setContextClassLoader(own);
    }
  }

  @SuppressWarnings("unchecked") // Whose results they are is for the application to know.
  private Pipeline<@Nullable Object> pipeline() {
    Pipeline<@Nullable Object> known = pipeline;
    if (known == null) {
      known = (Pipeline<@Nullable Object>) finder.get();
      pipeline = known;
    }
    return known;
  }
}
