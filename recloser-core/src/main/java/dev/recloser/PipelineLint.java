package dev.recloser;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Finds what looks right in a pipeline and is not. */
final class PipelineLint {
  private static final int MOST_REMEMBERED = 1_000;

  /** What was logged, which is told once though the same pipeline is made again and again. */
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private final List<PipelineWarning> warnings = new ArrayList<>();

  private PipelineLint() {}

  static List<PipelineWarning> of(List<Policy> policies) {
    PipelineLint lint = new PipelineLint();
    for (int place = 0; place < policies.size(); place++) {
      lint.look(
          policies.get(place),
          policies.subList(0, place),
          policies.subList(place + 1, policies.size()));
    }
    return List.copyOf(lint.warnings);
  }

  /** Logs warnings that were not logged yet. */
  static void log(String pipeline, List<PipelineWarning> warnings) {
    for (PipelineWarning warning : warnings) {
      String text = "Pipeline " + pipeline + ": " + warning;
      if (TOLD.size() < MOST_REMEMBERED && TOLD.add(text)) {
        Listeners.log(text);
      }
    }
  }

  private void look(Policy policy, List<Policy> outside, List<Policy> inside) {
    if (policy instanceof CircuitBreaker breaker) {
      slowLimitAtTimeout(breaker, outside, inside);
      fallbackHidesFromBreaker(breaker, inside);
    } else if (policy instanceof Retry retry) {
      attemptsWithoutPause(retry, inside);
      fallbackHidesFailures(retry, inside);
    } else if (policy instanceof Hedge hedge) {
      hedgeAfterTimeout(hedge, inside);
    } else if (policy instanceof Timeout timeout) {
      attemptsBeyondTimeout(timeout, inside);
    } else if (policy instanceof FallbackLayer<?> fallback) {
      failedResultsAreKept(fallback, inside);
      otherCallMayHang(fallback, outside);
    }
  }

  private void otherCallMayHang(FallbackLayer<?> fallback, List<Policy> outside) {
    if (first(Timeout.class, outside) != null) {
      return;
    }
    for (Pipeline<?> other : fallback.others()) {
      if (first(Timeout.class, other.policies()) == null) {
        warn(
            "fallback-without-limit",
            fallback,
            "the fallback of "
                + fallback.name()
                + " makes another call through "
                + other.name()
                + ", which has no timeout, so that it may hang as the first one did",
            "add a timeout to " + other.name());
      }
    }
  }

  private void failedResultsAreKept(FallbackLayer<?> fallback, List<Policy> inside) {
    for (Policy policy : inside) {
      String setting = failedResultsOf(policy);
      if (setting != null && fallback.keepsAllResults()) {
        warn(
            "stale-failed-results",
            fallback,
            "the fallback of "
                + fallback.name()
                + " keeps results as good answers that are failures by the "
                + setting
                + " of "
                + policy.name(),
            "set the same as recordResult of the fallback");
        return;
      }
    }
  }

  /** The setting by which results are failures for a policy; null if there is none. */
  private static @Nullable String failedResultsOf(Policy policy) {
    if (policy instanceof CircuitBreaker breaker) {
      return breaker.config().settings().containsKey("recordResult") ? "recordResult" : null;
    }
    boolean retried =
        policy instanceof Retry retry && retry.config().settings().containsKey("retryOnResult");
    return retried ? "retryOnResult" : null;
  }

  private void slowLimitAtTimeout(
      CircuitBreaker breaker, List<Policy> outside, List<Policy> inside) {
    Timeout inner = first(Retry.class, inside) == null ? first(Timeout.class, inside) : null;
    boolean unused =
        slowLimitAtTimeout(breaker, inner, "inside")
            || slowLimitAtTimeout(breaker, first(Timeout.class, outside), "around it");
  }

  /** Tells whether it warns; not of the default limit, for who does not care made no mistake. */
  private boolean slowLimitAtTimeout(
      CircuitBreaker breaker, @Nullable Timeout timeout, String where) {
    Duration limit = breaker.config().slowCallDurationThreshold();
    boolean isMeant = !limit.equals(CircuitBreakerConfig.DEFAULT_SLOW_CALL_DURATION_THRESHOLD);
    if (timeout == null || limit.isZero() || !isMeant) {
      return false;
    }
    Duration time = timeout.config().timeoutDuration();
    if (limit.compareTo(time) < 0) {
      return false;
    }
    warn(
        "slow-limit-at-timeout",
        breaker,
        "no call can be slower than the slowCallDurationThreshold of "
            + breaker.name()
            + ", "
            + Text.of(limit)
            + ", for the timeout "
            + where
            + " ends it after "
            + Text.of(time),
        "set the threshold between the usual p99 and the timeout");
    return true;
  }

  private void attemptsWithoutPause(Retry retry, List<Policy> inside) {
    CircuitBreaker breaker = first(CircuitBreaker.class, inside);
    boolean pauses =
        !retry.config().waitDuration().isZero() || retry.config().intervalFunction() != null;
    if (breaker != null && !pauses && retry.config().maxAttempts() > 1) {
      warn(
          "retry-without-pause",
          retry,
          "up to "
              + retry.config().maxAttempts()
              + " attempts without a pause fill the window of "
              + breaker.name()
              + " with one failure",
          "set a waitDuration, or put the breaker around the retry");
    }
  }

  private void fallbackHidesFailures(Retry retry, List<Policy> inside) {
    if (first(FallbackLayer.class, inside) != null) {
      warn(
          "fallback-inside-retry",
          retry,
          "the fallback inside the retry "
              + retry.name()
              + " answers failures, which the retry then takes for successes",
          "put the fallback outside the retry");
    }
  }

  private void fallbackHidesFromBreaker(CircuitBreaker breaker, List<Policy> inside) {
    if (first(FallbackLayer.class, inside) != null) {
      warn(
          "fallback-inside-breaker",
          breaker,
          "the fallback inside the circuit breaker "
              + breaker.name()
              + " answers failures, which the breaker then takes for successes",
          "put the fallback outside the circuit breaker");
    }
  }

  private void hedgeAfterTimeout(Hedge hedge, List<Policy> inside) {
    Timeout timeout = first(Timeout.class, inside);
    boolean isFixed = !hedge.config().followsCalls();
    if (timeout == null || first(Retry.class, inside) != null || !isFixed) {
      return;
    }
    Duration time = timeout.config().timeoutDuration();
    if (hedge.config().delay().compareTo(time) >= 0) {
      warn(
          "hedge-after-timeout",
          hedge,
          "no attempt goes on for the "
              + Text.of(hedge.config().delay())
              + " after which the hedge "
              + hedge.name()
              + " makes another, for the timeout inside ends it after "
              + Text.of(time),
          "set the delay near the usual p95, below the timeout");
    }
  }

  private void attemptsBeyondTimeout(Timeout timeout, List<Policy> inside) {
    Retry retry = first(Retry.class, inside);
    if (retry == null) {
      return;
    }
    Timeout each = first(Timeout.class, inside.subList(inside.indexOf(retry) + 1, inside.size()));
    if (each == null) {
      return;
    }
    Duration all = each.config().timeoutDuration().multipliedBy(retry.config().maxAttempts());
    if (all.compareTo(timeout.config().timeoutDuration()) > 0) {
      warn(
          "attempts-beyond-timeout",
          retry,
          retry.config().maxAttempts()
              + " attempts of up to "
              + Text.of(each.config().timeoutDuration())
              + " do not fit into the "
              + Text.of(timeout.config().timeoutDuration())
              + " around them",
          "allow fewer attempts, or less time for each");
    }
  }

  private void warn(String rule, Policy policy, String message, String advice) {
    warnings.add(new PipelineWarning(rule, policy, message, advice));
  }

  private static <P extends Policy> @Nullable P first(Class<P> type, List<Policy> policies) {
    return policies.stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
  }
}
