package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Code around the breaker that behaves as badly as code can. */
final class HostileCodeTest extends Scenario {
  /** An exception whose own methods throw. */
  private static final class Hostile extends CompletionException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("no cause for you");
    }

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message either");
    }
  }

  @Test
  void an_exception_that_throws_itself_reaches_the_caller_as_it_is() {
    CircuitBreaker breaker = small(1);
    Hostile hostile = new Hostile();

    assertThatThrownBy(
            () ->
                breaker.call(
                    () -> {
                      throw hostile;
                    }))
        .isSameAs(hostile);
    CompletableFuture<Object> later =
        breaker.callAsync(() -> CompletableFuture.failedFuture(hostile));

    assertThat(later.isCompletedExceptionally()).isTrue();
    assertThat(breaker.metrics().failed()).isEqualTo(2);
    assertThat(breaker.metrics().callsInFlight()).isZero();
  }

  @Test
  void a_breaker_that_ran_out_of_stack_on_its_way_opens_later() {
    CircuitBreaker breaker =
        CircuitBreaker.create("inventory", settings -> settings.slidingWindowSize(20).ticker(time));
    for (int i = 0; i < 30; i++) {
      assertThatThrownBy(() -> recurse(breaker)).isInstanceOf(Throwable.class);
    }

    for (int i = 0; i < 100; i++) {
      try (Permit permit = breaker.tryAcquire()) {
        if (permit != null) {
          permit.record(Outcome.FAILURE);
        }
      }
    }

    assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.OPEN);
    // Permits may have been lost with the stack, so this breaker is not one that is watched.
  }

  private static void recurse(CircuitBreaker breaker) {
    breaker.run(() -> recurse(breaker));
  }

  /** Nothing but the opening needs the clock here. */
  @Test
  void a_clock_that_breaks_as_the_breaker_opens_leaves_that_to_the_next_call() {
    BreakingClock clock = new BreakingClock(time);
    CircuitBreaker breaker =
        CircuitBreaker.create(
            "inventory",
            smallSettings(1)
                .andThen(s -> s.slowCallDurationThreshold(Duration.ZERO).ticker(clock)));
    List<PolicyEvent.UserCodeFailed> told = new ArrayList<>();
    breaker.on(PolicyEvent.UserCodeFailed.class, told::add);
    IOException down = new IOException("down");
    fail(breaker);

    clock.broken = true;
    assertThatThrownBy(
            () ->
                breaker.call(
                    () -> {
                      throw down;
                    }))
        .isSameAs(down);
    clock.broken = false;

    assertThat(told).extracting(PolicyEvent.UserCodeFailed::setting).containsExactly("ticker");
    assertThat(breaker.metrics().callsInFlight()).isZero();
    assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.CLOSED);
    succeed(breaker);
    assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.OPEN);
  }

  @Test
  void a_clock_that_breaks_when_settings_have_come_to_ask_for_it_costs_nothing() {
    BreakingClock clock = new BreakingClock(time);
    AtomicReference<CircuitBreaker> itself = new AtomicReference<>();
    CircuitBreaker breaker =
        CircuitBreaker.create(
            "inventory",
            s ->
                s.slowCallDurationThreshold(Duration.ZERO)
                    .ticker(clock)
                    .classifier(
                        (result, thrown) -> {
                          itself.get().reconfigure(c -> c.slowCallDurationThreshold(millis(5)));
                          clock.broken = true;
                          return Outcome.SUCCESS;
                        }));
    itself.set(breaker);

    assertThat(breaker.<String, RuntimeException>call(() -> "stock")).isEqualTo("stock");
    clock.broken = false;

    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
    assertThat(breaker.metrics().callsInFlight()).isZero();
  }

  private static final class BreakingClock implements Ticker {
    private final Ticker time;
    private boolean broken;

    BreakingClock(Ticker time) {
      this.time = time;
    }

    @Override
    public long nanoTime() {
      if (broken) {
        throw new IllegalStateException("broken");
      }
      return time.nanoTime();
    }
  }

  @Test
  void a_thread_that_throws_for_its_number_makes_calls_like_any_other() throws Exception {
    Timeout timeout = Timeout.create("inventory", seconds(60));
    CircuitBreaker breaker = small(1);
    AtomicInteger calls = new AtomicInteger();
    Thread numberless =
        new Thread(() -> breaker.run(() -> timeout.run(calls::incrementAndGet))) {
          @Override
          @SuppressWarnings("deprecation") // It is what there is on Java 17.
          public long getId() {
            throw new IllegalStateException("no number");
          }
        };
    inParallel(
        4,
        number -> {
          for (int i = 0; i < 2_000; i++) { // Until there is more than one stripe.
            breaker.run(calls::incrementAndGet);
          }
        });
    calls.set(0);

    numberless.start();
    numberless.join();

    assertThat(calls.get()).isEqualTo(1);
  }

  @Test
  void a_listener_that_takes_longer_than_the_breaker_waits_does_not_hold_a_caller_for_ever() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .waitDurationInOpenState(millis(10))
                    .maxWaitDurationInHalfOpenState(millis(10)));
    AtomicInteger heard = new AtomicInteger();
    breaker.on(
        CircuitBreakerEvent.StateTransition.class,
        transition -> {
          heard.incrementAndGet();
          time.advance(millis(12));
        });
    breaker.transitionTo(CircuitBreaker.State.OPEN);

    Permit permit = breaker.tryAcquire();

    assertThat(heard.get()).isLessThan(5);
    if (permit != null) {
      permit.close();
    }
  }

  @Test
  void a_scheduler_that_runs_tasks_at_once_costs_nothing_but_its_timers() {
    List<PolicyEvent> told = new ArrayList<>();
    CircuitBreaker breaker =
        breaker(
            settings ->
                settings
                    .slidingWindowSize(1)
                    .scheduler(
                        (task, delay) -> {
                          task.run();
                          return () -> {};
                        })
                    .automaticTransitionFromOpenToHalfOpenEnabled(true));
    breaker.on(PolicyEvent.UserCodeFailed.class, told::add);
    fail(breaker);

    assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.OPEN);
    assertThat(told).isEmpty();
    time.advance(Duration.ofMinutes(1));
    breaker.acquire().close();
    assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
  }
}
