package dev.recloser.config;

import dev.recloser.Bulkhead;
import dev.recloser.BulkheadConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A bulkhead whose calls run on threads of its own. They are made with it, so that each has its
 * own; its slots say how many there are.
 *
 * @param config without the threads, unless the base gives others to run the calls on
 * @param coreThreads how many threads are kept
 * @param keepAlive how long the others wait for work
 */
record ThreadPoolPlan(BulkheadConfig config, int coreThreads, Duration keepAlive) {
  static final String MOST_THREADS = "maxThreadPoolSize";
  static final String QUEUE_CAPACITY = "queueCapacity";

  private static final String CALL_EXECUTOR = "callExecutor";

  /** What the settings of a bulkhead are called here. */
  private static final Map<String, String> KEYS =
      Map.of("maxConcurrentCalls", MOST_THREADS, "maxQueuedCalls", QUEUE_CAPACITY);

  /**
   * Makes one.
   *
   * @throws dev.recloser.InvalidConfigurationException when settings are wrong; lists them all
   */
  static ThreadPoolPlan of(Consumer<? super ThreadPoolDraft> settings) {
    ThreadPoolDraft draft = new ThreadPoolDraft();
    settings.accept(draft);
    FaultList faults = new FaultList();
    BulkheadConfig made = faults.make(() -> BulkheadConfig.of(draft::applyTo), KEYS);
    BulkheadConfig config = made == null ? BulkheadConfig.defaults() : made;
    int most = made == null ? BulkheadConfig.MOST_CALLS : made.maxConcurrentCalls();
    draft.check(faults, most);
    faults.throwIfAny("A bulkhead of threads");
    return new ThreadPoolPlan(config, draft.coreThreads(most), draft.keepAlive());
  }

  /** What is set, the threads included. */
  Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    config.settings().forEach((name, value) -> all.put(KEYS.getOrDefault(name, name), value));
    all.put(ThreadPoolDraft.CORE_THREADS, coreThreads);
    all.put(ThreadPoolDraft.KEEP_ALIVE, keepAlive);
    return all;
  }

  Bulkhead create(String name) {
    return Bulkhead.create(name, hasExecutor() ? config : on(newThreads(name)));
  }

  /** Changes a living bulkhead to this; its threads stay. */
  void applyTo(Bulkhead bulkhead) {
    if (hasExecutor()) {
      bulkhead.reconfigure(config);
      return;
    }
    Object present = bulkhead.config().settings().get(CALL_EXECUTOR);
    CallThreads threads = present instanceof CallThreads own ? own : newThreads(bulkhead.name());
    threads.keep(coreThreads, keepAlive);
    bulkhead.reconfigure(on(threads));
  }

  private boolean hasExecutor() {
    return config.settings().containsKey(CALL_EXECUTOR);
  }

  private BulkheadConfig on(CallThreads threads) {
    return config.with(builder -> builder.callExecutor(threads));
  }

  private CallThreads newThreads(String name) {
    return new CallThreads(name, coreThreads, keepAlive);
  }
}
