package dev.recloser.microprofile;

import dev.recloser.Jitter;
import dev.recloser.Outcome;
import dev.recloser.RetryBudget;
import dev.recloser.RetryConfig;
import dev.recloser.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.eclipse.microprofile.faulttolerance.Retry;

/**
 * What a {@code @Retry} says.
 *
 * @param retries -1 for as many as it takes
 * @param longest after how long there is no further attempt; zero for no limit
 * @param growth by how much the delay grows each time, which is ours
 * @param most the longest wait, which is ours
 */
record RetrySettings(
    int retries,
    Duration delay,
    Duration jitter,
    Duration longest,
    double growth,
    Duration most,
    ThrownTypes types) {
  static RetrySettings of(Members<Retry> members) {
    Retry said = members.declared();
    RetrySettings settings =
        new RetrySettings(
            members.whole("maxRetries", said.maxRetries(), -1),
            members.time("delay", said.delay(), "delayUnit", said.delayUnit()),
            members.time("jitter", said.jitter(), "jitterDelayUnit", said.jitterDelayUnit()),
            members.time("maxDuration", said.maxDuration(), "durationUnit", said.durationUnit()),
            members.atLeastOne("exponentialBackoffMultiplier", 1),
            members.time("maxWaitDuration", Members.LONGEST),
            ThrownTypes.of(members, "retryOn", said.retryOn(), "abortOn", said.abortOn()));
    settings.check(members);
    return settings;
  }

  /** The specification has no budget, and leaves refusals of the breaker inside to its lists. */
  RetryConfig config(Scheduler scheduler, Executor executor) {
    return RetryConfig.of(
        config ->
            config
                .maxAttempts(attempts())
                .waitDuration(delay)
                .intervalFunction(Delays.of(delay, jitter, growth, most))
                .maxWaitDuration(Members.LONGEST)
                .jitter(Jitter.NONE)
                .maxElapsedTime(longest)
                .budget(RetryBudget.unlimited())
                .retryRefusals(true)
                .classifier(types.classifier(Outcome.IGNORED))
                .scheduler(scheduler)
                .executor(executor));
  }

  private void check(Members<Retry> members) {
    if (!longest.isZero() && longest.compareTo(delay) <= 0) {
      members.wrong("maxDuration", longest, "more than the delay, which is " + delay);
    }
  }

  private int attempts() {
    return retries < 0 || retries == Integer.MAX_VALUE ? Integer.MAX_VALUE : retries + 1;
  }
}
