package dev.recloser.benchmarks;

import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A breaker of Helidon, which needs Java 21 and so cannot be compiled against. It is called as
 * directly as if it were: the method below is made by the factory that makes lambdas.
 */
@FunctionalInterface
interface HelidonBreaker {
  Object call(Supplier<?> call);

  static boolean isThere() {
    return Runtime.version().feature() >= 21;
  }

  /** Makes a breaker; where Java is too old, one that throws, which fails that benchmark alone. */
  static HelidonBreaker of(int calls, int percent) {
    if (!isThere()) {
      return call -> {
        throw new UnsupportedOperationException("Helidon needs Java 21 or newer");
      };
    }
    try {
      return callOf(build(calls, percent));
    } catch (Throwable e) {
      throw new IllegalStateException("Helidon's breaker could not be made", e);
    }
  }

  private static Object build(int calls, int percent) throws ReflectiveOperationException {
    Object builder = type("CircuitBreaker").getMethod("builder").invoke(null);
    Class<?> type = type("CircuitBreakerConfig$Builder");
    type.getMethod("volume", int.class).invoke(builder, calls);
    type.getMethod("errorRatio", int.class).invoke(builder, percent);
    type.getMethod("delay", Duration.class).invoke(builder, Breakers.LONG);
    return type("CircuitBreaker")
        .getMethod("create", type("CircuitBreakerConfig"))
        .invoke(
            null, type("CircuitBreakerConfig$Builder").getMethod("buildPrototype").invoke(builder));
  }

  private static HelidonBreaker callOf(Object breaker) throws Throwable {
    Class<?> type = type("FtHandler");
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodType signature = MethodType.methodType(Object.class, Supplier.class);
    MethodHandle invoke = lookup.findVirtual(type, "invoke", signature);
    CallSite site =
        LambdaMetafactory.metafactory(
            lookup,
            "call",
            MethodType.methodType(HelidonBreaker.class, type),
            signature,
            invoke,
            signature);
    return (HelidonBreaker) site.getTarget().invoke(breaker);
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName("io.helidon.faulttolerance." + name);
  }
}
