package dev.recloser;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.config.ConfiguredPolicies;
import dev.recloser.config.PolicyConfigs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every source of policies keeps to, wherever its policies are from. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class PolicySourceTest {
  private static final String SOURCES = "sources";
  private static final String REMOVING = "sourcesThatPoliciesGoFrom";
  private static final String NO_POLICY = "recloser.retry.configs.default: {maxAttempts: 4}";

  /**
   * One as these tests see it.
   *
   * @param add makes a policy of a name that there is none of
   */
  private record Source(
      String kind, PolicySource<?> policies, Consumer<String> add, Consumer<String> remove) {
    void add(String name) {
      add.accept(name);
    }

    List<String> names() {
      return namesOf(policies.all());
    }

    @Override
    public String toString() {
      return kind;
    }
  }

  static List<Source> sources() {
    ConfiguredPolicies ofFiles = PolicyConfigs.loadYaml("a.yml", NO_POLICY).policies();
    ConfiguredPolicies alsoOfFiles = PolicyConfigs.loadYaml("a.yml", NO_POLICY).policies();
    Policies besides = Policies.create();
    PolicySource<Policy> joined = PolicySource.concat(List.of(besides, alsoOfFiles));
    return Stream.concat(
            sourcesThatPoliciesGoFrom().stream(),
            Stream.of(
                new Source("files", ofFiles, name -> addTo(ofFiles, name), name -> {}),
                new Source(
                    "files behind registries",
                    joined,
                    name -> addTo(alsoOfFiles, name),
                    name -> {})))
        .toList();
  }

  static List<Source> sourcesThatPoliciesGoFrom() {
    BulkheadRegistry bulkheads = BulkheadRegistry.create();
    Policies all = Policies.create();
    Policies some = Policies.create();
    Policies first = Policies.create();
    some.timeouts().timeout("of another kind");
    return List.of(
        new Source("a registry", bulkheads, bulkheads::bulkhead, bulkheads::remove),
        new Source("all registries", all, all.retries()::retry, all.retries()::remove),
        new Source(
            "one kind", some.only(Retry.class), some.retries()::retry, some.retries()::remove),
        new Source(
            "two behind each other",
            PolicySource.concat(List.of(first.retries(), first.timeouts())),
            first.timeouts()::timeout,
            first.timeouts()::remove));
  }

  private static void addTo(ConfiguredPolicies policies, String name) {
    String text = "recloser.retry.instances.%s: {maxAttempts: 4}".formatted(name);
    PolicyConfigs.loadYaml("a.yml", text).applyTo(policies);
  }

  @ParameterizedTest
  @MethodSource(SOURCES)
  void it_has_what_there_is_now(Source source) {
    assertThat(source.names()).isEmpty();
    source.add("a");
    Collection<?> before = source.policies.all();
    source.add("b");

    assertThat(before).hasSize(1);
    assertThat(source.names()).containsExactlyInAnyOrder("a", "b");
    assertThatThrownBy(() -> source.policies.all().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @MethodSource(SOURCES)
  void what_is_there_and_what_comes_is_begun_once(Source source) {
    List<String> heard = new ArrayList<>();
    source.add("before");
    Cancellable following = source.policies.follow(heardIn(heard));
    assertThat(heard).containsExactly("+before");
    source.add("after");
    assertThat(heard).containsExactly("+before", "+after");

    following.cancel();
    following.cancel();
    source.add("later");
    assertThat(heard.subList(2, heard.size())).containsExactlyInAnyOrder("-before", "-after");
  }

  @ParameterizedTest
  @MethodSource(REMOVING)
  void what_goes_is_ended_and_can_come_again(Source source) {
    List<String> heard = new ArrayList<>();
    Cancellable following = source.policies.follow(heardIn(heard));
    source.add("a");
    source.remove.accept("a");
    source.add("a");

    assertThat(heard).containsExactly("+a", "-a", "+a");
    following.cancel();
    assertThat(heard).containsExactly("+a", "-a", "+a", "-a");
  }

  @ParameterizedTest
  @MethodSource(SOURCES)
  void several_can_follow_and_end_apart(Source source) {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    source.add("a");
    Cancellable following = source.policies.follow(heardIn(first));
    Cancellable unused = source.policies.follow(heardIn(second));
    following.cancel();
    source.add("b");

    assertThat(first).containsExactly("+a", "-a");
    assertThat(second).containsExactly("+a", "+b");
  }

  @ParameterizedTest
  @MethodSource(SOURCES)
  void one_that_throws_as_it_begins_or_ends_is_logged_and_harms_nobody(Source source) {
    List<String> heard = new ArrayList<>();
    try (CapturedLog log = new CapturedLog()) {
      Cancellable broken =
          source.policies.follow(
              policy -> {
                if (policy.name().equals("a")) {
                  throw new AssertionError("broken beginning");
                }
                return () -> {
                  throw new AssertionError("broken end");
                };
              });
      Cancellable unused = source.policies.follow(heardIn(heard));
      source.add("a");
      source.add("b");
      broken.cancel();
      source.add("c");

      assertThat(heard).containsExactly("+a", "+b", "+c");
      assertThat(log.entries())
          .extracting(entry -> entry.getMessage() + ": " + entry.getThrown().getMessage())
          .containsExactly(
              "What follows policies threw at the beginning of a: broken beginning",
              "What follows policies threw at the end of b: broken end");
    }
  }

  @ParameterizedTest
  @MethodSource(SOURCES)
  void what_begins_may_use_the_source(Source source) {
    List<String> heard = new ArrayList<>();
    Cancellable unused =
        source.policies.follow(
            policy -> {
              heard.add(policy.name() + " of " + source.policies.all().size());
              if (policy.name().equals("a")) {
                source.add("b");
              }
              return () -> {};
            });
    source.add("a");

    assertThat(heard).containsExactlyInAnyOrder("a of 1", "b of 2");
  }

  @ParameterizedTest
  @MethodSource(SOURCES)
  void nobody_is_an_error(Source source) {
    source.add("a");
    assertThatThrownBy(() -> source.policies.follow(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("start");
    assertThatThrownBy(() -> source.policies.only(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("kind");
  }

  /** Threads begin and end to follow while others bring policies; each follower sees each once. */
  @ParameterizedTest
  @MethodSource(SOURCES)
  void none_is_missed_and_none_begun_twice_by_whoever_follows_meanwhile(Source source)
      throws Exception {
    int makers = 2;
    int policies = 50;
    int mostFollowers = 100;
    AtomicInteger atWork = new AtomicInteger(makers);
    List<Counts> stay = Collections.synchronizedList(new ArrayList<>());
    List<Counts> go = Collections.synchronizedList(new ArrayList<>());
    List<Cancellable> ends = Collections.synchronizedList(new ArrayList<>());
    runAtOnce(
        2 * makers,
        thread -> {
          if (thread < makers) {
            IntStream.range(0, policies).forEach(i -> source.add(thread + "-" + i));
            atWork.decrementAndGet();
          }
          for (int i = 0; i < mostFollowers && atWork.get() > 0; i++) {
            Counts stays = new Counts();
            ends.add(source.policies.follow(stays::begin));
            stay.add(stays);
            Counts goes = new Counts();
            source.policies.follow(goes::begin).cancel();
            go.add(goes);
          }
        });

    List<String> all = source.names();
    assertThat(all).hasSize(makers * policies);
    assertThat(stay).isNotEmpty();
    for (Counts counts : stay) {
      assertThat(counts.begun.keySet()).containsExactlyInAnyOrderElementsOf(all);
      assertThat(counts.begun.values()).containsOnly(1);
      assertThat(counts.ended).isEmpty();
    }
    ends.forEach(Cancellable::cancel);
    assertThat(stay).allMatch(Counts::areLevel);
    assertThat(go).allMatch(Counts::areLevel);
  }

  @Test
  void policies_made_by_hand_are_a_source_that_stays_as_it_is() {
    Retry a = Retry.create("a", config -> {});
    Timeout b = Timeout.create("b", config -> {});
    List<String> heard = new ArrayList<>();
    List<Policy> both = new ArrayList<>(List.of(a, b, a));
    PolicySource<Policy> source = PolicySource.of(both);
    both.clear();

    source.follow(heardIn(heard)).cancel();
    assertThat(source.all()).containsExactly(a, b);
    assertThat(source.only(Timeout.class).all()).containsExactly(b);
    assertThat(heard.subList(0, 2)).containsExactly("+a", "+b");
    assertThat(heard.subList(2, 4)).containsExactlyInAnyOrder("-a", "-b");
  }

  @Test
  void one_kind_is_begun_and_no_other() {
    Policies policies = Policies.create();
    List<String> heard = new ArrayList<>();
    Cancellable unused = policies.only(Retry.class).follow(heardIn(heard));
    policies.timeouts().timeout("timeout");
    policies.retries().retry("retry");

    assertThat(policies.all()).hasSize(2);
    assertThat(heard).containsExactly("+retry");
  }

  @Test
  void a_policy_that_files_no_longer_have_is_there_and_followed_on() {
    ConfiguredPolicies policies = PolicyConfigs.loadYaml("a.yml", NO_POLICY).policies();
    addTo(policies, "a");
    List<String> heard = new ArrayList<>();
    Cancellable unused = policies.follow(heardIn(heard));
    PolicyConfigs.loadYaml("a.yml", NO_POLICY).applyTo(policies);

    assertThat(namesOf(policies.all())).containsExactly("a");
    assertThat(heard).containsExactly("+a");
  }

  private static List<String> namesOf(Collection<? extends Policy> policies) {
    return policies.stream().map(Policy::name).toList();
  }

  private static Function<Policy, Cancellable> heardIn(List<String> heard) {
    return policy -> {
      heard.add("+" + policy.name());
      return () -> heard.add("-" + policy.name());
    };
  }

  private static void runAtOnce(int threads, Consumer<Integer> task) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CyclicBarrier start = new CyclicBarrier(threads);
    List<Future<?>> running = new ArrayList<>();
    IntStream.range(0, threads)
        .forEach(
            thread ->
                running.add(
                    pool.submit(
                        () -> {
                          start.await(30, SECONDS);
                          task.accept(thread);
                          return null;
                        })));
    for (Future<?> each : running) {
      each.get(60, SECONDS);
    }
    pool.shutdown();
  }

  /** What one follower has seen, by name. */
  private static final class Counts {
    final Map<String, Integer> begun = new ConcurrentHashMap<>();
    final Map<String, Integer> ended = new ConcurrentHashMap<>();

    Cancellable begin(Policy policy) {
      begun.merge(policy.name(), 1, Integer::sum);
      return () -> ended.merge(policy.name(), 1, Integer::sum);
    }

    /** Whether everything has begun once and has ended once. */
    boolean areLevel() {
      return begun.equals(ended) && begun.values().stream().allMatch(number -> number == 1);
    }
  }
}
