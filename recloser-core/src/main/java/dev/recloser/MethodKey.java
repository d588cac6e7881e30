package dev.recloser;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The key of a call to a wrapped object: two that call the same method of the same object with
 * equal arguments ask the same. Arrays are equal when their elements are.
 */
final class MethodKey {
  private final @Nullable Object scope;
  private final Object target;
  private final Method method;
  private final @Nullable Object @Nullable [] arguments;

  private MethodKey(
      @Nullable Object scope,
      Object target,
      Method method,
      @Nullable Object @Nullable [] arguments) {
    this.scope = scope;
    this.target = target;
    this.method = method;
    this.arguments = arguments;
  }

  static MethodKey of(Object target, Method method, @Nullable Object @Nullable [] arguments) {
    return new MethodKey(null, target, method, arguments);
  }

  /** The same call, made with a key of the caller's own. */
  MethodKey within(@Nullable Object key) {
    return key == null ? this : new MethodKey(key, target, method, arguments);
  }

  /** The key of the caller's own. */
  @Nullable Object scope() {
    return scope;
  }

  /** Whether an object has the method. */
  boolean isOf(Object other) {
    return method.getDeclaringClass().isInstance(other);
  }

  /** Makes the same call to another object; throws what that throws. */
  @Nullable Object callOn(Object other) throws Throwable {
    try {
      return method.invoke(other, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  /** Whether the call gives no answer: then that it went well once says nothing of another time. */
  boolean isCommand() {
    return method.getReturnType() == void.class
        || (method.getGenericReturnType() instanceof ParameterizedType stage
            && Arrays.equals(stage.getActualTypeArguments(), new Object[] {Void.class}));
  }

  /** The object is one by identity: whatever it says it equals, it may answer otherwise. */
  @Override
  @SuppressWarnings("ReferenceEquality") // See above.
  public boolean equals(@Nullable Object other) {
    return other instanceof MethodKey that
        && target == that.target
        && method.equals(that.method)
        && Arrays.deepEquals(
            new Object[] {scope, arguments}, new Object[] {that.scope, that.arguments});
  }

  @Override
  public int hashCode() {
    return 31 * (31 * System.identityHashCode(target) + method.hashCode())
        + Arrays.deepHashCode(new Object[] {scope, arguments});
  }
}
