package dev.recloser.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets Ctrl-C end a command by interrupting its thread, and gives it a moment to clean up. */
final class CtrlC implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 3;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;

  private CtrlC(Thread command) {
    hook = new Thread(() -> stop(command), "ctrl-c");
  }

  /** Interrupts this thread on Ctrl-C, until closed. */
  static CtrlC interrupts(Thread command) {
    var ctrlC = new CtrlC(command);
    Runtime.getRuntime().addShutdownHook(ctrlC.hook);
    return ctrlC;
  }

  @Override
  public void close() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running, and has just been released.
    }
  }

  private void stop(Thread command) {
    command.interrupt();
    try {
      boolean unused = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
