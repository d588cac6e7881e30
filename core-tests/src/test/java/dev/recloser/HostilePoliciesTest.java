package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every policy among code that behaves as badly as code can, in every way of calling: the caller
 * gets what its call ended with or one clear exception, and nothing is left or lost.
 */
final class HostilePoliciesTest extends PolicyScenario {
  private final CapturedLog log = new CapturedLog();
  private final IOException down = down();

  /** What the policies are made with; a test replaces some of it. */
  private Ticker ticker = time;

  private Scheduler scheduler = timers;
  private @Nullable Executor executor;

  /** Every policy, set up so that it needs whatever it may need. */
  private enum Subject {
    FALLBACK,
    RETRY,
    HEDGE,
    CIRCUIT_BREAKER,
    RATE_LIMITER,
    BULKHEAD,
    TIMEOUT,
    TIMEOUT_ON_EXECUTOR
  }

  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken() {
      super("broken");
    }
  }

  @AfterEach
  void close() {
    log.close();
  }

  static Stream<Arguments> everything() {
    return Stream.of(Subject.values())
        .flatMap(subject -> Stream.of(Way.values()).map(way -> Arguments.of(subject, way)));
  }

  static Stream<Arguments> allStages() {
    return everything().filter(arguments -> ((Way) arguments.get()[1]).isStage());
  }

  static Stream<Arguments> allPlainCalls() {
    return everything().filter(arguments -> !((Way) arguments.get()[1]).isStage());
  }

  private Pipeline<Object> around(Subject subject, Way way) {
    return pipeline(part(subject, way));
  }

  private Object part(Subject subject, Way way) {
    return switch (subject) {
      case FALLBACK ->
          Fallback.of(
              (Fallback.Builder<Object> f) ->
                  f.ticker(ticker)
                      .onException(IllegalStateException.class, thrown -> "instead")
                      .on(Fallback.Kind.REFUSED)
                      .stale(Duration.ofMinutes(1)));
      case RETRY ->
          retry(
              s ->
                  s.maxElapsedTime(Duration.ofHours(1))
                      .budget(RetryBudget.create(20, 10, ticker))
                      .ticker(ticker)
                      .scheduler(scheduler)
                      .executor(executor == null ? Runnable::run : executor));
      case HEDGE ->
          executor == null
              ? hedge(way, s -> s.ticker(ticker).delayPercentile(50.0))
              : hedge(way, s -> s.ticker(ticker).scheduler(scheduler).executor(executor));
      case CIRCUIT_BREAKER ->
          breaker(s -> s.slowCallDurationThreshold(Duration.ofHours(2)).ticker(ticker));
      case RATE_LIMITER ->
          limiter(
              1,
              s ->
                  s.ticker(ticker)
                      .scheduler(scheduler)
                      .executor(executor == null ? Runnable::run : executor));
      case BULKHEAD ->
          bulkhead(
              1,
              s ->
                  s.maxWaitDuration(Duration.ofSeconds(1))
                      .scheduler(scheduler)
                      .executor(executor == null ? Runnable::run : executor));
      case TIMEOUT -> timeout(s -> s.ticker(ticker).scheduler(scheduler));
      case TIMEOUT_ON_EXECUTOR ->
          timeout(
              s ->
                  s.ticker(ticker)
                      .scheduler(scheduler)
                      .executor(executor == null ? Runnable::run : executor));
    };
  }

  private static void listen(Pipeline<Object> pipeline, Class<? extends PolicyEvent> type) {
    for (Policy policy : pipeline.policies()) {
      policy.on(
          type,
          event -> {
            throw new AssertionError("a listener that throws");
          });
    }
  }

  /** Makes a call, and gives its result or what it threw. */
  private Object endOf(Way way, Pipeline<Object> pipeline, Dependency dependency) {
    Object[] result = new Object[1];
    Throwable thrown = catchThrowable(() -> result[0] = call(way, pipeline, dependency));
    return thrown == null ? result[0] : thrown;
  }

  @ParameterizedTest
  @MethodSource("everything")
  void listeners_that_throw_change_nothing(Subject subject, Way way) {
    Pipeline<Object> pipeline = around(subject, way);
    listen(pipeline, PolicyEvent.class);

    assertThat(endOf(way, pipeline, dependency("stock"))).isEqualTo("stock");
    assertThat(endOf(way, pipeline, dependency(down))).isSameAs(down);
    assertThat(endOf(way, pipeline, dependency(new CancellationException("given up"))))
        .isInstanceOf(CancellationException.class);
  }

  /** An exception whose own methods throw. */
  private static final class Hostile extends CompletionException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable getCause() {
      throw new Broken();
    }

    @Override
    public String getMessage() {
      throw new Broken();
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void errors_and_exceptions_that_throw_themselves_reach_the_caller(Subject subject, Way way) {
    Pipeline<Object> pipeline = around(subject, way);

    for (Throwable thrown : List.of(new Hostile(), new AssertionError(), new OutOfMemoryError())) {
      Object end = endOf(way, pipeline, dependency(thrown));
      assertThat(end == thrown).as("what the call threw").isTrue();
    }
  }

  /** Works for so many readings, and then throws, until it is mended. */
  private static final class BreakingTicker implements Ticker {
    private final Ticker time;
    private int left;

    BreakingTicker(Ticker time, int readings) {
      this.time = time;
      left = readings;
    }

    @Override
    public synchronized long nanoTime() {
      if (left-- <= 0) {
        throw new Broken();
      }
      return time.nanoTime();
    }

    synchronized void mend() {
      left = Integer.MAX_VALUE;
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void a_ticker_that_breaks_at_any_reading_costs_a_call_not_made_or_nothing(
      Subject subject, Way way) {
    List<Object> ends = new ArrayList<>();
    for (int readings = 3; readings < 12; readings++) {
      BreakingTicker breaking = new BreakingTicker(time, readings);
      ticker = breaking;
      Pipeline<Object> pipeline = around(subject, way);
      listen(pipeline, PolicyEvent.UserCodeFailed.class);
      for (Object scripted : List.of("stock", down, "stock", down)) {
        Dependency dependency = dependency(scripted);
        Object end = endOf(way, pipeline, dependency);
        if (dependency.calls() > 0) {
          assertThat(end).isSameAs(scripted);
        } else {
          assertThat(end).isInstanceOfAny(Broken.class, RequestNotPermittedException.class);
        }
        ends.add(end);
      }
      breaking.mend();
    }
    assertThat(ends).contains("stock");
  }

  @ParameterizedTest
  @MethodSource("everything")
  void a_deadline_whose_ticker_breaks_limits_nothing_then(Subject subject, Way way)
      throws Throwable {
    for (int readings = 1; readings < 5; readings++) {
      Deadline deadline = Deadline.after(Duration.ofHours(3), new BreakingTicker(time, readings));
      Way.Client client = way.through(around(subject, way), dependency("stock", "other"));

      for (String expected : List.of("stock", "other")) {
        Object end =
            deadline.call(
                () -> way.isStage() ? Way.awaited(client.getAsync(), time) : client.get());
        assertThat(end).isEqualTo(expected);
      }
    }
  }

  /** Executors and futures wrap and unwrap such an exception; policies must not. */
  @ParameterizedTest
  @MethodSource("allPlainCalls")
  void a_plain_call_may_throw_what_looks_like_a_wrapper(Subject subject, Way way) {
    CompletionException thrown = new CompletionException("mine", down);

    assertThat(endOf(way, around(subject, way), dependency(thrown))).isSameAs(thrown);
  }

  /** A scheduler that does something else. */
  private enum Dying {
    THROWS,
    NEVER_RUNS,
    RUNS_AT_ONCE,
    RUNS_TWICE,
    CANNOT_CANCEL,
    GIVES_NO_HANDLE
  }

  private Scheduler dying(Dying how) {
    return new Scheduler() {
      @Override
      @SuppressWarnings("NullAway") // as code without null checks does
      public Cancellable schedule(Runnable task, Duration delay) {
        switch (how) {
          case THROWS -> throw new Broken();
          case NEVER_RUNS -> {
            return () -> {};
          }
          case RUNS_AT_ONCE -> {
            task.run();
            return () -> {};
          }
          case RUNS_TWICE -> {
            return time.schedule(
                () -> {
                  task.run();
                  task.run();
                },
                delay);
          }
          case CANNOT_CANCEL -> {
            Cancellable timer = time.schedule(task, delay);
            return () -> {
              timer.cancel();
              throw new Broken();
            };
          }
          default -> {
            Cancellable timer = time.schedule(task, delay);
            var unused = time.schedule(timer::cancel, Duration.ofDays(1));
            return null;
          }
        }
      }

      @Override
      public void sleep(Duration delay) throws InterruptedException {
        if (how == Dying.THROWS) {
          throw new Broken();
        }
        timers.sleep(delay);
      }
    };
  }

  static Stream<Arguments> schedulers() {
    return everything()
        .filter(arguments -> ((Way) arguments.get()[1]).isStage())
        .flatMap(
            arguments ->
                Stream.of(Dying.values())
                    .map(how -> Arguments.of(arguments.get()[0], arguments.get()[1], how)));
  }

  /**
   * Three stages at once, so that each policy has something to wait for; what still goes on after a
   * while is cancelled.
   */
  @ParameterizedTest
  @MethodSource("schedulers")
  void a_scheduler_that_misbehaves_leaves_nothing_behind(Subject subject, Way way, Dying how)
      throws Throwable {
    executor = Runnable::run;
    scheduler = dying(how);
    Way.Client client =
        way.through(around(subject, way), dependency(after(millis(60), "stock"), down, "stock"));
    List<CompletableFuture<Object>> stages = new ArrayList<>();
    for (int call = 0; call < 3; call++) {
      stages.add(client.getAsync());
    }

    time.advance(Duration.ofDays(2));
    stages.forEach(stage -> stage.cancel(true));

    for (CompletableFuture<Object> stage : stages) {
      Object end = catchThrowable(() -> Way.awaited(stage, time));
      if (end != null && end != down) {
        assertThat(end)
            .isInstanceOfAny(
                CancellationException.class,
                TimeoutExceededException.class,
                CallRejectedException.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"GIVES_NO_HANDLE"})
  void plain_calls_on_a_scheduler_that_misbehaves_end_as_they_do_or_in_time(Dying how) {
    scheduler = dying(how);
    for (Subject subject : List.of(Subject.RETRY, Subject.TIMEOUT, Subject.TIMEOUT_ON_EXECUTOR)) {
      Object end = endOf(Way.PLAIN, around(subject, Way.PLAIN), dependency(down, "stock"));
      assertThat(end)
          .isInstanceOfAny(String.class, IOException.class, TimeoutExceededException.class);
    }
    Pipeline<Object> limited = around(Subject.RATE_LIMITER, Way.PLAIN);
    assertThat(endOf(Way.PLAIN, limited, dependency("stock"))).isEqualTo("stock");
    assertThat(endOf(Way.PLAIN, limited, dependency("stock")))
        .isInstanceOfAny(String.class, RequestNotPermittedException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"STAGE", "PROXY_STAGE"})
  void a_scheduler_that_runs_a_task_twice_has_no_attempt_made_beside_another(Way way) {
    executor = Runnable::run;
    scheduler = dying(Dying.RUNS_TWICE);
    Dependency retried = dependency(down, after(millis(60), "stock"));
    Dependency hedged = dependency(after(millis(80), "stock"));

    assertThat(endOf(way, around(Subject.RETRY, way), retried)).isEqualTo("stock");
    assertThat(endOf(way, around(Subject.HEDGE, way), hedged)).isEqualTo("stock");

    assertThat(retried.calls()).isEqualTo(2);
    assertThat(hedged.calls()).isEqualTo(2);
  }

  /** An executor that does something else. */
  private enum Failing {
    REJECTS,
    THROWS_AFTER_RUNNING,
    DISCARDS
  }

  private Executor failing(Failing how) {
    return task -> {
      switch (how) {
        case REJECTS -> throw new RejectedExecutionException("full");
        case THROWS_AFTER_RUNNING -> {
          task.run();
          throw new Broken();
        }
        case DISCARDS -> {}
      }
    };
  }

  static Stream<Arguments> executors() {
    return allStages()
        .flatMap(
            arguments ->
                Stream.of(Failing.values())
                    .map(how -> Arguments.of(arguments.get()[0], arguments.get()[1], how)));
  }

  @ParameterizedTest
  @MethodSource("executors")
  void an_executor_that_misbehaves_leaves_nothing_behind(Subject subject, Way way, Failing how)
      throws Throwable {
    executor = failing(how);
    Way.Client client =
        way.through(around(subject, way), dependency(after(millis(60), "stock"), down, "stock"));
    List<CompletableFuture<Object>> stages = new ArrayList<>();
    for (int call = 0; call < 3; call++) {
      stages.add(client.getAsync());
    }

    time.advance(Duration.ofMinutes(1));
    assertThat(stages.get(0)).isCompletedWithValue("stock");
    if (how != Failing.DISCARDS) {
      assertThat(stages).allMatch(CompletableFuture::isDone);
    }
    stages.forEach(stage -> stage.cancel(true));
  }

  @ParameterizedTest
  @EnumSource(names = {"PLAIN", "PROXY"})
  void work_that_an_executor_discards_is_timed_out_or_given_up(Way way) {
    executor = task -> time.advance(LIMIT);
    assertThat(endOf(way, around(Subject.TIMEOUT_ON_EXECUTOR, way), dependency("stock")))
        .isInstanceOf(TimeoutExceededException.class);

    executor = task -> Thread.currentThread().interrupt();
    for (Subject subject : List.of(Subject.TIMEOUT_ON_EXECUTOR, Subject.HEDGE)) {
      assertThat(endOf(way, around(subject, way), dependency("stock")))
          .isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void functions_of_a_retry_that_throw_cost_no_more_than_their_effect(Way way) throws Throwable {
    List<PolicyEvent.UserCodeFailed> told = new ArrayList<>();
    Retry retry =
        retry(
            s ->
                s.jitter(Jitter.FULL)
                    .random(HostilePoliciesTest::broken)
                    .intervalFunction(attempt -> broken())
                    .retryAfter((result, thrown) -> broken()));
    retry.on(PolicyEvent.UserCodeFailed.class, told::add);

    assertThat(call(way, retry, dependency(down, "stock"))).isEqualTo("stock");

    assertThat(told)
        .extracting(PolicyEvent.UserCodeFailed::setting)
        .containsExactlyInAnyOrder("random", "intervalFunction", "retryAfter");
  }

  @ParameterizedTest
  @EnumSource
  void random_numbers_out_of_range_are_none(Way way) throws Throwable {
    for (double number : new double[] {-1, 7, Double.NaN, Double.POSITIVE_INFINITY}) {
      Retry retry = retry(s -> s.jitter(Jitter.FULL).random(() -> number));
      Dependency dependency = dependency(down, "stock");
      Duration before = time.elapsed();

      assertThat(call(way, retry, dependency)).isEqualTo("stock");

      assertThat(time.elapsed().minus(before)).isEqualTo(WAIT.dividedBy(2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_classifier_that_throws_changes_nothing_for_the_caller(Way way) {
    Classifier classifier = (result, thrown) -> broken();
    for (Policy policy :
        List.of(retry(s -> s.classifier(classifier)), breaker(s -> s.classifier(classifier)))) {
      Dependency dependency = dependency(down);

      assertThat(failure(way, policy, dependency)).isSameAs(down);

      assertThat(dependency.calls()).isEqualTo(1);
    }
  }

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <T> T broken() {
    throw new Broken();
  }

  /** Stages as only a user's own class can be. */
  static Stream<Supplier<CompletionStage<Object>>> hostileStages() {
    return Stream.of(
        () -> null,
        () -> {
          throw new Broken();
        },
        () -> {
          throw new AssertionError();
        },
        DeafStage::new,
        ObstinateStage::new,
        () -> echoing("stock"));
  }

  /** Cannot be listened to. */
  private static final class DeafStage extends CompletableFuture<Object> {
    @Override
    public CompletableFuture<Object> whenComplete(
        BiConsumer<? super Object, ? super Throwable> end) {
      throw new Broken();
    }
  }

  /** Cannot be cancelled. */
  private static final class ObstinateStage extends CompletableFuture<Object> {
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      throw new AssertionError("not me");
    }
  }

  /** Tells its end twice. */
  private static CompletionStage<Object> echoing(Object result) {
    return new CompletableFuture<Object>() {
      @Override
      public CompletableFuture<Object> whenComplete(
          BiConsumer<? super Object, ? super Throwable> end) {
        end.accept(result, null);
        end.accept(null, new Broken());
        return this;
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void stages_that_misbehave_end_their_calls_and_nothing_else(Subject subject) {
    executor = Runnable::run;
    Pipeline<Object> pipeline = around(subject, Way.STAGE);
    hostileStages()
        .forEach(
            stage -> {
              CompletableFuture<Answer<Object>> later = pipeline.answerAsync(stage);
              time.advance(Duration.ofMinutes(1));
              later.cancel(true);
              assertThat(later).isDone();
            });
    CompletableFuture<Object> after =
        pipeline.callAsync(() -> CompletableFuture.completedFuture("stock"));
    time.advance(Duration.ofMinutes(1));

    assertThat(after).isCompletedWithValue("stock");
  }

  /** When somebody stops a call that takes 20 ms. */
  private enum Moment {
    BEFORE,
    WHILE_RUNNING,
    AT_THE_END
  }

  private static Stream<Arguments> atAnyMoment(Stream<Arguments> arguments) {
    return arguments.flatMap(
        one -> Stream.of(Moment.values()).map(m -> Arguments.of(one.get()[0], one.get()[1], m)));
  }

  static Stream<Arguments> interrupts() {
    return atAnyMoment(allPlainCalls())
        .filter(arguments -> arguments.get()[0] != Subject.HEDGE); // see HedgeTest
  }

  static Stream<Arguments> cancellations() {
    return atAnyMoment(allStages());
  }

  @ParameterizedTest
  @MethodSource("interrupts")
  void an_interrupt_is_never_lost(Subject subject, Way way, Moment moment) {
    Thread caller = Thread.currentThread();
    Dependency dependency = dependency(after(millis(20), "stock"));
    Pipeline<Object> pipeline = around(subject, way);
    switch (moment) {
      case BEFORE -> caller.interrupt();
      case WHILE_RUNNING -> {
        var unused = time.schedule(caller::interrupt, millis(10));
      }
      case AT_THE_END -> {
        var unused = time.schedule(caller::interrupt, millis(20));
      }
    }

    Object end = endOf(way, pipeline, dependency);

    // Whoever takes the flag back throws, as blocking calls do.
    assertThat(Thread.interrupted()).isEqualTo(!(end instanceof InterruptedException));
  }

  @ParameterizedTest
  @EnumSource(names = {"PLAIN", "PROXY"})
  void an_interrupt_while_a_policy_waits_ends_the_wait_and_stays(Way way) {
    Thread caller = Thread.currentThread();
    RateLimiter limiter = limiter(1);
    limiter.acquire();
    var unused = time.schedule(caller::interrupt, WAIT.dividedBy(2));

    assertThat(failure(way, retry(), dependency(down))).isSameAs(down);
    assertThat(Thread.interrupted()).isTrue();

    var unusedOther = time.schedule(caller::interrupt, millis(500));
    assertThat(failure(way, limiter, dependency("stock")))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(limiter.metrics().cancelled()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("cancellations")
  void a_stage_that_is_cancelled_ends_its_call(Subject subject, Way way, Moment moment) {
    executor = Runnable::run;
    Dependency dependency = dependency(after(millis(20), "stock"));
    Way.Client client = way.through(around(subject, way), dependency);
    List<CompletableFuture<Object>> stages = new ArrayList<>();
    if (moment == Moment.AT_THE_END) {
      // Before the dependency's own timer, which is then due at the same moment.
      var unused = time.schedule(() -> stages.forEach(stage -> stage.cancel(true)), millis(20));
    }
    stages.add(client.getAsync());
    stages.add(client.getAsync()); // waits, where there is something to wait for

    time.advance(millis(moment == Moment.BEFORE ? 0 : moment == Moment.AT_THE_END ? 20 : 10));
    stages.forEach(stage -> stage.cancel(true));

    assertThat(stages).allMatch(CompletableFuture::isCancelled);
    assertThat(dependency.stopped()).isEqualTo(dependency.calls()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = {"STAGE", "PROXY_STAGE"})
  void cancelling_while_a_policy_waits_ends_the_wait(Way way) {
    Bulkhead bulkhead = bulkhead(1, s -> s.maxWaitDuration(Duration.ofSeconds(1)));
    RateLimiter limiter = limiter(1);
    limiter.acquire();
    Dependency dependency = dependency(down, "stock");

    try (BulkheadSlot taken = bulkhead.acquire()) {
      Objects.requireNonNull(taken);
      for (Policy policy : List.of(retry(), bulkhead, limiter)) {
        CompletableFuture<Object> later = way.through(policy, dependency).getAsync();
        assertThat(time.pendingTimers()).isEqualTo(1);

        later.cancel(true);

        assertThat(time.pendingTimers()).isZero();
      }
    }
    assertThat(dependency.calls()).isEqualTo(1);
    assertThat(limiter.metrics().cancelled()).isEqualTo(1);
    assertThat(bulkhead.metrics().cancelled()).isEqualTo(1);
  }
}
