package dev.recloser;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Guards every call to an object, behind one of its interfaces. */
final class GuardedInterface implements InvocationHandler {
  private final PlainCalls calls;
  private final StageCalls stages;
  private final @Nullable CircuitBreaker breaker;
  private final Object target;
  private final boolean needsAccess;

  /** How plain calls are made. */
  interface PlainCalls {
    @Nullable Object make(MethodKey key, CheckedSupplier<@Nullable Object, Throwable> call)
        throws Throwable;
  }

  /** How stages are. */
  interface StageCalls {
    CompletableFuture<@Nullable Object> make(
        MethodKey key, Supplier<? extends CompletionStage<@Nullable Object>> call);
  }

  private GuardedInterface(
      PlainCalls calls,
      StageCalls stages,
      @Nullable CircuitBreaker breaker,
      Object target,
      boolean needsAccess) {
    this.calls = calls;
    this.stages = stages;
    this.breaker = breaker;
    this.target = target;
    this.needsAccess = needsAccess;
  }

  static <I> I wrap(Policy policy, Class<I> type, I target) {
    CircuitBreaker breaker = policy instanceof CircuitBreaker b ? b : null;
    return wrap(
        (key, call) -> policy.call(call),
        (key, call) -> policy.callAsync(call),
        breaker,
        type,
        target);
  }

  /**
   * Makes a wrapper.
   *
   * @param breaker what to ask for permits, so that a call can end with a stage that its method
   *     does not declare; null for what gives none
   */
  static <I> I wrap(
      PlainCalls calls,
      StageCalls stages,
      @Nullable CircuitBreaker breaker,
      Class<I> type,
      I target) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(target, "target");
    if (!type.isInterface() || type.isSealed() || type.isHidden()) {
      throw new IllegalArgumentException(
          "type: " + type.getName() + " (expected: an interface, neither sealed nor hidden)");
    }
    boolean needsAccess = needsAccess(type, target);
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            new GuardedInterface(calls, stages, breaker, target, needsAccess));
    return type.cast(proxy);
  }

  @Override
  @SuppressWarnings("NullAway") // The supplier says that it may return null.
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(method, arguments);
    }
    if (needsAccess) {
      // Only ever switched on, so it does not matter that threads share the method.
      method.setAccessible(true);
    }
    Class<?> type = method.getReturnType();
    if (type == CompletionStage.class || type == CompletableFuture.class) {
      return stages.make(keyOf(method, arguments), () -> stage(method, arguments));
    }
    return breaker == null
        ? calls.make(keyOf(method, arguments), () -> call(method, arguments))
        : guarded(breaker, method, arguments);
  }

  /**
   * Guards a call that ends when it returns; or, where its method declares a type of stage of its
   * own, or something as wide as a type variable, with the stage that it turns out to return.
   */
  private @Nullable Object guarded(
      CircuitBreaker breaker, Method method, Object @Nullable [] arguments) throws Throwable {
    Permit permit = breaker.acquire();
    Object result;
    try {
      result = call(method, arguments);
    } catch (Throwable thrown) {
      permit.fail(thrown);
      throw thrown;
    }
    if (result instanceof CompletionStage<?> stage) {
      // What the caller casts to is known only if it can be no more than this.
      return stage.getClass() == CompletableFuture.class
          ? GuardedStage.guard(permit, stage)
          : GuardedStage.watch(permit, stage);
    }
    permit.complete(result);
    return result;
  }

  private @Nullable Object ofObject(Method method, Object @Nullable [] arguments) throws Throwable {
    if (method.getName().equals("equals") && arguments != null) {
      return Objects.equals(bare(target), bare(arguments[0]));
    }
    return call(method, arguments);
  }

  private MethodKey keyOf(Method method, Object @Nullable [] arguments) {
    return MethodKey.of(target, method, arguments);
  }

  private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  @SuppressWarnings("unchecked")
  private CompletionStage<@Nullable Object> stage(Method method, Object @Nullable [] arguments) {
    try {
      return (CompletionStage<@Nullable Object>)
          Objects.requireNonNull(
              call(method, arguments), () -> method + " returned null instead of a stage");
    } catch (Throwable thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }

  /** What is behind any number of wrappers. */
  private static @Nullable Object bare(@Nullable Object object) {
    Object bare = object;
    for (GuardedInterface guard = guardOf(bare); guard != null; guard = guardOf(bare)) {
      bare = guard.target;
    }
    return bare;
  }

  private static @Nullable GuardedInterface guardOf(@Nullable Object other) {
    return other != null
            && Proxy.isProxyClass(other.getClass())
            && Proxy.getInvocationHandler(other) instanceof GuardedInterface guard
        ? guard
        : null;
  }

  /** Found out once, rather than at each call. */
  private static boolean needsAccess(Class<?> type, Object target) {
    boolean needed = false;
    for (Method method : type.getMethods()) {
      if (!Modifier.isStatic(method.getModifiers()) && !method.canAccess(target)) {
        needed = true;
        if (!method.trySetAccessible()) {
          throw new IllegalArgumentException(
              "type: "
                  + type.getName()
                  + " (expected: a public interface, or one whose package is open to dev.recloser)");
        }
      }
    }
    return needed;
  }
}
