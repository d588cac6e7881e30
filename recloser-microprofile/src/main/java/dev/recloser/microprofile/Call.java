package dev.recloser.microprofile;

import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.jspecify.annotations.Nullable;

/**
 * One call of a method, with all its attempts. It is also the key by which the fallback finds it.
 *
 * <p>Attempts come one after the other, but on several threads; the caller may give the call up
 * from any other, as far as that concerns the method.
 */
final class Call {
  private static final int GIVEN_UP = 1 << 30;

  private final InvocationContext context;
  private final RequestContexts requests;

  /** Whether a fallback has answered; written before the end is published. */
  private volatile boolean fallenBack;

  /**
   * How many threads are in the method, which may be several: one that ignores the end of its time
   * stays while the next attempt begins. With {@link #GIVEN_UP}, no further one comes in.
   */
  private final AtomicInteger inside = new AtomicInteger();

  Call(InvocationContext context, RequestContexts requests) {
    this.context = context;
    this.requests = requests;
  }

  boolean hasFallenBack() {
    return fallenBack;
  }

  /** Makes a plain call on this thread. */
  @Nullable Object proceed() throws Throwable {
    try {
      return context.proceed();
    } catch (Throwable thrown) {
      throw MethodFailure.closed(thrown);
    }
  }

  /** Starts an attempt on a thread of the pool, of a method that returns a stage. */
  CompletionStage<@Nullable Object> proceedStaged() {
    return staged(this::proceedInContext);
  }

  /** Makes an attempt on a thread of the pool, of a method that returns a future, which is T. */
  CompletionStage<@Nullable Object> proceedFuture() {
    try {
      return CompletableFuture.completedFuture(attempt());
    } catch (Throwable thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }

  /**
   * Gives the call up without interrupting the method.
   *
   * @return whether no thread is in the method, so that what goes on can be cancelled
   */
  boolean giveUp() {
    return (inside.getAndUpdate(now -> now | GIVEN_UP) & ~GIVEN_UP) == 0;
  }

  /** What the fallback gives. */
  @Nullable Object fallback(FallbackPlan plan, Throwable seen) throws Throwable {
    fallenBack = true;
    try {
      return plan.answer(this, Failures.specified(seen));
    } catch (Throwable thrown) {
      throw MethodFailure.closed(thrown);
    }
  }

  /** The same of a method that returns a stage, on this thread. */
  CompletionStage<@Nullable Object> fallbackStaged(FallbackPlan plan, Throwable seen) {
    return staged(() -> requests.within(() -> fallback(plan, seen)));
  }

  /** The same of a method that returns a future. */
  CompletionStage<@Nullable Object> fallbackFuture(FallbackPlan plan, Throwable seen) {
    try {
      return CompletableFuture.completedFuture(requests.within(() -> fallback(plan, seen)));
    } catch (Throwable thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }

  Object target() {
    return context.getTarget();
  }

  Object[] parameters() {
    return context.getParameters();
  }

  /** What a fallback handler is told. */
  ExecutionContext executionContext(Throwable failure) {
    return new ExecutionContext() {
      @Override
      public Method getMethod() {
        return context.getMethod();
      }

      @Override
      public Object[] getParameters() {
        return context.getParameters();
      }

      @Override
      public Throwable getFailure() {
        return failure;
      }
    };
  }

  /**
   * An attempt that the caller can give up without interrupting it. What came of one that was given
   * up is of no use to the policies: nobody is to make it again, or to answer in place of it.
   */
  private @Nullable Object attempt() throws Throwable {
    if (!enter()) {
      throw givenUp();
    }
    Object result;
    try {
      result = proceedInContext();
    } catch (Throwable thrown) {
      throw leave() ? MethodFailure.closed(thrown) : givenUp();
    }
    if (leave()) {
      return result;
    }
    cancel((Future<?>) result);
    throw givenUp();
  }

  private boolean enter() {
    return inside.updateAndGet(now -> now >= GIVEN_UP ? now : now + 1) < GIVEN_UP;
  }

  /** Whether the call has not been given up meanwhile. */
  private boolean leave() {
    return inside.getAndDecrement() < GIVEN_UP;
  }

  private static void cancel(@Nullable Future<?> unwanted) {
    try {
      boolean unused = unwanted != null && unwanted.cancel(/* mayInterruptIfRunning= */ false);
    } catch (Throwable e) {
      // One of the user's own making, of which nobody wants to know any more.
    }
  }

  private @Nullable Object proceedInContext() throws Throwable {
    return requests.within(context::proceed);
  }

  /** The stage that some code returns, whose failures are made ready for the policies. */
  @SuppressWarnings("unchecked") // The definition was checked: it returns a stage.
  private static CompletionStage<@Nullable Object> staged(RequestContexts.Body code) {
    try {
      Object stage = Objects.requireNonNull(code.run(), "the method returned null, not a stage");
      return Relay.of(
          (CompletionStage<@Nullable Object>) stage,
          thrown -> MethodFailure.closed(Relay.withoutWrapper(thrown)));
    } catch (Throwable thrown) {
      return CompletableFuture.failedFuture(MethodFailure.closed(thrown));
    }
  }

  private static CancellationException givenUp() {
    return new CancellationException("the caller gave the call up");
  }
}
