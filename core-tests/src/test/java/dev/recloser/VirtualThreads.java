package dev.recloser;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Virtual threads where the JDK has them; the tests are compiled for one that does not. */
final class VirtualThreads {
  private static final @Nullable MethodHandle PER_TASK = find();

  private VirtualThreads() {}

  static boolean exist() {
    return PER_TASK != null;
  }

  /** A virtual thread for each task, or else these platform threads. */
  static ExecutorService executorOr(ExecutorService platform) {
    if (PER_TASK == null) {
      return platform;
    }
    platform.shutdown();
    try {
      return (ExecutorService) PER_TASK.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static @Nullable MethodHandle find() {
    try {
      return MethodHandles.publicLookup()
          .findStatic(
              Executors.class,
              "newVirtualThreadPerTaskExecutor",
              MethodType.methodType(ExecutorService.class));
    } catch (NoSuchMethodException before21) {
      return null;
    } catch (IllegalAccessException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
