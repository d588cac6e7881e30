package dev.recloser.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.recloser.Bulkhead;
import dev.recloser.BulkheadSlot;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.Hedge;
import dev.recloser.Permit;
import dev.recloser.Pipeline;
import dev.recloser.Policies;
import dev.recloser.Policy;
import dev.recloser.PolicySource;
import dev.recloser.RateLimiter;
import dev.recloser.Retry;
import dev.recloser.RetryBudget;
import dev.recloser.Timeout;
import dev.recloser.test.FakeTime;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class PolicyMetricsTest {
  private final FakeTime time = FakeTime.create();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private final CircuitBreaker inventory =
      CircuitBreaker.create(
          "inventory",
          config ->
              config
                  .slidingWindowSize(10)
                  .minimumNumberOfCalls(10)
                  .slowCallDurationThreshold(Duration.ofMillis(100))
                  .permittedNumberOfCallsInHalfOpenState(2)
                  .waitDurationInOpenState(Duration.ofSeconds(30))
                  .ticker(time)
                  .scheduler(time));

  @AfterEach
  void closeMeters() {
    meters.close();
  }

  @Test
  void a_breaker_shows_its_evidence_and_how_much_of_it_is_missing() {
    bind();

    end(3, 2);
    slow();
    Permit inFlight = inventory.acquire();
    time.advance(Duration.ofMillis(101));

    assertThat(breaker("failure.rate")).isEqualTo(100.0 * 2 / 6, within(1e-9));
    assertThat(breaker("failure.rate.threshold")).isEqualTo(50);
    assertThat(breaker("slow.call.rate")).isEqualTo(100.0 * 2 / 7, within(1e-9));
    assertThat(breaker("slow.call.rate.threshold")).isEqualTo(100);
    assertThat(breaker("window.calls")).isEqualTo(6);
    assertThat(breaker("window.calls.needed")).isEqualTo(3);
    assertThat(breaker("calls.in.flight")).isOne();
    assertThat(breaker("calls.in.flight.slow")).isOne();
    assertThat(breaker("admitted")).isEqualTo(100);
    inFlight.close();
    assertThat(breaker("calls.in.flight")).isZero();
    assertThat(breaker("calls", "outcome", "success")).isEqualTo(4);
    assertThat(breaker("calls", "outcome", "failure")).isEqualTo(2);
    assertThat(breaker("calls", "outcome", "cancelled")).isOne();
    assertThat(breaker("calls", "outcome", "ignored")).isZero();
    assertThat(breaker("calls.slow")).isOne();
  }

  @Test
  void rates_are_not_a_number_while_there_are_no_calls() {
    bind();

    assertThat(breaker("failure.rate")).isNaN();
    assertThat(breaker("slow.call.rate")).isNaN();
  }

  @Test
  void a_breaker_shows_its_state_and_the_way_there() {
    bind();
    Permit late = inventory.acquire();
    end(0, 10);

    assertThat(inventory.tryAcquire()).isNull();
    time.advance(Duration.ofSeconds(12));
    assertState("open", 2);
    assertThat(breaker("state.age")).isEqualTo(12);
    assertThat(breaker("state.remaining")).isEqualTo(18);
    assertThat(breaker("calls.refused", "reason", "open")).isOne();
    assertThat(transitions("closed", "open", "failure_rate")).isOne();
    assertThat(transitions("closed", "open", "slow_call_rate")).isZero();
    assertThat(breaker("admitted")).isZero();

    late.complete("in stock");
    assertThat(breaker("calls.late")).isOne();

    time.advance(Duration.ofSeconds(18));
    Permit probe = inventory.acquire();
    assertState("half_open", 1);
    probe.complete("in stock");
    inventory.acquire().complete("in stock");
    assertState("closed", 0);
    assertThat(breaker("probes", "outcome", "success")).isEqualTo(2);
    assertThat(breaker("probes.expired")).isZero();
    assertThat(transitions("half_open", "closed", "probes_succeeded")).isOne();
    assertThat(breaker("state.time", "state", "open")).isEqualTo(30);
    assertThat(breaker("state.time", "state", "forced_open")).isZero();
  }

  @Test
  void states_of_an_operator_are_0_when_they_let_calls_through_and_2_when_they_do_not() {
    bind();

    inventory.transitionTo(State.FORCED_OPEN);
    assertState("forced_open", 2);
    inventory.transitionTo(State.DISABLED);
    assertState("disabled", 0);
    inventory.transitionTo(State.METRICS_ONLY);
    assertState("metrics_only", 0);
    assertThat(breaker("state.remaining")).isNaN();
  }

  @Test
  void a_kind_of_transition_that_is_not_usual_has_a_meter_once_it_has_happened() {
    inventory.transitionTo(State.FORCED_OPEN);
    bind();

    assertThat(transitions("closed", "forced_open", "operator")).isOne();
    inventory.transitionTo(State.CLOSED);
    assertThat(transitions("forced_open", "closed", "operator")).isOne();
    inventory.transitionTo(State.FORCED_OPEN);
    assertThat(transitions("closed", "forced_open", "operator")).isEqualTo(2);
  }

  @Test
  void what_it_would_have_done_is_counted() {
    bind();
    inventory.transitionTo(State.METRICS_ONLY);

    end(0, 10);

    assertThat(breaker("would.have.opened")).isOne();
  }

  @Test
  void calls_are_timed_only_if_asked_for() {
    bind();
    assertThat(meters.find("recloser.circuitbreaker.call.duration").meters()).isEmpty();
  }

  @Test
  void timers_take_what_the_breaker_has_timed() {
    PolicyMetrics.create(metrics -> metrics.policy(inventory).callTimers(true)).bindTo(meters);

    slow();
    Permit permit = inventory.acquire();
    time.advance(Duration.ofMillis(40));
    permit.fail(new IOException("reset"));

    assertThat(timer("success", "true").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(101);
    assertThat(timer("failure", "false").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(40);
    assertThat(timer("success", "false").count()).isZero();
  }

  @Test
  void policies_made_later_have_meters_too_and_removed_ones_have_none() {
    CircuitBreakerRegistry breakers = CircuitBreakerRegistry.create();
    breakers.circuitBreaker("before");
    PolicyMetrics.create(metrics -> metrics.policies(breakers)).bindTo(meters);
    breakers.circuitBreaker("after");

    assertThat(names()).containsOnly("before", "after");
    breakers.remove("before");
    assertThat(names()).containsOnly("after");
    breakers.circuitBreaker("before").acquire().complete("again");
    assertThat(
            meters
                .get("recloser.circuitbreaker.calls")
                .tags("name", "before", "outcome", "success")
                .functionCounter()
                .count())
        .isOne();
  }

  @Test
  void after_closing_there_are_no_meters_and_none_come() {
    Policies policies = Policies.create();
    CircuitBreaker breaker = policies.circuitBreakers().circuitBreaker("inventory");
    PolicyMetrics metrics =
        PolicyMetrics.create(
            all -> all.policies(policies).callTimers(true).resilience4jNames(true));
    metrics.bindTo(meters);
    assertThat(meters.getMeters()).isNotEmpty();

    metrics.close();
    policies.retries().retry("orders");
    breaker.transitionTo(State.DISABLED);

    assertThat(meters.getMeters()).isEmpty();
  }

  @Test
  void binding_again_to_the_same_registry_does_nothing() {
    PolicyMetrics metrics = PolicyMetrics.create(all -> all.policy(inventory).callTimers(true));
    metrics.bindTo(meters);
    metrics.bindTo(meters);

    inventory.acquire().complete("in stock");
    assertThat(timer("success", "false").count()).isOne();
    metrics.close();
    assertThat(meters.getMeters()).isEmpty();
  }

  @Test
  void a_breaker_that_cannot_be_read_costs_the_others_nothing() {
    AtomicBoolean broken = new AtomicBoolean();
    CircuitBreaker unreadable =
        CircuitBreaker.create("unreadable", config -> config.ticker(() -> nanoTime(broken)));
    PolicyMetrics.create(all -> all.policy(unreadable).policy(inventory)).bindTo(meters);
    unreadable.acquire().complete("in stock");
    assertThat(breaker("calls", "name", "unreadable", "outcome", "success")).isOne();

    broken.set(true);
    inventory.acquire().complete("in stock");

    assertThat(meters.getMeters())
        .allSatisfy(meter -> assertThat(meter.measure()).allSatisfy(Measurement::getValue));
    assertThat(breaker("calls", "name", "inventory", "outcome", "success")).isOne();
    assertThat(breaker("calls", "name", "unreadable", "outcome", "success")).isOne();
  }

  private static long nanoTime(AtomicBoolean broken) {
    if (broken.get()) {
      throw new NoClassDefFoundError("no clock");
    }
    return 0;
  }

  @Test
  void a_budget_without_limit_is_not_a_number() {
    Retry retry = Retry.create("orders", r -> r.budget(RetryBudget.unlimited()));
    PolicyMetrics.create(all -> all.policy(retry)).bindTo(meters);

    assertThat(value("recloser.retry.budget.left", "name", "orders")).isNaN();
  }

  @Test
  void one_set_can_be_in_several_registries() {
    SimpleMeterRegistry second = new SimpleMeterRegistry();
    PolicyMetrics metrics = PolicyMetrics.create(all -> all.policy(inventory));
    metrics.bindTo(meters);
    metrics.bindTo(second);

    assertThat(second.getMeters()).hasSameSizeAs(meters.getMeters());
    metrics.close();
    assertThat(second.getMeters()).isEmpty();
  }

  @Test
  void tags_are_on_every_meter() {
    PolicyMetrics.create(
            all ->
                all.policies(List.of(inventory, Retry.create("orders", r -> {})))
                    .tags(Tags.of("region", "north"))
                    .callTimers(true))
        .bindTo(meters);

    assertThat(meters.getMeters())
        .allMatch(meter -> "north".equals(meter.getId().getTag("region")));
  }

  @Test
  void a_second_policy_of_the_same_kind_and_name_takes_nothing_from_the_first() {
    CircuitBreaker other = CircuitBreaker.create("inventory");
    PolicyMetrics.create(all -> all.policy(inventory).policy(other)).bindTo(meters);

    other.acquire().complete("in stock");
    inventory.acquire().fail(new IOException("reset"));

    assertThat(breaker("calls", "outcome", "success")).isZero();
    assertThat(breaker("calls", "outcome", "failure")).isOne();
  }

  @Test
  void a_second_policy_of_the_same_kind_and_name_has_the_meters_when_the_first_has_gone() {
    CircuitBreakerRegistry first = CircuitBreakerRegistry.create();
    CircuitBreakerRegistry second = CircuitBreakerRegistry.create();
    CircuitBreaker gone = first.circuitBreaker("inventory");
    CircuitBreaker stays = second.circuitBreaker("inventory");
    PolicyMetrics metrics =
        PolicyMetrics.create(all -> all.policies(first).policies(second).callTimers(true));
    metrics.bindTo(meters);
    stays.acquire().complete("in stock");
    assertThat(breaker("calls", "outcome", "success")).isZero();

    first.remove("inventory");
    gone.acquire().fail(new IOException("reset"));
    stays.acquire().complete("in stock");

    assertThat(breaker("calls", "outcome", "success")).isEqualTo(2);
    assertThat(breaker("calls", "outcome", "failure")).isZero();
    assertThat(timer("success", "false").count()).isOne();
    second.remove("inventory");
    assertThat(meters.getMeters()).isEmpty();
  }

  @Test
  void a_policy_that_is_in_two_sources_has_its_meters_until_it_is_in_none() {
    CircuitBreakerRegistry breakers = CircuitBreakerRegistry.create();
    CircuitBreaker breaker = breakers.circuitBreaker("inventory");
    PolicySource<Policy> both =
        PolicySource.concat(List.of(breakers, PolicySource.of(List.of(breaker))));
    PolicyMetrics.create(all -> all.policies(both).callTimers(true)).bindTo(meters);
    breaker.acquire().complete("in stock");

    breakers.remove("inventory");
    breaker.acquire().complete("in stock");

    assertThat(timer("success", "false").count()).isEqualTo(2);
  }

  @Test
  void of_a_second_policy_the_log_is_told_and_not_of_a_second_fallback() {
    List<String> lines = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger(PolicyMetrics.class.getName());
    Filter before = logger.getFilter();
    logger.setFilter(line -> lines.add(String.valueOf(line.getParameters()[0])));
    try {
      PolicyMetrics.create(all -> all.pipeline(everything())).bindTo(meters);
      assertThat(lines).isEmpty();

      PolicyMetrics.create(all -> all.policy(inventory).policy(CircuitBreaker.create("inventory")))
          .bindTo(meters);
      assertThat(lines).containsExactly("CircuitBreaker");
    } finally {
      logger.setFilter(before);
    }
  }

  @Test
  void every_meter_of_a_name_has_one_description_one_type_and_the_same_tags() {
    PolicyMetrics.create(
            all ->
                all.pipeline(everything())
                    .policy(CircuitBreaker.create("payments"))
                    .callTimers(true)
                    .resilience4jNames(true))
        .bindTo(meters);

    Map<String, List<Object>> shapes = new HashMap<>();
    for (Meter meter : meters.getMeters()) {
      Meter.Id id = meter.getId();
      List<String> keys = id.getTags().stream().map(Tag::getKey).toList();
      List<Object> shape = List.of(String.valueOf(id.getDescription()), id.getType(), keys);
      assertThat(shapes.computeIfAbsent(id.getName(), name -> shape))
          .as(id.getName())
          .isEqualTo(shape);
      assertThat(id.getDescription()).as(id.getName()).isNotBlank();
    }
    assertThat(shapes).hasSizeGreaterThan(40);
  }

  @Test
  void a_retry_shows_how_calls_ended_and_what_its_budget_allows() {
    Retry retry =
        Retry.create(
            "orders",
            r -> r.maxAttempts(2).waitDuration(Duration.ofMillis(10)).ticker(time).scheduler(time));
    PolicyMetrics.create(all -> all.policy(retry)).bindTo(meters);

    retry.call(() -> "paid");
    int[] attempt = {0};
    retry.call(
        () -> {
          if (attempt[0]++ == 0) {
            throw new IllegalStateException("busy");
          }
          return "paid";
        });

    assertThat(value("recloser.retry.calls", "name", "orders", "result", "succeeded")).isOne();
    assertThat(value("recloser.retry.calls", "name", "orders", "result", "succeeded_after_retry"))
        .isOne();
    assertThat(value("recloser.retry.retries", "name", "orders")).isOne();
    assertThat(value("recloser.retry.budget.left", "name", "orders")).isEqualTo(retry.budgetLeft());
  }

  @Test
  void a_bulkhead_and_a_rate_limiter_show_their_use() {
    Bulkhead bulkhead = Bulkhead.create("orders", b -> b.maxConcurrentCalls(1));
    RateLimiter limiter =
        RateLimiter.create(
            "orders", l -> l.limitForPeriod(2).maxBurst(2).ticker(time).scheduler(time));
    PolicyMetrics.create(all -> all.policy(bulkhead).policy(limiter)).bindTo(meters);

    BulkheadSlot slot = bulkhead.acquire();
    assertThat(bulkhead.tryAcquire()).isNull();
    limiter.acquire();

    assertThat(value("recloser.bulkhead.running", "name", "orders")).isOne();
    assertThat(value("recloser.bulkhead.limit", "name", "orders")).isOne();
    assertThat(value("recloser.bulkhead.calls", "name", "orders", "result", "refused")).isOne();
    assertThat(value("recloser.ratelimiter.available.permits", "name", "orders")).isOne();
    assertThat(value("recloser.ratelimiter.calls", "name", "orders", "result", "admitted")).isOne();
    slot.close();
    assertThat(value("recloser.bulkhead.running", "name", "orders")).isZero();
  }

  @Test
  void a_pipeline_shows_where_its_answers_come_from() {
    Pipeline<String> orders =
        Pipeline.create(
            "orders",
            calls -> calls.fallback(f -> f.onRefusal(() -> "later")).circuitBreaker(inventory));
    PolicyMetrics.create(all -> all.pipeline(orders)).bindTo(meters);
    inventory.transitionTo(State.FORCED_OPEN);

    assertThat(orders.call(() -> "now")).isEqualTo("later");

    assertThat(
            value(
                "recloser.fallback.answers",
                "name",
                "orders",
                "source",
                "fallback",
                "position",
                "1"))
        .isOne();
    assertThat(breaker("calls.refused", "reason", "forced_open")).isOne();
  }

  @Test
  void making_and_removing_beside_binding_leaves_the_meters_of_those_that_are_there()
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 200; round++) {
        CircuitBreakerRegistry breakers = CircuitBreakerRegistry.create();
        breakers.circuitBreaker("a");
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        PolicyMetrics metrics = PolicyMetrics.create(all -> all.policies(breakers));
        CountDownLatch start = new CountDownLatch(1);
        var others =
            threads.submit(
                () -> {
                  start.await();
                  breakers.circuitBreaker("b");
                  breakers.remove("a");
                  breakers.circuitBreaker("c");
                  breakers.remove("b");
                  return true;
                });
        start.countDown();
        metrics.bindTo(registry);
        others.get(10, TimeUnit.SECONDS);

        assertThat(
                registry.getMeters().stream().map(meter -> meter.getId().getTag("name")).distinct())
            .containsExactly("c");
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** One of each policy, and two fallbacks. */
  static Pipeline<String> everything() {
    return Pipeline.create(
        "orders",
        calls ->
            calls
                .fallback(f -> f.stale(Duration.ofMinutes(1)))
                .fallback(f -> f.onTimeout(() -> "later"))
                .retry(Retry.create("orders", r -> {}))
                .hedge(Hedge.create("orders", h -> h.idempotent(true).delay(Duration.ofMillis(50))))
                .circuitBreaker(CircuitBreaker.create("orders"))
                .rateLimiter(RateLimiter.create("orders", l -> {}))
                .bulkhead(Bulkhead.create("orders", b -> b.adaptiveLimit(a -> {})))
                .timeout(Timeout.create("orders", Duration.ofSeconds(1))));
  }

  @Test
  void what_a_meter_registry_refuses_leaves_nothing_and_takes_no_ones_place() {
    AtomicBoolean refuses = new AtomicBoolean(true);
    meters
        .config()
        .meterFilter(
            new MeterFilter() {
              @Override
              public Meter.Id map(Meter.Id id) {
                if (refuses.get() && id.getName().endsWith("window.calls")) {
                  throw new IllegalArgumentException("not this one");
                }
                return id;
              }
            });
    CircuitBreakerRegistry registry = CircuitBreakerRegistry.create();
    PolicyMetrics.of(registry).bindTo(meters);
    registry.circuitBreaker("x").reset();
    assertThat(meters.getMeters()).isEmpty();

    refuses.set(false);
    registry.remove("x");
    registry.circuitBreaker("x").transitionTo(State.OPEN);
    assertThat(meters.get("recloser.circuitbreaker.state.value").gauge().value()).isEqualTo(2);
  }

  @Test
  void all_meters_go_though_somebody_throws_at_it() {
    meters
        .config()
        .onMeterRemoved(
            meter -> {
              throw new IllegalStateException("listener");
            });
    CircuitBreakerRegistry registry = CircuitBreakerRegistry.create();
    registry.circuitBreaker("x").reset();
    PolicyMetrics metrics = PolicyMetrics.of(registry);
    metrics.bindTo(meters);
    metrics.close();
    assertThat(meters.getMeters()).isEmpty();
    registry.circuitBreaker("y").reset();
    assertThat(meters.getMeters()).as("no longer followed").isEmpty();
  }

  private void bind() {
    PolicyMetrics.create(metrics -> metrics.policy(inventory)).bindTo(meters);
  }

  private void end(int successes, int failures) {
    for (int i = 0; i < successes; i++) {
      inventory.acquire().complete("in stock");
    }
    for (int i = 0; i < failures; i++) {
      inventory.acquire().fail(new IOException("reset"));
    }
  }

  private void slow() {
    Permit permit = inventory.acquire();
    time.advance(Duration.ofMillis(101));
    permit.complete("in stock");
  }

  private void assertState(String state, int number) {
    assertThat(
            meters.find("recloser.circuitbreaker.state").gauges().stream()
                .filter(gauge -> gauge.value() == 1)
                .map(gauge -> gauge.getId().getTag("state")))
        .containsExactly(state);
    assertThat(breaker("state.value")).isEqualTo(number);
  }

  private double transitions(String from, String to, String cause) {
    return breaker("transitions", "from", from, "to", to, "cause", cause);
  }

  private double breaker(String meter, String... tags) {
    return value("recloser.circuitbreaker." + meter, tags);
  }

  private double value(String meter, String... tags) {
    return meters.get(meter).tags(tags).meter().measure().iterator().next().getValue();
  }

  private Timer timer(String outcome, String slow) {
    return meters
        .get("recloser.circuitbreaker.call.duration")
        .tags("outcome", outcome, "slow", slow)
        .timer();
  }

  private List<String> names() {
    return meters.getMeters().stream()
        .map(meter -> meter.getId().getTag("name"))
        .distinct()
        .toList();
  }
}
