package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.LogRecord;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Policies of every kind by name (S25). What is the breakers' own is in {@link RegistryTest}. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class PolicyRegistryTest {
  private static final String KINDS = "dev.recloser.RegistryUnderTest#all";
  private static final Duration IDLE = Duration.ofSeconds(60);

  private FakeTime time = FakeTime.create();

  static Stream<Arguments> kindsAndOrigins() {
    return LongStream.of(0, -1, Long.MAX_VALUE - 1, Long.MIN_VALUE, FakeTime.DEFAULT_ORIGIN)
        .boxed()
        .flatMap(origin -> RegistryUnderTest.all().map(kind -> Arguments.of(kind, origin)));
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  @DisplayName(
      "B38: a name asked for with another configuration is an error that tells the difference")
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void conflict_is_reported(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> r.config("other", kind.config(4, time)));
    P policy = kind.get("inventory", kind.config(7, time));
    String difference =
        kind.one + " \"inventory\" exists with other settings: " + kind.setting + " is 7";

    assertThatThrownBy(() -> kind.get("inventory", kind.config(4, time)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(difference)
        .hasMessageContaining(", not 4")
        .hasMessageEndingWith("(expected: the same settings, another name, or reconfigure)");
    assertThatThrownBy(() -> kind.get("inventory", "other"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(difference);
    assertThat(kind.get("inventory", kind.config(7, time))).isSameAs(policy);
    assertThat(kind.get("inventory")).isSameAs(policy);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  @DisplayName("B38: a listener of additions may use the registry, even for the same name")
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void listeners_may_use_the_registry(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> {});
    List<P> seen = new ArrayList<>();
    kind.registry()
        .onAdded(
            policy -> {
              seen.add(kind.get(policy.name()));
              if (seen.size() < 10) {
                kind.get(policy.name() + "+");
              }
            });

    P first = kind.get("a");

    assertThat(seen).hasSize(10).startsWith(first);
    assertThat(kind.registry().all()).containsExactlyInAnyOrderElementsOf(seen);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void listeners_hear_of_what_comes_before_they_hear_that_it_goes(
          RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> {});
    List<String> heard = new ArrayList<>();
    kind.registry().onAdded(policy -> kind.registry().remove(policy.name()));
    Cancellable added = kind.registry().onAdded(policy -> heard.add("added"));
    Cancellable removed = kind.registry().onRemoved(policy -> heard.add("removed"));

    kind.get("inventory");
    assertThat(heard).containsExactly("added", "removed");

    added.cancel();
    removed.cancel();
    kind.get("inventory");
    assertThat(heard).hasSize(2);
    assertThat(kind.registry().remove("inventory")).isFalse();
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void what_follows_begins_and_ends_with_each_policy(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> {});
    List<String> heard = new ArrayList<>();
    kind.get("before");
    Cancellable following =
        kind.registry()
            .follow(
                policy -> {
                  heard.add("+" + policy.name());
                  return () -> heard.add("-" + policy.name());
                });
    kind.get("after");
    kind.registry().remove("before");
    kind.get("before");
    assertThat(heard).containsExactly("+before", "+after", "-before", "+before");

    following.cancel();
    following.cancel();
    kind.get("later");
    assertThat(heard.subList(4, heard.size())).containsExactlyInAnyOrder("-before", "-after");
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void a_policy_whose_making_is_being_told_of_is_begun_once(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> {});
    List<String> heard = new ArrayList<>();
    kind.registry()
        .onAdded(
            policy -> {
              if (policy.name().equals("a")) {
                kind.get("b"); // Its news come after this.
                Cancellable unused =
                    kind.registry()
                        .follow(
                            each -> {
                              heard.add("+" + each.name());
                              return () -> heard.add("-" + each.name());
                            });
                kind.registry().remove("b");
              }
            });
    kind.get("a");

    assertThat(heard).containsExactlyInAnyOrder("+a", "+b", "-b");
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void one_that_throws_as_it_begins_or_ends_harms_nobody(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> {});
    List<String> heard = new ArrayList<>();
    kind.get("a");
    Cancellable broken =
        kind.registry()
            .follow(
                policy -> {
                  if (policy.name().equals("a")) {
                    throw new AssertionError("broken beginning");
                  }
                  return () -> {
                    throw new AssertionError("broken end");
                  };
                });
    Cancellable unused =
        kind.registry()
            .follow(
                policy -> {
                  heard.add("+" + policy.name());
                  return () -> heard.add("-" + policy.name());
                });
    kind.get("b");
    kind.registry().remove("a");
    kind.registry().remove("b");
    broken.cancel();

    assertThat(heard).containsExactly("+a", "+b", "-a", "-b");
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void a_listener_that_throws_harms_nobody(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> {});
    List<P> heard = new ArrayList<>();
    Consumer<P> broken =
        policy -> {
          throw new AssertionError("broken listener");
        };
    kind.registry().onAdded(broken);
    kind.registry().onAdded(heard::add);
    kind.registry().onRemoved(broken);
    kind.registry().onRemoved(heard::add);

    try (CapturedLog log = new CapturedLog()) {
      P policy = kind.get("a");
      assertThat(kind.registry().remove("a")).isTrue();
      assertThat(heard).containsExactly(policy, policy);
      assertThat(log.entries())
          .extracting(LogRecord::getMessage)
          .containsExactly("A registry listener threw at a", "A registry listener threw at a");
    }
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void a_bad_name_makes_nothing_and_drives_nobody_out(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> r.maxSize(1).idleTime(Duration.ZERO));
    P policy = kind.get("a");
    AtomicInteger heard = new AtomicInteger();
    kind.registry().onAdded(added -> heard.incrementAndGet());

    assertThatThrownBy(() -> kind.get(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name: \" \" (expected: not blank)");
    assertThatThrownBy(() -> kind.get("", kind.config(7, time)))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(kind.registry().all()).containsExactly(policy);
    assertThat(heard).hasValue(0);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void policies_are_made_from_named_configurations(RegistryUnderTest<P, C, B> kind) {
    create(
        kind,
        r ->
            kind.ofPolicy(r, "mine", kind.config(8, time))
                .config("wide", kind.config(9, time))
                .config("other", kind.config(4, time)));

    assertThat(kind.numberOf(kind.get("a", "wide"))).isEqualTo(9);
    assertThat(kind.numberOf(kind.get("mine"))).isEqualTo(8);
    assertThat(kind.numberOf(kind.get("other"))).isEqualTo(5);
    assertThatThrownBy(() -> kind.get("b", "narrow"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("configName: \"narrow\" (expected: one of [other, wide])");
    assertThat(kind.registry().find("b")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void policies_follow_the_configuration_they_were_made_from(RegistryUnderTest<P, C, B> kind) {
    create(
        kind,
        r -> kind.ofPolicy(r, "mine", kind.config(8, time)).config("wide", kind.config(9, time)));
    P wide = kind.get("a", "wide");
    P mine = kind.get("mine");
    P byDefault = kind.get("other");
    P own = kind.get("own", kind.config(7, time));

    List<P> changed =
        kind.reconfigure(
            r ->
                kind.ofPolicy(r, "mine", kind.config(18, time))
                    .config("wide", kind.config(19, time))
                    .defaultConfig(kind.config(15, time)));

    assertThat(changed).containsExactlyInAnyOrder(wide, mine, byDefault);
    assertThat(List.of(wide, mine, byDefault, own))
        .extracting(kind::numberOf)
        .containsExactly(19, 18, 15, 7);
    assertThat(kind.numberOf(kind.get("new"))).isEqualTo(15);
    assertThat(kind.reconfigure(r -> r.withoutConfigs())).containsExactly(mine);
    assertThat(kind.numberOf(mine)).isEqualTo(15);
    assertThat(kind.numberOf(wide)).isEqualTo(19);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void after_a_change_by_hand_both_the_old_and_the_new_configuration_are_right(
          RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> {});
    P policy = kind.get("a", kind.config(7, time));
    kind.reconfigure(policy, kind.config(4, time));

    assertThat(kind.get("a", kind.config(7, time))).isSameAs(policy);
    assertThat(kind.get("a", kind.config(4, time))).isSameAs(policy);
    assertThat(kind.reconfigure(r -> r.maxSize(5))).isEmpty();
    assertThat(kind.numberOf(policy)).isEqualTo(4);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void nobody_is_turned_away_while_the_configurations_change(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> r.config("wide", kind.config(9, time)));
    List<P> asked = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      kind.get("p" + i, "wide")
          .on(
              PolicyEvent.Reconfigured.class,
              event -> {
                for (int other = 0; other < 5; other++) {
                  asked.add(kind.get("p" + other, "wide"));
                }
              });
    }

    kind.reconfigure(r -> r.config("wide", kind.config(19, time)));

    assertThat(asked).hasSize(25);
    assertThat(kind.registry().all()).extracting(kind::numberOf).containsOnly(19);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void a_listener_may_change_the_registry_while_it_changes(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> {});
    P first = kind.get("a");
    P second = kind.get("b");
    for (P policy : List.of(first, second)) {
      policy.on(
          PolicyEvent.Reconfigured.class,
          event -> kind.reconfigure(r -> r.defaultConfig(kind.config(6, time))));
    }

    kind.reconfigure(r -> r.defaultConfig(kind.config(7, time)));

    assertThat(List.of(first, second)).extracting(kind::numberOf).containsOnly(6);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void a_registry_changes_all_or_nothing(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> {});
    P policy = kind.get("a");
    FakeTime another = FakeTime.startingAt(-1);

    Consumer<B> changes =
        r -> kind.ofPolicy(r, "b", kind.config(9, time)).defaultConfig(kind.config(7, another));
    if (policy instanceof Timeout || policy instanceof Bulkhead) {
      // They begin anew with each call, or measure nothing.
      assertThat(kind.reconfigure(changes)).containsExactly(policy);
      assertThat(kind.numberOf(policy)).isEqualTo(7);
      return;
    }
    assertThatThrownBy(() -> kind.reconfigure(changes))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            "A "
                + kind.one
                + " registry cannot be configured like this:\n"
                + "  - ticker of a: another one (expected: the one it was made with)");
    assertThat(kind.numberOf(policy)).isEqualTo(5);
    assertThat(kind.numberOf(kind.get("b"))).isEqualTo(5);
  }

  @ParameterizedTest
  @MethodSource("kindsAndOrigins")
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void the_policy_that_is_idle_longest_makes_room(
          RegistryUnderTest<P, C, B> kind, long origin) {
    time = FakeTime.startingAt(origin);
    create(kind, r -> r.maxSize(2).idleTime(IDLE));
    List<P> removed = new ArrayList<>();
    kind.registry().onRemoved(removed::add);
    P oldest = kind.get("oldest");
    time.advance(Duration.ofSeconds(1));
    P newer = kind.get("newer");
    time.advance(IDLE.minusNanos(1));

    P third = kind.get("third");

    assertThat(removed).containsExactly(oldest);
    assertThat(kind.registry().all()).containsExactlyInAnyOrder(newer, third);
  }

  @ParameterizedTest
  @MethodSource("kindsAndOrigins")
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void a_full_registry_with_nobody_idle_says_so(RegistryUnderTest<P, C, B> kind, long origin) {
    time = FakeTime.startingAt(origin);
    create(kind, r -> r.maxSize(1).idleTime(IDLE));
    P policy = kind.get("a");
    time.advance(IDLE.minusNanos(1));

    assertThatThrownBy(() -> kind.get("b"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the registry holds 1 "
                + kind.whenFull
                + " for 1 min (expected: a higher maxSize, a shorter idleTime, or fewer names)");
    assertThat(kind.get("a")).isSameAs(policy);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void a_policy_whose_holder_goes_on_calling_stays_although_nobody_asks_for_it(
          RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> r.maxSize(1).idleTime(IDLE));
    P held = kind.get("a");
    for (int i = 0; i < 10; i++) {
      time.advance(IDLE.dividedBy(2));
      held.run(() -> {});
      assertThatThrownBy(() -> kind.get("b")).isInstanceOf(IllegalStateException.class);
    }
    assertThat(kind.registry().all()).containsExactly(held);

    time.advance(IDLE);
    P next = kind.get("b");

    assertThat(kind.registry().all()).containsExactly(next);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void looking_a_policy_up_does_not_keep_it_but_asking_does(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> r.maxSize(2).idleTime(IDLE));
    P looked = kind.get("looked");
    P asked = kind.get("asked");
    time.advance(IDLE);
    assertThat(kind.registry().find("looked")).containsSame(looked);
    assertThat(kind.get("asked")).isSameAs(asked);

    P next = kind.get("next");

    assertThat(kind.registry().all()).containsExactlyInAnyOrder(asked, next);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void names_without_end_are_bounded(RegistryUnderTest<P, C, B> kind) {
    create(kind, r -> r.maxSize(10).idleTime(Duration.ZERO));
    for (int i = 0; i < 1_000; i++) {
      kind.get("host-" + i);
    }

    assertThat(kind.registry().all()).hasSize(10);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void many_threads_that_ask_for_one_name_get_one_policy(RegistryUnderTest<P, C, B> kind) {
    int names = 100;
    create(kind, r -> {});
    AtomicInteger added = new AtomicInteger();
    kind.registry().onAdded(policy -> added.incrementAndGet());
    Set<P> got = ConcurrentHashMap.newKeySet();
    CyclicBarrier together = new CyclicBarrier(4);

    Scenario.inParallel(
        4,
        thread -> {
          for (int i = 0; i < names; i++) {
            Scenario.await(together);
            got.add(kind.get("policy " + i));
          }
        });

    assertThat(got).hasSize(names).containsExactlyInAnyOrderElementsOf(kind.registry().all());
    assertThat(added).hasValue(names);
  }

  @ParameterizedTest
  @MethodSource(KINDS)
  <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void faults_are_listed_at_once(RegistryUnderTest<P, C, B> kind) {
    assertThatThrownBy(() -> kind.create(r -> r.maxSize(0).idleTime(Duration.ofSeconds(-1))))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            "A "
                + kind.one
                + " registry cannot be configured like this:"
                + "\n  - maxSize: 0 (expected: at least 1)"
                + "\n  - idleTime: -1 s (expected: zero or more, at most 36,500 days)");
  }

  @Test
  void a_bulkhead_in_which_a_call_runs_or_waits_stays() {
    BulkheadRegistry registry =
        BulkheadRegistry.create(
            r ->
                r.maxSize(1)
                    .idleTime(IDLE)
                    .defaultConfig(
                        s ->
                            s.maxConcurrentCalls(1)
                                .maxWaitDuration(Duration.ofDays(1))
                                .executor(Runnable::run)
                                .scheduler(time)
                                .ticker(time)));
    Bulkhead bulkhead = registry.bulkhead("a");
    BulkheadSlot running = bulkhead.acquire();
    CompletableFuture<Void> stage = new CompletableFuture<>();
    CompletableFuture<Void> waiting = bulkhead.callAsync(() -> stage);
    isFull(() -> registry.bulkhead("b"));
    time.advance(IDLE);

    isFull(() -> registry.bulkhead("b"));
    running.close();
    isFull(() -> registry.bulkhead("b"));
    stage.complete(null);
    waiting.join();
    isFull(() -> registry.bulkhead("b")); // It has been used since the last look.
    time.advance(IDLE);

    assertThat(registry.bulkhead("b").name()).isEqualTo("b");
  }

  @Test
  void a_rate_limiter_stays_until_its_bucket_is_full() {
    RateLimiterRegistry registry =
        RateLimiterRegistry.create(
            r ->
                r.maxSize(1)
                    .idleTime(Duration.ZERO)
                    .defaultConfig(
                        s ->
                            s.limitForPeriod(3)
                                .limitRefreshPeriod(Duration.ofSeconds(1))
                                .ticker(time)
                                .scheduler(time)));
    registry.rateLimiter("a").acquire(2);
    isFull(() -> registry.rateLimiter("b"));
    time.advance(Duration.ofNanos(666_666_666));
    isFull(() -> registry.rateLimiter("b"));
    time.advance(Duration.ofNanos(1));

    assertThat(registry.rateLimiter("b").metrics().availablePermits()).isEqualTo(3);
  }

  @Test
  void a_retry_stays_until_its_budget_has_forgotten_its_retries() {
    RetryRegistry registry =
        RetryRegistry.create(
            r ->
                r.maxSize(1)
                    .idleTime(Duration.ZERO)
                    .defaultConfig(s -> s.maxAttempts(2).ticker(time).scheduler(time)));
    Retry retry = registry.retry("a");
    assertThatThrownBy(
            () ->
                retry.run(
                    () -> {
                      throw new IOException("down");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(retry.metrics().retries()).isEqualTo(1);

    isFull(() -> registry.retry("b"));
    time.advance(Duration.ofSeconds(11));

    assertThat(registry.retry("b").name()).isEqualTo("b");
  }

  @Test
  void a_timeout_is_idle_by_the_ticker_it_was_made_with() {
    FakeTime another = FakeTime.startingAt(time.nanoTime() + IDLE.toNanos());
    TimeoutRegistry registry =
        TimeoutRegistry.create(r -> r.maxSize(1).idleTime(IDLE).defaultConfig(s -> s.ticker(time)));
    registry.timeout("a");
    registry.reconfigure(r -> r.defaultConfig(s -> s.ticker(another)));

    isFull(() -> registry.timeout("b"));
    time.advance(IDLE);

    assertThat(registry.timeout("b").config().ticker).isSameAs(another);
  }

  @Test
  void an_application_has_a_registry_of_each_kind() {
    Policies policies = Policies.create();
    List<Policy> heard = new ArrayList<>();
    policies.registries().forEach(registry -> registry.onAdded(heard::add));

    List<Policy> made =
        List.of(
            policies.retries().retry("a"),
            policies.circuitBreakers().circuitBreaker("a"),
            policies.rateLimiters().rateLimiter("a"),
            policies.bulkheads().bulkhead("a"),
            policies.timeouts().timeout("a"));

    assertThat(heard).isEqualTo(made);
    assertThat(policies.registries())
        .extracting(Object::getClass)
        .containsExactlyInAnyOrder(PolicyRegistry.class.getPermittedSubclasses());
  }

  @Test
  void an_application_holds_the_registries_it_is_given() {
    CircuitBreakerRegistry circuitBreakers = CircuitBreakerRegistry.create();
    RetryRegistry retries = RetryRegistry.create();
    HedgeRegistry hedges = HedgeRegistry.create();
    RateLimiterRegistry rateLimiters = RateLimiterRegistry.create();
    BulkheadRegistry bulkheads = BulkheadRegistry.create();
    TimeoutRegistry timeouts = TimeoutRegistry.create();

    Policies policies =
        Policies.create(
            all ->
                all.circuitBreakers(circuitBreakers)
                    .retries(retries)
                    .hedges(hedges)
                    .rateLimiters(rateLimiters)
                    .bulkheads(bulkheads)
                    .timeouts(timeouts));

    assertThat(policies.registries())
        .containsExactly(retries, hedges, circuitBreakers, rateLimiters, bulkheads, timeouts);
    assertThat(policies.circuitBreakers()).isSameAs(circuitBreakers);
    assertThat(policies.retries()).isSameAs(retries);
    assertThat(policies.hedges()).isSameAs(hedges);
    assertThat(policies.rateLimiters()).isSameAs(rateLimiters);
    assertThat(policies.bulkheads()).isSameAs(bulkheads);
    assertThat(policies.timeouts()).isSameAs(timeouts);
  }

  @Test
  void no_hedge_is_made_of_a_default_that_declares_nothing() {
    assertThatThrownBy(() -> HedgeRegistry.create().hedge("inventory"))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("idempotent: false (expected: true");
  }

  /** A registry whose policies have the number 5 where nothing else is said. */
  private <P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>>
      void create(RegistryUnderTest<P, C, B> kind, Consumer<? super B> settings) {
    kind.create(r -> settings.accept(r.defaultConfig(kind.config(5, time))));
  }

  private static void isFull(Runnable asking) {
    assertThatThrownBy(asking::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the registry holds 1 ");
  }
}
