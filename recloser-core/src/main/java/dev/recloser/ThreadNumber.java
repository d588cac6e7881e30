package dev.recloser;

/** Tells threads apart, by and large, to give them different places. */
final class ThreadNumber {
  private ThreadNumber() {}

  /** That of this thread; any, if the thread is of a user's own class and throws. */
  static long current() {
    try {
      return Thread.currentThread().getId();
    } catch (Throwable e) {
      return 0;
    }
  }
}
