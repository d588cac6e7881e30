package dev.recloser.config;

import static dev.recloser.config.Kind.COUNT;
import static dev.recloser.config.Kind.DURATION;
import static dev.recloser.config.Kind.SWITCH;

import dev.recloser.BulkheadConfig;
import dev.recloser.config.Key.Setting;
import dev.recloser.config.Key.Unused;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** The keys of a bulkhead of threads. */
final class ThreadPoolKeys {
  private static final String MAX_WAIT = "maxWaitDuration";

  static final Keys<ThreadPoolDraft> ALL =
      Keys.of(
          bulkhead(
                  ThreadPoolPlan.MOST_THREADS,
                  COUNT,
                  BulkheadConfig.Builder::maxConcurrentCalls,
                  "How many calls may run at once, each on a thread of its own.")
              .byDefault("as many as there are processors"),
          Setting.<ThreadPoolDraft, Integer>of(
                  ThreadPoolDraft.CORE_THREADS,
                  COUNT,
                  ThreadPoolDraft::coreThreadPoolSize,
                  "How many threads are kept for a minute when there is nothing to do.")
              .elsewhere("stay for ever")
              .byDefault("one less than there are processors")
              .judgedBy(ThreadPoolPlan.MOST_THREADS),
          Setting.of(
              ThreadPoolDraft.KEEP_ALIVE,
              DURATION,
              ThreadPoolDraft::keepAliveDuration,
              "How long the threads beyond those are kept."),
          bulkhead(
                  MAX_WAIT,
                  DURATION,
                  ThreadPoolKeys::maxWaitDuration,
                  "How long a call waits for a thread at most; 0 for not at all. No limit if not set.")
              .ours()
              .byDefault("no limit"),
          bulkhead(
                  ThreadPoolPlan.QUEUE_CAPACITY,
                  COUNT,
                  BulkheadConfig.Builder::maxQueuedCalls,
                  "How many calls may wait for a thread.")
              .judgedBy(MAX_WAIT),
          bulkhead(
                  "writableStackTraceEnabled",
                  SWITCH,
                  BulkheadConfig.Builder::writableStackTraceEnabled,
                  "Whether a refusal's exception carries a stack trace.")
              .elsewhere("true by default"),
          bulkhead(
                  "executor",
                  NamedObject.<Executor>of(Executor.class),
                  BulkheadConfig.Builder::executor,
                  "An Executor that starts stages which have waited.")
              .ours()
              .byDefault("the common pool"),
          bulkhead(
                  "callExecutor",
                  NamedObject.<Executor>of(Executor.class),
                  BulkheadConfig.Builder::callExecutor,
                  "An Executor that runs the calls, rather than threads of the bulkhead's own.")
              .ours()
              .byDefault("threads of its own"),
          new Unused<>(
              "contextPropagators",
              "not the same here; name a CallContext under contexts of the pipeline"),
          new Unused<>(
              "subscribeForEvents", "not set from here; register a listener on the bulkhead"),
          new Unused<>(
              "eventConsumerBufferSize", "not set from here; register a listener on the bulkhead"),
          new Unused<>("tags", "not set from here; tags belong to what makes the meters"));

  private ThreadPoolKeys() {}

  /** Where calls do not wait, the queue is none unless it is given too, and is then wrong. */
  private static void maxWaitDuration(BulkheadConfig.Builder builder, Duration time) {
    builder.maxWaitDuration(time);
    if (time.isZero()) {
      builder.maxQueuedCalls(null);
    }
  }

  private static <T> Setting<ThreadPoolDraft, T> bulkhead(
      String name, Kind<T> kind, BiConsumer<BulkheadConfig.Builder, T> setter, String description) {
    return Draft.setting(name, kind, setter, description);
  }
}
