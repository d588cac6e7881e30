package dev.recloser.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Policies;
import dev.recloser.test.FakeTime;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedBulkheadMetrics;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.github.resilience4j.micrometer.tagged.TaggedRateLimiterMetrics;
import io.github.resilience4j.micrometer.tagged.TaggedRetryMetrics;
import io.github.resilience4j.micrometer.tagged.TaggedTimeLimiterMetrics;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The second set of meters beside those that Resilience4j itself has. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class Resilience4jNamesTest {
  private static final String NAME = "inventory";

  private final SimpleMeterRegistry theirs = new SimpleMeterRegistry();
  private final SimpleMeterRegistry ours = new SimpleMeterRegistry();

  @Test
  void names_tags_and_types_are_theirs() {
    CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
    breakers.circuitBreaker(NAME);
    RetryRegistry retries = RetryRegistry.ofDefaults();
    retries.retry(NAME);
    BulkheadRegistry bulkheads = BulkheadRegistry.ofDefaults();
    bulkheads.bulkhead(NAME);
    RateLimiterRegistry limiters = RateLimiterRegistry.ofDefaults();
    limiters.rateLimiter(NAME);
    TimeLimiterRegistry timeLimiters = TimeLimiterRegistry.ofDefaults();
    timeLimiters.timeLimiter(NAME);
    TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(breakers).bindTo(theirs);
    TaggedRetryMetrics.ofRetryRegistry(retries).bindTo(theirs);
    TaggedBulkheadMetrics.ofBulkheadRegistry(bulkheads).bindTo(theirs);
    TaggedRateLimiterMetrics.ofRateLimiterRegistry(limiters).bindTo(theirs);
    TaggedTimeLimiterMetrics.ofTimeLimiterRegistry(timeLimiters).bindTo(theirs);
    Policies policies = Policies.create();
    policies.circuitBreakers().circuitBreaker(NAME);
    policies.retries().retry(NAME);
    policies.bulkheads().bulkhead(NAME);
    policies.rateLimiters().rateLimiter(NAME);
    policies.timeouts().timeout(NAME);
    bind(policies);

    assertThat(shapes(ours)).isEqualTo(shapes(theirs));
  }

  @Test
  void the_same_calls_give_the_same_numbers() {
    CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
    CircuitBreaker breaker = breakers.circuitBreaker(NAME);
    TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(breakers).bindTo(theirs);
    Policies policies = Policies.create();
    FakeTime time = FakeTime.create();
    dev.recloser.CircuitBreaker own =
        policies
            .circuitBreakers()
            .circuitBreaker(NAME, CircuitBreakerConfig.of(config -> config.ticker(time)));
    bind(policies);

    assertThat(numbers(ours)).isEqualTo(numbers(theirs)); // -1 for rates without calls.
    for (int call = 0; call < 101; call++) {
      IOException failure = call % 2 == 0 ? new IOException("reset") : null;
      int seconds = call % 3 == 0 ? 61 : 1; // Slow are those over a minute.
      if (breaker.tryAcquirePermission()) {
        if (failure == null) {
          breaker.onSuccess(seconds, TimeUnit.SECONDS);
        } else {
          breaker.onError(seconds, TimeUnit.SECONDS, failure);
        }
      }
      dev.recloser.Permit permit = own.tryAcquire();
      if (permit != null) {
        time.advance(Duration.ofSeconds(seconds));
        if (failure == null) {
          permit.complete("in stock");
        } else {
          permit.fail(failure);
        }
      }
      assertThat(numbers(ours)).as("after call %s", call).isEqualTo(numbers(theirs));
    }
    assertThat(numbers(ours))
        .containsEntry("not.permitted.calls not_permitted", 1.0)
        .containsEntry("slow.calls failed", 17.0)
        .containsEntry("slow.calls successful", 17.0);
  }

  private void bind(Policies policies) {
    PolicyMetrics.create(metrics -> metrics.policies(policies).resilience4jNames(true))
        .bindTo(ours);
  }

  private static Set<String> shapes(MeterRegistry registry) {
    return registry.getMeters().stream()
        .map(Meter::getId)
        .filter(id -> id.getName().startsWith("resilience4j."))
        .map(id -> id.getName() + " " + new TreeSet<>(id.getTags()) + " " + id.getType())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Counts, rates and states of the breaker; the first number of each meter. */
  private static Map<String, Double> numbers(MeterRegistry registry) {
    Map<String, Double> numbers = new TreeMap<>();
    String prefix = "resilience4j.circuitbreaker.";
    for (Meter meter : registry.getMeters()) {
      Meter.Id id = meter.getId();
      if (id.getName().startsWith(prefix)) {
        String tag = id.getTag("kind") == null ? id.getTag("state") : id.getTag("kind");
        numbers.put(
            id.getName().substring(prefix.length()) + " " + tag,
            meter.measure().iterator().next().getValue());
      }
    }
    return numbers;
  }
}
