package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Breakers by name (S25). */
final class RegistryTest extends Scenario {

  @Test
  @DisplayName(
      "B38: a name asked for with another configuration is an error that tells the difference")
  void conflict_is_reported() {
    CircuitBreakerRegistry registry = registry(r -> {});
    registry.circuitBreaker(
        "inventory", onFakeTime(s -> s.slidingWindowSize(50).waitDurationInOpenState(WAIT)));

    assertThatThrownBy(
            () ->
                registry.circuitBreaker(
                    "inventory",
                    onFakeTime(s -> s.slidingWindowSize(20).waitDurationInOpenState(WAIT))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "circuit breaker \"inventory\" exists with other settings:"
                + " slidingWindowSize is 50, not 20; minimumNumberOfCalls is 50, not 20"
                + " (expected: the same settings, another name, or reconfigure)");
  }

  @Test
  @DisplayName("B38: a listener of additions may use the registry, even for the same name")
  void listeners_may_use_the_registry() {
    CircuitBreakerRegistry registry = registry(r -> {});
    List<CircuitBreaker> seen = new ArrayList<>();
    registry.onAdded(
        breaker -> {
          seen.add(registry.circuitBreaker(breaker.name()));
          if (seen.size() < 10) {
            registry.circuitBreaker(breaker.name() + "+");
          }
        });

    CircuitBreaker first = registry.circuitBreaker("a");

    assertThat(seen).hasSize(10);
    assertThat(seen.get(0)).isSameAs(first);
    assertThat(registry.all()).hasSize(10);
  }

  @Test
  void the_same_configuration_gives_the_same_breaker() {
    CircuitBreakerRegistry registry = registry(r -> {});
    CircuitBreaker first =
        registry.circuitBreaker("inventory", onFakeTime(s -> s.slidingWindowSize(50)));
    CircuitBreaker second =
        registry.circuitBreaker("inventory", onFakeTime(s -> s.slidingWindowSize(50)));

    assertThat(second).isSameAs(first);
    assertThat(registry.circuitBreaker("inventory")).isSameAs(first);
    assertThat(registry.find("inventory")).containsSame(first);
  }

  @Test
  void after_a_change_both_the_old_and_the_new_configuration_are_right() {
    CircuitBreakerRegistry registry = registry(r -> {});
    CircuitBreakerConfig old = onFakeTime(s -> s.slidingWindowSize(50));
    CircuitBreaker breaker = registry.circuitBreaker("inventory", old);
    breaker.reconfigure(s -> s.slidingWindowSize(20));

    assertThat(registry.circuitBreaker("inventory", old)).isSameAs(breaker);
    assertThat(registry.circuitBreaker("inventory", breaker.config())).isSameAs(breaker);
  }

  @Test
  void breakers_are_made_from_named_configurations() {
    CircuitBreakerRegistry registry =
        registry(
            r ->
                r.config("slow", s -> s.slowCallDurationThreshold(seconds(5)))
                    .breaker("reports", s -> s.slidingWindowSize(7)));

    assertThat(registry.circuitBreaker("a", "slow").config().slowCallDurationThreshold())
        .isEqualTo(seconds(5));
    assertThat(registry.circuitBreaker("reports").config().slidingWindowCalls()).isEqualTo(7);
    assertThat(registry.circuitBreaker("other").config().slidingWindowCalls()).isEqualTo(100);
    assertThatThrownBy(() -> registry.circuitBreaker("b", "fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("configName: \"fast\" (expected: one of [slow])");
    assertThat(registry.find("b")).isEmpty();
  }

  @Test
  void breakers_follow_the_configuration_they_were_made_from() {
    CircuitBreakerRegistry registry =
        registry(
            r ->
                r.config("slow", s -> s.slidingWindowSize(7))
                    .breaker("mine", s -> s.slidingWindowSize(8)));
    CircuitBreaker slow = registry.circuitBreaker("a", "slow");
    CircuitBreaker mine = registry.circuitBreaker("mine");
    CircuitBreaker byDefault = registry.circuitBreaker("other");
    CircuitBreaker own = registry.circuitBreaker("own", onFakeTime(s -> s.slidingWindowSize(9)));
    slow.transitionTo(CircuitBreaker.State.FORCED_OPEN);

    List<CircuitBreaker> changed =
        registry.reconfigure(
            r ->
                r.defaultConfig(onFakeTime(s -> s.slidingWindowSize(50)))
                    .config("slow", s -> s.slidingWindowSize(17))
                    .breaker("mine", s -> s.slidingWindowSize(18)));

    assertThat(changed).containsExactlyInAnyOrder(slow, mine, byDefault);
    assertThat(slow.config().slidingWindowCalls()).isEqualTo(17);
    assertThat(slow.state()).isEqualTo(CircuitBreaker.State.FORCED_OPEN);
    assertThat(mine.config().slidingWindowCalls()).isEqualTo(18);
    assertThat(byDefault.config().slidingWindowCalls()).isEqualTo(50);
    assertThat(own.config().slidingWindowCalls()).isEqualTo(9);
    assertThat(registry.circuitBreaker("new", "slow").config().slidingWindowCalls()).isEqualTo(17);
    assertThat(registry.circuitBreaker("new too").config().slidingWindowCalls()).isEqualTo(50);
  }

  @Test
  void a_breaker_changed_by_hand_stays_so_while_its_configuration_does_not_change() {
    CircuitBreakerRegistry registry = registry(r -> {});
    CircuitBreaker breaker = registry.circuitBreaker("inventory");
    breaker.reconfigure(s -> s.slidingWindowSize(7));

    assertThat(registry.reconfigure(r -> r.maxSize(5))).isEmpty();

    assertThat(breaker.config().slidingWindowCalls()).isEqualTo(7);
  }

  @Test
  void a_registry_changes_all_or_nothing() {
    CircuitBreakerRegistry registry = registry(r -> {});
    CircuitBreaker breaker = registry.circuitBreaker("inventory");

    assertThatThrownBy(
            () ->
                registry.reconfigure(
                    r -> r.defaultConfig(s -> s.slidingWindowSize(7).ticker(() -> 0)).maxSize(1)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            "A circuit breaker registry cannot be configured like this:\n"
                + "  - ticker of inventory: another one (expected: the one it was made with)");
    assertThat(breaker.config().slidingWindowCalls()).isEqualTo(100);
    assertThat(registry.circuitBreaker("another").config().slidingWindowCalls()).isEqualTo(100);
  }

  @Test
  void an_idle_closed_breaker_makes_room() {
    CircuitBreakerRegistry registry = registry(r -> r.maxSize(2).idleTime(seconds(60)));
    List<CircuitBreaker> removed = new ArrayList<>();
    registry.onRemoved(removed::add);
    CircuitBreaker oldest = registry.circuitBreaker("oldest");
    time.advance(seconds(1));
    registry.circuitBreaker("newer");
    time.advance(seconds(60));

    registry.circuitBreaker("third");

    assertThat(removed).containsExactly(oldest);
    assertThat(registry.all())
        .extracting(CircuitBreaker::name)
        .containsExactlyInAnyOrder("newer", "third");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 60_000})
  void a_breaker_that_has_made_calls_long_ago_makes_room(long slowLimitMillis) {
    CircuitBreakerRegistry registry =
        CircuitBreakerRegistry.create(
            r ->
                r.maxSize(1)
                    .idleTime(seconds(60))
                    .defaultConfig(
                        onFakeTime(s -> s.slowCallDurationThreshold(millis(slowLimitMillis)))));
    CircuitBreaker breaker = registry.circuitBreaker("a");
    succeed(breaker, 3);
    fail(breaker);
    time.advance(seconds(3_600));
    if (slowLimitMillis == 0) {
      // A breaker that reads no clock cannot say when it was used; the first look says that it was.
      assertThatThrownBy(() -> registry.circuitBreaker("b"))
          .isInstanceOf(IllegalStateException.class);
      time.advance(seconds(60));
    }

    assertThatCode(() -> registry.circuitBreaker("b")).doesNotThrowAnyException();
    assertThat(registry.find("a")).isEmpty();
  }

  @Test
  void a_full_registry_with_no_idle_breaker_says_so() {
    CircuitBreakerRegistry registry = registry(r -> r.maxSize(1).idleTime(seconds(60)));
    registry.circuitBreaker("a");
    time.advance(seconds(59));

    assertThatThrownBy(() -> registry.circuitBreaker("b"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the registry holds 1 breakers and none has been closed and idle for 1 min"
                + " (expected: a higher maxSize, a shorter idleTime, or fewer names)");
    assertThat(registry.circuitBreaker("a").name()).isEqualTo("a");
  }

  @ParameterizedTest
  @EnumSource(value = State.class, names = "CLOSED", mode = EnumSource.Mode.EXCLUDE)
  void only_closed_breakers_make_room(State state) {
    CircuitBreakerRegistry registry = registry(r -> r.maxSize(1).idleTime(seconds(60)));
    registry.circuitBreaker("a").transitionTo(state);
    time.advance(seconds(3_600));

    assertThatThrownBy(() -> registry.circuitBreaker("b"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(registry.find("a")).isPresent();
  }

  @Test
  void a_breaker_with_a_call_in_flight_stays() {
    CircuitBreakerRegistry registry = registry(r -> r.maxSize(1).idleTime(seconds(60)));
    Permit running = registry.circuitBreaker("a").acquire();
    time.advance(seconds(3_600));

    assertThatThrownBy(() -> registry.circuitBreaker("b"))
        .isInstanceOf(IllegalStateException.class);
    running.close();
  }

  @Test
  void a_breaker_whose_holder_goes_on_calling_stays_although_nobody_asks_for_it() {
    CircuitBreakerRegistry registry = registry(r -> r.maxSize(1).idleTime(seconds(60)));
    CircuitBreaker held = registry.circuitBreaker("a");
    for (int i = 0; i < 10; i++) {
      time.advance(seconds(30));
      succeed(held);
    }

    assertThatThrownBy(() -> registry.circuitBreaker("b"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(registry.find("a")).containsSame(held);
  }

  @Test
  void looking_a_breaker_up_does_not_keep_it() {
    CircuitBreakerRegistry registry = registry(r -> r.maxSize(1).idleTime(seconds(60)));
    registry.circuitBreaker("a");
    time.advance(seconds(60));
    assertThat(registry.find("a")).isPresent();

    registry.circuitBreaker("b");

    assertThat(registry.find("a")).isEmpty();
  }

  @Test
  void ten_thousand_names_and_more_are_bounded() {
    CircuitBreakerRegistry registry = registry(r -> r.maxSize(100).idleTime(seconds(0)));
    for (int i = 0; i < 10_000; i++) {
      registry.circuitBreaker("host-" + i);
    }
    assertThat(registry.all()).hasSize(100);
  }

  @Test
  void removing_a_breaker_tells_listeners_and_the_name_is_free() {
    CircuitBreakerRegistry registry = registry(r -> {});
    List<CircuitBreaker> removed = new ArrayList<>();
    Cancellable registration = registry.onRemoved(removed::add);
    CircuitBreaker old = registry.circuitBreaker("a");

    assertThat(registry.remove("a")).isTrue();
    assertThat(registry.remove("a")).isFalse();

    assertThat(removed).containsExactly(old);
    assertThat(registry.circuitBreaker("a")).isNotSameAs(old);
    registration.cancel();
    registry.remove("a");
    assertThat(removed).hasSize(1);
  }

  @Test
  void a_listener_that_throws_harms_nobody() {
    CircuitBreakerRegistry registry = registry(r -> {});
    AtomicInteger heard = new AtomicInteger();
    registry.onAdded(
        breaker -> {
          throw new IllegalStateException("broken listener");
        });
    registry.onAdded(breaker -> heard.incrementAndGet());

    try (CapturedLog log = new CapturedLog()) {
      assertThat(registry.circuitBreaker("a").name()).isEqualTo("a");
      assertThat(log.entries())
          .extracting(LogRecord::getMessage)
          .containsExactly("A registry listener threw at a");
    }
    assertThat(heard).hasValue(1);
  }

  @Test
  void many_threads_that_ask_for_one_name_get_one_breaker() {
    int names = 200;
    CircuitBreakerRegistry registry = registry(r -> {});
    AtomicInteger added = new AtomicInteger();
    registry.onAdded(breaker -> added.incrementAndGet());
    Set<CircuitBreaker> got = ConcurrentHashMap.newKeySet();
    CyclicBarrier together = new CyclicBarrier(4);

    inParallel(
        4,
        thread -> {
          for (int i = 0; i < names; i++) {
            await(together);
            got.add(registry.circuitBreaker("breaker " + i));
          }
        });

    assertThat(got).hasSize(names).containsExactlyInAnyOrderElementsOf(registry.all());
    assertThat(added).hasValue(names);
  }

  private CircuitBreakerRegistry registry(Consumer<CircuitBreakerRegistry.Builder> settings) {
    CircuitBreakerRegistry registry =
        CircuitBreakerRegistry.create(
            r -> {
              r.defaultConfig(onFakeTime(s -> {}));
              settings.accept(r);
            });
    registry.onAdded(breakers::watch);
    return registry;
  }

  private CircuitBreakerConfig onFakeTime(Consumer<CircuitBreakerConfig.Builder> settings) {
    return CircuitBreakerConfig.of(settings).with(s -> s.ticker(time));
  }

  @Test
  void nobody_is_turned_away_while_the_configurations_change() {
    CircuitBreakerRegistry registry = registry(r -> r.config("slow", s -> s.slidingWindowSize(7)));
    List<CircuitBreaker> asked = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      registry
          .circuitBreaker("b" + i, "slow")
          .on(
              PolicyEvent.Reconfigured.class,
              event -> {
                for (int other = 0; other < 5; other++) {
                  asked.add(registry.circuitBreaker("b" + other, "slow"));
                }
              });
    }

    registry.reconfigure(r -> r.config("slow", s -> s.slidingWindowSize(17)));

    assertThat(asked).hasSize(25);
    assertThat(registry.all())
        .allSatisfy(breaker -> assertThat(breaker.config().slidingWindowCalls()).isEqualTo(17));
  }

  @Test
  void listeners_hear_of_a_breaker_that_comes_before_they_hear_that_it_goes() {
    CircuitBreakerRegistry registry = registry(r -> {});
    List<String> heard = new ArrayList<>();
    registry.onAdded(breaker -> registry.remove(breaker.name()));
    registry.onAdded(breaker -> heard.add("added"));
    registry.onRemoved(breaker -> heard.add("removed"));

    registry.circuitBreaker("inventory");

    assertThat(heard).containsExactly("added", "removed");
  }

  @Test
  void configurations_can_be_taken_away() {
    CircuitBreakerRegistry registry =
        registry(
            r ->
                r.config("slow", s -> s.slidingWindowSize(7))
                    .breaker("mine", s -> s.slidingWindowSize(8)));
    CircuitBreaker mine = registry.circuitBreaker("mine");

    registry.reconfigure(CircuitBreakerRegistry.Builder::withoutConfigs);

    assertThat(mine.config().slidingWindowCalls()).isEqualTo(100);
    assertThatThrownBy(() -> registry.circuitBreaker("a", "slow"))
        .hasMessage("configName: \"slow\" (expected: none, there are no named ones)");
  }
}
