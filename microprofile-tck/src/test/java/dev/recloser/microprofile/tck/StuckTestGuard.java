package dev.recloser.microprofile.tck;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.testng.IInvokedMethod;
import org.testng.IInvokedMethodListener;
import org.testng.ITestResult;

/**
 * A half-finished implementation can leave suite tests waiting forever (many wait on latches
 * without a limit). Unblocks the test thread after tck.stuckAfterSeconds so that the run always
 * ends with a full list of results. Loaded through META-INF/services/org.testng.ITestNGListener.
 */
public final class StuckTestGuard implements IInvokedMethodListener {
  private static final long LIMIT = Long.getLong("tck.stuckAfterSeconds", 60);
  private static final boolean VERBOSE = Boolean.getBoolean("tck.verbose");

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "tck-stuck-guard");
            thread.setDaemon(true);
            return thread;
          });
  private static final ThreadLocal<ScheduledFuture<?>> PENDING = new ThreadLocal<>();

  @Override
  public void beforeInvocation(IInvokedMethod method, ITestResult result) {
    Thread runner = Thread.currentThread();
    String name = name(method);
    if (VERBOSE && method.isTestMethod()) {
      System.out.println("[tck] start " + name);
    }
    AtomicInteger nudges = new AtomicInteger();
    PENDING.set(
        clock.scheduleAtFixedRate(
            () -> nudge(runner, name, nudges.incrementAndGet()), LIMIT, 2, TimeUnit.SECONDS));
  }

  @Override
  public void afterInvocation(IInvokedMethod method, ITestResult result) {
    ScheduledFuture<?> watch = PENDING.get();
    if (watch != null) {
      watch.cancel(false);
      PENDING.remove();
    }
    Thread.interrupted();
    if (VERBOSE && method.isTestMethod()) {
      System.out.println("[tck] end   " + name(method) + " status=" + result.getStatus());
    }
  }

  /**
   * Two polite interrupts, then (some suite beans wait uninterruptibly) a hard stop; JDK 20+ has
   * none, so end the JVM.
   */
  private static void nudge(Thread runner, String name, int attempt) {
    if (attempt <= 2) {
      System.out.println("[tck] STUCK " + name + ", interrupting");
      if (attempt == 1) {
        Thread.getAllStackTraces().forEach(StuckTestGuard::print);
      }
      runner.interrupt();
      return;
    }
    System.out.println("[tck] STUCK " + name + ", stopping its thread");
    try {
      Thread.class.getMethod("stop").invoke(runner);
    } catch (ReflectiveOperationException noHardStop) {
      System.out.println("[tck] STUCK " + name + ", cannot stop threads on this JDK, giving up");
      Runtime.getRuntime().halt(70);
    }
  }

  private static void print(Thread thread, StackTraceElement[] stack) {
    System.out.println("[tck] " + thread);
    for (StackTraceElement frame : stack) {
      System.out.println("[tck]     " + frame);
    }
  }

  private static String name(IInvokedMethod method) {
    return method.getTestMethod().getRealClass().getSimpleName()
        + "."
        + method.getTestMethod().getMethodName();
  }
}
