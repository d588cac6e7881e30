package dev.recloser.config;

import dev.recloser.BulkheadConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a file says about a bulkhead of threads: some of it is about the bulkhead, some about the
 * threads. The defaults are Resilience4j's.
 */
final class ThreadPoolDraft extends Draft<BulkheadConfig.Builder> {
  static final String CORE_THREADS = "coreThreadPoolSize";
  static final String KEEP_ALIVE = "keepAliveDuration";

  private static final int DEFAULT_QUEUE_CAPACITY = 100;
  private static final Duration DEFAULT_KEEP_ALIVE = Duration.ofMillis(20);

  /**
   * The longest that there is; a call waits until its turn comes, its caller leaves or times out.
   */
  private static final Duration WITHOUT_LIMIT = Duration.ofDays(36_500);

  private @Nullable Integer coreThreads;
  private Duration keepAlive = DEFAULT_KEEP_ALIVE;

  void coreThreadPoolSize(int threads) {
    coreThreads = threads;
  }

  void keepAliveDuration(Duration time) {
    keepAlive = time;
  }

  @Override
  void applyTo(BulkheadConfig.Builder builder) {
    builder
        .maxConcurrentCalls(defaultThreads())
        .maxQueuedCalls(DEFAULT_QUEUE_CAPACITY)
        .maxWaitDuration(WITHOUT_LIMIT);
    super.applyTo(builder);
  }

  /** Adds what is wrong with the settings of the threads, of which there are so many at most. */
  void check(FaultList faults, int mostThreads) {
    if (coreThreads != null) {
      boolean fits = coreThreads >= 1 && coreThreads <= mostThreads;
      faults.check(fits, CORE_THREADS, coreThreads, "at least 1, at most maxThreadPoolSize");
    }
    boolean lasts = !keepAlive.isNegative() && keepAlive.compareTo(WITHOUT_LIMIT) <= 0;
    faults.check(lasts, KEEP_ALIVE, keepAlive, "zero or more, at most 36,500 days");
  }

  /** How many threads are kept, of so many at most. */
  int coreThreads(int mostThreads) {
    return coreThreads == null ? Math.max(1, Math.min(processors() - 1, mostThreads)) : coreThreads;
  }

  Duration keepAlive() {
    return keepAlive;
  }

  /** One for each processor, and not fewer than are kept, whatever machine the file comes to. */
  private int defaultThreads() {
    int kept = coreThreads == null ? 1 : Math.min(coreThreads, BulkheadConfig.MOST_CALLS);
    return Math.max(processors(), kept);
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }
}
