package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.recloser.AdaptiveLimitConfig;
import dev.recloser.BulkheadConfig;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.HedgeConfig;
import dev.recloser.Pipeline;
import dev.recloser.RateLimiterConfig;
import dev.recloser.RetryConfig;
import dev.recloser.TimeoutConfig;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What code can set, a file can say; or there is a reason why not. */
final class SettersTest {
  /** What has another name in a file, which is Resilience4j's. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of(
          "recordException", "recordExceptionPredicate",
          "ignoreException", "ignoreExceptionPredicate",
          "recordResult", "recordResultPredicate",
          "retryOnException", "retryExceptionPredicate",
          "retryOnResult", "resultPredicate");

  /** What is no key, and why. */
  private static final Map<String, String> REASONS =
      Map.of(
          "ticker", "time is one for all that an application reads: PolicyConfigs.Base.ticker",
          "scheduler", "so is what waits for it: PolicyConfigs.Base.scheduler",
          "random", "only tests and simulations have another, and they have the base");

  /** What a pipeline's setters are in a file. */
  private static final Map<String, String> OF_PIPELINES =
      Map.of(
          "warningsAreErrors", "warnings",
          "context", "contexts",
          "fallback", "fallback",
          "timeout", "timelimiter");

  @ParameterizedTest(name = "{1}")
  @MethodSource
  void every_setter_has_a_key_or_a_reason(Class<?> builder, PolicyKind<?, ?> kind, String path) {
    Set<String> keys =
        kind.keys().all().stream()
            .filter(Key.Setting.class::isInstance)
            .map(Key::name)
            .collect(Collectors.toSet());

    Set<String> without =
        setters(builder)
            .filter(name -> !keys.contains(path + OTHER_NAMES.getOrDefault(name, name)))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(without).isSubsetOf(REASONS.keySet());
    assertThat(setters(builder)).hasSizeGreaterThan(3);
  }

  static Stream<Arguments> every_setter_has_a_key_or_a_reason() {
    return Stream.of(
        arguments(CircuitBreakerConfig.Builder.class, PolicyKind.CIRCUIT_BREAKER, ""),
        arguments(RetryConfig.Builder.class, PolicyKind.RETRY, ""),
        arguments(HedgeConfig.Builder.class, PolicyKind.HEDGE, ""),
        arguments(BulkheadConfig.Builder.class, PolicyKind.BULKHEAD, ""),
        arguments(AdaptiveLimitConfig.Builder.class, PolicyKind.BULKHEAD, "adaptiveLimit."),
        arguments(RateLimiterConfig.Builder.class, PolicyKind.RATE_LIMITER, ""),
        arguments(TimeoutConfig.Builder.class, PolicyKind.TIMEOUT, ""));
  }

  @Test
  void so_has_every_setter_of_a_pipeline() {
    List<String> without =
        setters(Pipeline.Builder.class)
            .map(name -> OF_PIPELINES.getOrDefault(name, name))
            .filter(name -> !PipelineBlocks.KEYS.contains(name))
            .filter(name -> PolicyKind.ALL.stream().noneMatch(kind -> kind.isCalled(name)))
            .toList();

    assertThat(without).isEmpty();
  }

  private static Stream<String> setters(Class<?> builder) {
    return Arrays.stream(builder.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> method.getReturnType() == builder && method.getParameterCount() > 0)
        .map(Method::getName)
        .distinct();
  }
}
