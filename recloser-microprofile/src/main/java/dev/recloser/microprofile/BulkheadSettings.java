package dev.recloser.microprofile;

import dev.recloser.BulkheadConfig;
import dev.recloser.Scheduler;
import java.util.concurrent.Executor;
import org.eclipse.microprofile.faulttolerance.Bulkhead;

/**
 * What a {@code @Bulkhead} says.
 *
 * @param queue how many calls wait, if they are asynchronous
 */
record BulkheadSettings(Members<Bulkhead> members, int calls, int queue) {
  static BulkheadSettings of(Members<Bulkhead> members) {
    Bulkhead said = members.declared();
    return new BulkheadSettings(
        members,
        members.whole("value", said.value(), 1),
        members.whole("waitingTaskQueue", said.waitingTaskQueue(), 1));
  }

  /** That of plain methods, which run on the threads of their callers and do not wait. */
  BulkheadConfig config(Scheduler scheduler) {
    return BulkheadConfig.of(
        config -> {
          config.maxConcurrentCalls(countable(calls)).scheduler(scheduler);
          OwnSettings.BULKHEAD.apply(members, config);
        });
  }

  /** That of asynchronous methods, which wait without a limit of time. */
  BulkheadConfig config(Scheduler scheduler, Executor threads) {
    return BulkheadConfig.of(
        config -> {
          config
              .maxConcurrentCalls(countable(calls))
              .maxQueuedCalls(countable(queue))
              .maxWaitDuration(Members.LONGEST)
              .callExecutor(threads)
              .scheduler(scheduler);
          OwnSettings.BULKHEAD.apply(members, config);
        });
  }

  /** More than a bulkhead can count are as good as no limit. */
  private static int countable(int number) {
    return Math.min(number, BulkheadConfig.MOST_CALLS);
  }
}
