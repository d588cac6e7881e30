package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Bulkhead;
import dev.recloser.BulkheadConfig;
import dev.recloser.BulkheadFullException;
import dev.recloser.Pipeline;
import dev.recloser.TimeoutExceededException;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bulkheads from a file whose calls run on threads of their own. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class ThreadPoolBulkheadTest {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  private final FakeTime time = FakeTime.create();
  private final CountDownLatch go = new CountDownLatch(1);

  @AfterEach
  void no_timer_is_left() {
    go.countDown();
    assertThat(time.pendingTimers()).isZero();
  }

  private PolicyConfigs load(String settings) {
    return PolicyConfigs.loadYaml(
        "orders.yml",
        "recloser: {pipelines.orders: [thread-pool-bulkhead: inventory],"
            + " thread-pool-bulkhead.instances.inventory: {"
            + settings
            + "}}",
        base -> base.ticker(time).scheduler(time));
  }

  private Bulkhead bulkhead(String settings) {
    return load(settings).policies().threadPoolBulkhead("inventory");
  }

  private String hang() {
    boolean released = false;
    while (!released) {
      try {
        released = go.await(30, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        // Ignored on purpose: such work is what threads of its own are for.
      }
    }
    return Thread.currentThread().getName();
  }

  private CompletableFuture<String> start(Bulkhead bulkhead) {
    return bulkhead.callAsync(() -> CompletableFuture.completedFuture(hang()));
  }

  private static ThreadPoolPlan planOf(PolicyConfigs configs) {
    return configs.named(PolicyKind.THREAD_POOL_BULKHEAD).instances().get("inventory");
  }

  @Test
  void the_defaults_are_those_of_resilience4j() {
    PolicyConfigs configs = load("");

    BulkheadConfig config = configs.threadPoolBulkheads().get("inventory");
    assertThat(config.maxConcurrentCalls()).isEqualTo(PROCESSORS);
    assertThat(config.maxQueuedCalls()).isEqualTo(100);
    assertThat(config.maxWaitDuration()).isEqualTo(Duration.ofDays(36_500));
    assertThat(config.writableStackTraceEnabled()).isFalse();
    assertThat(planOf(configs).coreThreads()).isEqualTo(Math.max(1, PROCESSORS - 1));
    assertThat(planOf(configs).keepAlive()).isEqualTo(Duration.ofMillis(20));
    assertThat(configs.bulkheads()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # what is written,              most, core
          coreThreadPoolSize: 500,         500,  500
          maxThreadPoolSize: 1,              1,    1
          'maxThreadPoolSize: 9, coreThreadPoolSize: 3', 9, 3
          """)
  void what_is_not_written_goes_with_what_is(String written, int most, int core) {
    PolicyConfigs configs = load(written);

    assertThat(configs.threadPoolBulkheads().get("inventory").maxConcurrentCalls()).isEqualTo(most);
    assertThat(planOf(configs).coreThreads()).isEqualTo(core);
  }

  @Test
  void each_key_sets_what_it_says() {
    PolicyConfigs configs =
        load(
            "max-thread-pool-size: 9, coreThreadPoolSize: 3, queueCapacity: 7, keepAliveDuration:"
                + " 1s, maxWaitDuration: 2s, writableStackTraceEnabled: true");

    assertThat(planOf(configs))
        .isEqualTo(
            new ThreadPoolPlan(
                BulkheadConfig.of(
                    c ->
                        c.maxConcurrentCalls(9)
                            .maxQueuedCalls(7)
                            .maxWaitDuration(Duration.ofSeconds(2))
                            .writableStackTraceEnabled(true)
                            .ticker(time)
                            .scheduler(time)),
                3,
                Duration.ofSeconds(1)));
  }

  @Test
  void calls_that_do_not_wait_need_no_queue() {
    BulkheadConfig config = load("maxWaitDuration: 0").threadPoolBulkheads().get("inventory");

    assertThat(config.maxWaitDuration()).isZero();
    assertThat(load("queueCapacity: 0").threadPoolBulkheads().get("inventory").maxQueuedCalls())
        .isZero();
  }

  @Test
  void calls_run_on_its_threads_as_many_as_may_and_the_others_wait_without_limit()
      throws Exception {
    Bulkhead bulkhead = bulkhead("maxThreadPoolSize: 2, queueCapacity: 1");
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int call = 0; call < 3; call++) {
      calls.add(start(bulkhead));
    }
    time.advance(Duration.ofDays(365));

    assertThatThrownBy(() -> bulkhead.call(() -> "one too many"))
        .isInstanceOf(BulkheadFullException.class);
    assertThat(bulkhead.metrics().running()).isEqualTo(2);
    assertThat(bulkhead.metrics().waiting()).isEqualTo(1);
    go.countDown();
    for (CompletableFuture<String> call : calls) {
      assertThat(call.get(30, TimeUnit.SECONDS)).startsWith("inventory-");
    }
  }

  @Test
  void a_time_for_waiting_may_be_set() {
    Bulkhead bulkhead = bulkhead("maxThreadPoolSize: 1, maxWaitDuration: 50ms");
    CompletableFuture<String> running = start(bulkhead);
    CompletableFuture<String> waiting = start(bulkhead);

    time.advance(Duration.ofMillis(50));

    assertThatThrownBy(waiting::join).hasCauseInstanceOf(BulkheadFullException.class);
    assertThat(running).isNotDone();
  }

  @Test
  void a_timeout_around_it_answers_on_time_whatever_the_call_does() throws Exception {
    Pipeline<String> pipeline =
        PolicyConfigs.loadYaml(
                "orders.yml",
                """
                recloser:
                  pipelines.orders: [timelimiter, thread-pool-bulkhead]
                  timelimiter.instances.orders.timeoutDuration: 200ms
                """,
                base -> base.ticker(time).scheduler(time))
            .policies()
            .pipeline("orders");
    AtomicReference<Throwable> got = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    Thread caller =
        new Thread(
            () ->
                got.set(
                    Assertions.catchThrowable(
                        () ->
                            pipeline.call(
                                () -> {
                                  begun.countDown();
                                  return hang();
                                }))));
    caller.start();
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

    time.advance(Duration.ofMillis(200));
    caller.join(TimeUnit.SECONDS.toMillis(30));

    assertThat(got.get()).isInstanceOf(TimeoutExceededException.class);
  }

  @Test
  void it_is_another_one_than_the_bulkhead_of_its_name() {
    ConfiguredPolicies policies =
        PolicyConfigs.loadYaml(
                "orders.yml",
                """
                recloser:
                  bulkhead.instances.inventory.maxConcurrentCalls: 7
                  thread-pool-bulkhead.instances.inventory.maxThreadPoolSize: 5
                  pipelines.orders: [bulkhead: inventory, threadPoolBulkhead: inventory]
                """)
            .policies();

    assertThat(policies.bulkhead("inventory").config().maxConcurrentCalls()).isEqualTo(7);
    assertThat(policies.threadPoolBulkhead("inventory").config().maxConcurrentCalls()).isEqualTo(5);
    assertThat(policies.pipeline("orders").policies())
        .containsExactly(policies.bulkhead("inventory"), policies.threadPoolBulkhead("inventory"));
  }

  @Test
  void it_has_threads_of_its_own() throws Exception {
    PolicyConfigs configs = load("maxThreadPoolSize: 1");
    Bulkhead one = configs.policies().threadPoolBulkhead("inventory");
    Bulkhead other = configs.policies().threadPoolBulkhead("inventory");

    assertThat(executorOf(one)).isNotNull().isNotSameAs(executorOf(other));
  }

  @Test
  void a_living_one_takes_new_settings_and_keeps_its_threads_and_its_calls() throws Exception {
    PolicyConfigs before = load("maxThreadPoolSize: 1");
    ConfiguredPolicies policies = before.policies();
    Bulkhead bulkhead = policies.threadPoolBulkhead("inventory");
    Object threads = executorOf(bulkhead);
    CompletableFuture<String> running = start(bulkhead);
    CompletableFuture<String> waiting = start(bulkhead);

    assertThat(load("maxThreadPoolSize: 2").applyTo(policies)).containsExactly(bulkhead);

    assertThat(bulkhead.metrics().running()).isEqualTo(2);
    assertThat(executorOf(bulkhead)).isSameAs(threads);
    go.countDown();
    assertThat(running.get(30, TimeUnit.SECONDS)).startsWith("inventory-");
    assertThat(waiting.get(30, TimeUnit.SECONDS)).startsWith("inventory-");
  }

  @Test
  void other_settings_of_the_threads_alone_are_a_change_too() throws Exception {
    ConfiguredPolicies policies =
        load("maxThreadPoolSize: 2, coreThreadPoolSize: 2, keepAliveDuration: 0").policies();
    Bulkhead bulkhead = policies.threadPoolBulkhead("inventory");
    List<Thread> threads = new ArrayList<>();
    CountDownLatch both = new CountDownLatch(2);
    List<CompletableFuture<Thread>> calls = new ArrayList<>();
    for (int call = 0; call < 2; call++) {
      calls.add(
          bulkhead.callAsync(
              () -> {
                both.countDown();
                hang();
                return CompletableFuture.completedFuture(Thread.currentThread());
              }));
    }
    assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
    go.countDown();
    for (CompletableFuture<Thread> call : calls) {
      threads.add(call.get(30, TimeUnit.SECONDS));
    }

    PolicyConfigs after = load("maxThreadPoolSize: 2, coreThreadPoolSize: 1, keepAliveDuration: 0");
    assertThat(after.applyTo(policies)).containsExactly(bulkhead);
    assertThat(after.applyTo(policies)).isEmpty();

    while (threads.stream().filter(Thread::isAlive).count() > 1) {
      Thread.onSpinWait();
    }
  }

  @Test
  void an_executor_of_the_base_runs_the_calls_instead() throws Exception {
    List<Runnable> tasks = new ArrayList<>();
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            "recloser.pipelines.orders: [thread-pool-bulkhead]",
            base -> base.threadPoolBulkhead(c -> c.callExecutor(tasks::add).scheduler(time)));
    ConfiguredPolicies policies = configs.policies();
    Bulkhead bulkhead = policies.threadPoolBulkhead("orders");
    CompletableFuture<String> call =
        bulkhead.callAsync(() -> CompletableFuture.completedFuture("stock"));

    tasks.forEach(Runnable::run);

    assertThat(tasks).hasSize(1);
    assertThat(call).isCompletedWithValue("stock");
  }

  private static Object executorOf(Bulkhead bulkhead) {
    return bulkhead.config().settings().get("callExecutor");
  }
}
