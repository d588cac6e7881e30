package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.test.FakeTime;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** There is no kind of event that nobody ever tells. */
final class PolicyEventsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration TENTH = Duration.ofMillis(100);

  private final IllegalStateException broken = new IllegalStateException("broken");

  private final FakeTime time = FakeTime.create();
  private final Set<String> told = new TreeSet<>();

  private void listenTo(Policy policy) {
    var unused = policy.on(PolicyEvent.class, event -> told.add(kind(event.getClass())));
  }

  private static String kind(Class<?> event) {
    return event.getEnclosingClass().getSimpleName() + "." + event.getSimpleName();
  }

  private static Stream<Class<?>> kindsOf(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(PolicyEventsTest::kindsOf)
        : Stream.of(type);
  }

  private static String down() {
    throw new IllegalStateException("down");
  }

  private static void tolerate(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException expected) {
      assertThat(expected).isNotInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void every_kind_of_event_is_told() {
    breaker();
    limiter();
    bulkhead();
    timeout();
    retry();
    hedge();
    fallback();

    assertThat(told)
        .containsExactlyInAnyOrderElementsOf(
            kindsOf(PolicyEvent.class).map(PolicyEventsTest::kind).toList());
  }

  private void breaker() {
    CircuitBreaker breaker =
        CircuitBreaker.create(
            "breaker",
            s ->
                s.slidingWindowSize(1)
                    .minimumNumberOfCalls(1)
                    .recordResult(
                        result -> {
                          throw new IllegalStateException("predicate");
                        })
                    .ticker(time));
    listenTo(breaker);
    breaker.transitionTo(CircuitBreaker.State.METRICS_ONLY);
    breaker.call(() -> "stock");
    breaker.reset();
    breaker.call(() -> "stock");
    tolerate(() -> breaker.call(() -> "stock"));
    breaker.reconfigure(s -> s.failureRateThreshold(20));
  }

  private void limiter() {
    RateLimiter limiter =
        RateLimiter.create(
            "limiter",
            s -> s.limitForPeriod(1).timeoutDuration(Duration.ZERO).ticker(time).scheduler(time));
    listenTo(limiter);
    limiter.acquire();
    tolerate(limiter::acquire);
  }

  private void bulkhead() {
    Bulkhead bulkhead = Bulkhead.create("bulkhead", s -> s.maxConcurrentCalls(1));
    listenTo(bulkhead);
    bulkhead.run(() -> tolerate(bulkhead::acquire));
    bulkhead.reconfigure(s -> s.maxConcurrentCalls(2));
  }

  private void timeout() {
    Timeout timeout =
        Timeout.create("timeout", s -> s.timeoutDuration(TENTH).ticker(time).scheduler(time));
    listenTo(timeout);
    timeout.run(() -> {});
    tolerate(() -> timeout.run(() -> time.advance(SECOND)));
  }

  private void retry() {
    Retry retry =
        Retry.create(
            "retry", s -> s.maxAttempts(2).jitter(Jitter.NONE).ticker(time).scheduler(time));
    listenTo(retry);
    AtomicInteger calls = new AtomicInteger();
    retry.run(() -> assertThat(calls.incrementAndGet() > 1 ? "stock" : down()).isNotNull());
    tolerate(() -> retry.call(PolicyEventsTest::down));
    retry.run(() -> {});
  }

  private void hedge() {
    Hedge hedge =
        Hedge.create("hedge", s -> s.idempotent(true).delay(TENTH).ticker(time).scheduler(time));
    listenTo(hedge);
    List<CompletableFuture<String>> attempts =
        List.of(new CompletableFuture<>(), new CompletableFuture<>());
    AtomicInteger made = new AtomicInteger();
    CompletableFuture<String> answer = hedge.callAsync(() -> attempts.get(made.getAndIncrement()));
    time.advance(TENTH);
    attempts.get(1).complete("stock");
    assertThat(answer).isCompletedWithValue("stock");
  }

  private void fallback() {
    Pipeline<String> answering =
        Pipeline.create("fallback", p -> p.fallback(f -> f.onFailure(() -> "none")));
    Pipeline<String> replacing =
        Pipeline.create("fallback", p -> p.fallback(f -> f.throwing(IllegalStateException::new)));
    Pipeline<String> failing =
        Pipeline.create("fallback", p -> p.fallback(f -> f.onFailure(PolicyEventsTest::down)));
    for (Pipeline<String> pipeline : List.of(answering, replacing, failing)) {
      pipeline.policies().forEach(this::listenTo);
      tolerate(() -> pipeline.call(PolicyEventsTest::down));
    }
  }

  private Cancellable broken(Runnable task, Duration delay) {
    throw broken;
  }

  /** A hedged call runs on another thread, and needs no scheduler any more once it has ended. */
  private static String downAfterTheNews(Policy policy, RecordingListener heard) {
    while (policy instanceof Hedge && heard.events().isEmpty()) {
      Thread.onSpinWait();
    }
    return down();
  }

  /** Policies whose call needs a scheduler, which throws. */
  private List<Policy> needingAScheduler() {
    RateLimiter limiter =
        RateLimiter.create(
            "limiter", s -> s.limitForPeriod(1).ticker(time).scheduler(this::broken));
    limiter.acquire();
    Bulkhead bulkhead =
        Bulkhead.create(
            "bulkhead",
            s -> s.maxConcurrentCalls(1).maxWaitDuration(SECOND).scheduler(this::broken));
    assertThat(bulkhead.tryAcquire()).isNotNull(); // and never closed
    return List.of(
        limiter,
        bulkhead,
        Timeout.create("timeout", s -> s.scheduler(this::broken)),
        Retry.create("retry", s -> s.jitter(Jitter.NONE).scheduler(this::broken)),
        Hedge.create("hedge", s -> s.idempotent(true).scheduler(this::broken)),
        CircuitBreaker.create(
            "breaker",
            s ->
                s.slidingWindowSize(1)
                    .minimumNumberOfCalls(1)
                    .automaticTransitionFromOpenToHalfOpenEnabled(true)
                    .ticker(time)
                    .scheduler(this::broken)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_scheduler_that_throws_is_told_of_by_whoever_needs_it(boolean staged) {
    try (CapturedLog log = new CapturedLog()) {
      for (Policy policy : needingAScheduler()) {
        RecordingListener heard = RecordingListener.on(policy);

        if (staged) {
          CompletableFuture<String> stage = new CompletableFuture<>();
          var unused = policy.callAsync(() -> stage);
          stage.completeExceptionally(new IOException());
        } else {
          tolerate(() -> policy.call(() -> downAfterTheNews(policy, heard)));
        }

        assertThat(heard.of(PolicyEvent.UserCodeFailed.class))
            .containsOnly(new PolicyEvent.UserCodeFailed(policy.name(), "scheduler", broken));
        assertThat(log.entries())
            .last()
            .extracting(LogRecord::getMessage)
            .isEqualTo("The scheduler of " + policy.name() + " threw (told once)");
      }
    }
  }
}
