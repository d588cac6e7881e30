package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Outcome;
import dev.recloser.config.ConfigurationReload.Change;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigurationWatchTest {
  private static final String BEFORE =
      """
      recloser:
        circuitbreaker.instances.inventory:
          slidingWindowSize: 10
          failureRateThreshold: 50
        retry.instances.inventory: {maxAttempts: 3, retryBudgetPercentage: 20}
        bulkhead.instances.inventory: {adaptiveLimit: {maxLimit: 100}}
        pipelines.orders: ["retry: inventory", "circuitbreaker: inventory"]
      """;

  private final FakeTime time = FakeTime.create();
  private final List<ConfigurationReload> reloads = new ArrayList<>();
  @TempDir private Path folder;
  private Path file;
  private ConfiguredPolicies policies;
  private ConfigurationWatch watch;

  @BeforeEach
  void start() throws IOException {
    file = folder.resolve("application.yml");
    write(BEFORE);
    policies = PolicyConfigs.load(List.of(file), this::base).policies();
    watch = start(List.of(file));
    passIntervals(2);
  }

  @AfterEach
  void close() {
    watch.close();
  }

  @Test
  void what_has_not_changed_is_not_told() throws IOException {
    write("# a remark\n" + BEFORE);
    passIntervals(5);

    assertThat(reloads).isEmpty();
  }

  @Test
  void a_change_is_taken_and_every_key_told_with_both_values() throws IOException {
    write(
        """
        recloser:
          circuitbreaker.instances.inventory:
            slidingWindowSize: 10
            failureRateThreshold: 60
            waitDurationInOpenState: 5s
          retry.instances.inventory: {maxAttempts: 2, retryBudgetPercentage: 10}
          bulkhead.instances.inventory: {adaptiveLimit: {maxLimit: 80}}
          timelimiter.instances.inventory: {timeoutDuration: 200ms}
          pipelines.orders: ["circuitbreaker: inventory", "timelimiter: inventory"]
        """);
    passIntervals(2);

    assertThat(reloads)
        .singleElement()
        .satisfies(
            reload -> {
              assertThat(reload.isTaken()).isTrue();
              assertThat(reload.files()).containsExactly(file);
              assertThat(reload.changes())
                  .extracting(Change::toString)
                  .containsExactlyInAnyOrder(
                      "circuitbreaker.instances.inventory.failureRateThreshold: 50 -> 60",
                      "circuitbreaker.instances.inventory.waitDurationInOpenState: 60 s -> 5 s",
                      "circuitbreaker.instances.inventory.exponentialMaxWaitDurationInOpenState: 10 min -> 50 s",
                      "circuitbreaker.instances.inventory.maxProbeDuration: 60 s -> 5 s",
                      "retry.instances.inventory.maxAttempts: 3 -> 2",
                      "retry.instances.inventory.retryBudgetPercentage: 20 -> 10",
                      "bulkhead.instances.inventory.adaptiveLimit.maxLimit: 100 -> 80",
                      "timelimiter.instances.inventory: nothing -> a policy",
                      "pipelines.orders: [retry inventory, circuitbreaker inventory] -> [circuitbreaker"
                          + " inventory, timelimiter inventory] (for pipelines fetched from now on)");
            });
    assertThat(policies.timeout("inventory").config().timeoutDuration())
        .isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void state_and_window_stay() throws IOException {
    CircuitBreaker inventory = policies.circuitBreaker("inventory");
    for (int call = 0; call < 9; call++) {
      inventory.acquire().fail(new IllegalStateException());
    }
    write(BEFORE.replace("failureRateThreshold: 50", "failureRateThreshold: 90"));
    passIntervals(2);

    assertThat(policies.circuitBreaker("inventory")).isSameAs(inventory);
    assertThat(inventory.config().failureRateThreshold()).isEqualTo(90);
    inventory.acquire().complete("in stock");
    assertThat(inventory.state()).isEqualTo(State.OPEN); // 9 of 10, of which 9 were before.
  }

  @Test
  void a_broken_file_changes_nothing_and_says_so_once() throws IOException {
    write(BEFORE.replace("maxAttempts: 3", "maxAttempts: 2").replace(": 50", ": lots"));
    passIntervals(10);

    assertThat(reloads)
        .singleElement()
        .satisfies(
            reload -> {
              assertThat(reload.isTaken()).isFalse();
              assertThat(reload.changes()).isEmpty();
              assertThat(reload.problems())
                  .singleElement()
                  .hasToString(
                      file
                          + ":4: circuitbreaker.instances.inventory.failureRateThreshold: lots (expected: a"
                          + " percentage, as a bare number such as 50)");
            });
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(3);

    write(BEFORE.replace("maxAttempts: 3", "maxAttempts: 2"));
    passIntervals(2);

    assertThat(reloads).hasSize(2);
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(2);
  }

  @Test
  void a_file_that_is_being_written_is_not_taken_half() throws IOException {
    write("recloser.retry.instances.inventory: {maxAttempts: 7}");
    passIntervals(1);
    write("recloser.retry.instances.inventory: {maxAttempts: 8}");
    passIntervals(1);
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(3);

    passIntervals(1);
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(8);
  }

  @Test
  void a_file_that_is_gone_changes_nothing_and_may_come_back() throws IOException {
    Files.delete(file);
    passIntervals(5);
    assertThat(reloads)
        .singleElement()
        .satisfies(
            reload ->
                assertThat(reload.problems())
                    .singleElement()
                    .hasToString(file + ": no such file (expected: a file of YAML or properties)"));

    write(BEFORE.replace("maxAttempts: 3", "maxAttempts: 4"));
    passIntervals(2);
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(4);
  }

  @Test
  void what_is_no_longer_written_stays_and_is_told() throws IOException {
    write("recloser.retry.instances.inventory: {maxAttempts: 3}");
    passIntervals(2);

    assertThat(reloads)
        .singleElement()
        .extracting(ConfigurationReload::changes)
        .asString()
        .contains(
            "circuitbreaker.instances.inventory: a policy -> no longer written, it stays as it is",
            "pipelines.orders: [retry inventory, circuitbreaker inventory] -> nothing");
    assertThat(policies.circuitBreaker("inventory").config().slidingWindowCalls()).isEqualTo(10);
  }

  @Test
  void predicates_of_the_same_class_are_no_change() throws IOException {
    String predicate =
        "recloser.retry.instances.x.retryExceptionPredicate: " + Predicates.Teapot.class.getName();
    write(predicate);
    passIntervals(2);
    reloads.clear();
    write(predicate + " # again");
    passIntervals(2);

    assertThat(reloads).isEmpty();
  }

  @Test
  void what_was_read_is_taken_whatever_has_been_written_since() throws IOException {
    List<TextFile> seen = TextFile.readAll(List.of(file));
    write(BEFORE.replace("maxAttempts: 3", "maxAttempts: 4"));

    assertThat(policies.change(seen).changes()).isEmpty();
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(3);
  }

  @Test
  void what_the_base_sets_stays() throws IOException {
    Executor threads = Runnable::run;
    makePolicies(
        "recloser.timelimiter.instances.x.timeoutDuration: 1s",
        base -> base(base.timeout(config -> config.executor(threads))));
    passIntervals(2);
    assertThat(executorOf("x")).isSameAs(threads);

    write("recloser.timelimiter.instances.x.timeoutDuration: 2s");
    passIntervals(2);

    assertThat(policies.timeout("x").config().timeoutDuration()).isEqualTo(Duration.ofSeconds(2));
    assertThat(executorOf("x")).isSameAs(threads);
  }

  @Test
  void what_the_base_sets_no_longer_is_told() throws IOException {
    AtomicBoolean given = new AtomicBoolean(true);
    makePolicies(
        "recloser.timelimiter.instances.x.timeoutDuration: 1s",
        base -> base(base.timeout(config -> config.executor(given.get() ? Runnable::run : null))));
    passIntervals(2);
    given.set(false);
    write("recloser.timelimiter.instances.x.timeoutDuration: 1s # again");
    passIntervals(2);

    assertThat(reloads)
        .flatExtracting(ConfigurationReload::changes)
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change.key()).isEqualTo("timelimiter.instances.x.executor");
              assertThat(change.before()).startsWith(getClass().getName());
              assertThat(change.after()).isNull();
            });
  }

  /** A method reference that is bound to something is another object each time. */
  @Test
  void functions_that_the_base_makes_anew_are_no_change() throws IOException {
    makePolicies(
        "recloser.circuitbreaker.instances.x.slidingWindowSize: 10",
        base -> base(base.circuitBreaker(config -> config.classifier(new Mood()::judge))));
    passIntervals(2);
    write("recloser.circuitbreaker.instances.x.slidingWindowSize: 10 # again");
    passIntervals(2);

    assertThat(reloads).isEmpty();
  }

  @Test
  void classes_are_found_where_the_watch_was_started() throws IOException {
    write(
        "recloser.retry.instances.x.retryExceptionPredicate: " + Predicates.Teapot.class.getName());
    Thread thread = Thread.currentThread();
    ClassLoader application = thread.getContextClassLoader();
    ClassLoader other = ClassLoader.getPlatformClassLoader();
    thread.setContextClassLoader(other);
    try {
      passIntervals(2);
      assertThat(thread.getContextClassLoader()).isSameAs(other);
    } finally {
      thread.setContextClassLoader(application);
    }

    assertThat(reloads)
        .singleElement()
        .satisfies(reload -> assertThat(reload.problems()).isEmpty());
  }

  @Test
  void a_broken_edit_that_is_taken_back_is_told_though_nothing_changes() throws IOException {
    write(BEFORE.replace(": 50", ": lots"));
    passIntervals(2);
    write(BEFORE);
    passIntervals(5);

    assertThat(reloads).extracting(ConfigurationReload::isTaken).containsExactly(false, true);
    assertThat(reloads.get(1).changes()).isEmpty();
  }

  @Test
  void a_base_that_throws_is_told() throws IOException {
    AtomicBoolean broken = new AtomicBoolean();
    makePolicies(
        BEFORE,
        base -> {
          if (broken.get()) {
            throw new IllegalStateException("no threads left");
          }
          base(base);
        });
    broken.set(true);
    write(BEFORE.replace("maxAttempts: 3", "maxAttempts: 4"));
    passIntervals(5);

    assertThat(reloads)
        .singleElement()
        .satisfies(
            reload ->
                assertThat(reload.problems())
                    .singleElement()
                    .hasToString(
                        file
                            + ": java.lang.IllegalStateException: no threads left (expected: a base"
                            + " that does not throw)"));
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(3);
  }

  @Test
  void one_of_several_files_is_enough() throws IOException {
    watch.close();
    Path second = folder.resolve("overrides.properties");
    Files.writeString(second, "recloser.retry.instances.inventory.max-attempts=5\n");
    policies = PolicyConfigs.load(List.of(file, second), this::base).policies();
    watch = start(List.of(file, second));
    passIntervals(2);
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(5);

    Files.writeString(second, "recloser.retry.instances.inventory.max-attempts=6\n");
    passIntervals(2);
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(6);
  }

  @Test
  void every_change_has_an_audit_line_and_a_broken_file_one() throws IOException {
    try (LogLines log = new LogLines()) {
      write(BEFORE.replace("maxAttempts: 3", "maxAttempts: 4").replace("Size: 10", "Size: 20"));
      passIntervals(2);
      write("recloser.retry.instances.inventory.maxAttempts: many");
      passIntervals(5);

      assertThat(log.lines())
          .filteredOn(line -> line.contains(" Configuration "))
          .containsExactly(
              "INFO Configuration changed: retry.instances.inventory.maxAttempts: 3 -> 4",
              "INFO Configuration changed: circuitbreaker.instances.inventory.slidingWindowSize: 10"
                  + " -> 20",
              "INFO Configuration changed:"
                  + " circuitbreaker.instances.inventory.minimumNumberOfCalls: 10 -> 20",
              "SEVERE Configuration not taken, nothing is changed:\n"
                  + file
                  + ":1: retry.instances.inventory.maxAttempts: many (expected: a whole number up"
                  + " to 2,147,483,647)");
    }
  }

  @Test
  void a_listener_that_throws_does_not_end_it() throws IOException {
    watch.close();
    watch =
        ConfigurationWatch.start(
            policies,
            List.of(file),
            settings ->
                settings
                    .scheduler(time)
                    .onReload(
                        reload -> {
                          throw new IllegalStateException("listener");
                        }));
    write(BEFORE.replace("maxAttempts: 3", "maxAttempts: 4"));
    passIntervals(2);
    write(BEFORE.replace("maxAttempts: 3", "maxAttempts: 5"));
    passIntervals(2);

    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(5);
  }

  @Test
  void once_closed_nothing_is_taken() throws IOException {
    watch.close();
    write(BEFORE.replace("maxAttempts: 3", "maxAttempts: 4"));
    passIntervals(5);

    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(3);
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void files_and_interval_are_checked() {
    assertThatThrownBy(() -> ConfigurationWatch.start(policies, List.of(), settings -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("files: none (expected: at least one)");
    assertThatThrownBy(
            () ->
                ConfigurationWatch.start(
                    policies, List.of(file), settings -> settings.interval(Duration.ofMillis(9))))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("interval: 9 ms (expected: at least 10 ms)");
  }

  @Test
  void only_the_files_that_the_policies_were_loaded_from_are_followed() throws IOException {
    Path other = Files.writeString(folder.resolve("other.yml"), BEFORE);

    assertThatThrownBy(() -> start(List.of(other)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "files: [%s] (expected: those that the policies were loaded from, in their order: [%s])"
                .formatted(other, file));
    assertThatThrownBy(() -> start(List.of(file, other)))
        .isInstanceOf(IllegalArgumentException.class);
    start(List.of(folder.resolve(".").resolve("application.yml"))).close();
  }

  @Test
  void a_file_that_is_not_there_is_not_followed() {
    ConfiguredPolicies ofText = PolicyConfigs.loadYaml("x.yml", BEFORE, this::base).policies();
    Path missing = folder.resolve("missing.yml");

    assertThatThrownBy(
            () -> ConfigurationWatch.start(ofText, List.of(missing, folder), settings -> {}))
        .isInstanceOf(InvalidConfigurationFileException.class)
        .hasMessageContainingAll(missing + ": no such file", folder + ": a directory");
  }

  private ConfigurationWatch start(List<Path> files) {
    return ConfigurationWatch.start(
        policies, files, settings -> settings.scheduler(time).onReload(reloads::add));
  }

  /** Other policies than those of the other tests, of another base. */
  private void makePolicies(String text, Consumer<PolicyConfigs.Base> base) throws IOException {
    watch.close();
    write(text);
    policies = PolicyConfigs.load(List.of(file), base).policies();
    watch = start(List.of(file));
  }

  private Object executorOf(String timeout) {
    return policies.timeout(timeout).config().settings().get("executor");
  }

  private void base(PolicyConfigs.Base base) {
    base.ticker(time).scheduler(time);
  }

  private void passIntervals(int number) {
    for (int i = 0; i < number; i++) {
      time.advance(ConfigurationWatch.DEFAULT_INTERVAL);
    }
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
  }

  /** Has no state, but is an object. */
  private static final class Mood {
    Outcome judge(Object result, Throwable thrown) {
      return thrown == null ? Outcome.SUCCESS : Outcome.FAILURE;
    }
  }
}
