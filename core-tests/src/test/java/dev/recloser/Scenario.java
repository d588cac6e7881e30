package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.test.Breakers;
import dev.recloser.test.FakeTime;
import dev.recloser.test.RecloserExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Breakers on fake time, and what a scenario does to one. A permit that a test leaves out fails it.
 */
@ExtendWith(RecloserExtension.class)
@DisplayNameGeneration(ReplaceUnderscores.class)
abstract class Scenario {
  /** The wait of {@link #small} breakers. */
  static final Duration WAIT = Duration.ofSeconds(5);

  /** A step too short to matter to anything but a comparison. */
  static final Duration TICK = Duration.ofNanos(1);

  FakeTime time;
  Breakers breakers;

  @BeforeEach
  final void handIn(FakeTime time, Breakers breakers) {
    this.time = time;
    this.breakers = breakers;
  }

  /** A breaker without timers: whatever is due waits for the next call. */
  final CircuitBreaker breaker(Consumer<CircuitBreakerConfig.Builder> settings) {
    return breakers.create("inventory", CircuitBreakerConfig.of(settings));
  }

  /** A breaker with timers on the fake time. */
  final CircuitBreaker breakerWithTimers(Consumer<CircuitBreakerConfig.Builder> settings) {
    return breakers.create("inventory", settings);
  }

  /** Two calls in the window, two needed, 50 %, a wait of 5 s, so many probes; no timers. */
  final CircuitBreaker small(int probes) {
    return small(probes, settings -> {});
  }

  final CircuitBreaker small(int probes, Consumer<CircuitBreakerConfig.Builder> more) {
    return breaker(smallSettings(probes).andThen(more));
  }

  static Consumer<CircuitBreakerConfig.Builder> smallSettings(int probes) {
    return settings ->
        settings
            .slidingWindowSize(2)
            .minimumNumberOfCalls(2)
            .waitDurationInOpenState(WAIT)
            .permittedNumberOfCallsInHalfOpenState(probes);
  }

  /** Fails calls until the breaker opens. */
  static void open(CircuitBreaker breaker) {
    for (int i = 0; i < 1_000 && breaker.state() != State.OPEN; i++) {
      fail(breaker);
    }
    assertThat(breaker.state()).isEqualTo(State.OPEN);
  }

  /** Opens the breaker, waits, and takes the first probe. */
  final Permit openAndProbe(CircuitBreaker breaker) {
    open(breaker);
    return waitAndProbe(breaker);
  }

  /** Lets the wait pass, and takes the first probe. */
  final Permit waitAndProbe(CircuitBreaker breaker) {
    time.advance(breaker.snapshot().remaining());
    Permit probe = breaker.acquire();
    assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
    assertThat(probe.isProbe()).isTrue();
    return probe;
  }

  static void succeed(CircuitBreaker breaker) {
    breaker.acquire().complete("fine");
  }

  static void succeed(CircuitBreaker breaker, int times) {
    for (int i = 0; i < times; i++) {
      succeed(breaker);
    }
  }

  static void fail(CircuitBreaker breaker) {
    breaker.acquire().fail(new IOException("down"));
  }

  static void fail(CircuitBreaker breaker, int times) {
    for (int i = 0; i < times; i++) {
      fail(breaker);
    }
  }

  final void succeedAfter(Duration duration, CircuitBreaker breaker) {
    Permit permit = breaker.acquire();
    time.advance(duration);
    permit.complete("fine");
  }

  final void failAfter(Duration duration, CircuitBreaker breaker) {
    Permit permit = breaker.acquire();
    time.advance(duration);
    permit.fail(new IOException("down"));
  }

  static void ignore(CircuitBreaker breaker) {
    breaker.acquire().record(Outcome.IGNORED);
  }

  static void cancel(CircuitBreaker breaker) {
    breaker.acquire().fail(new CancellationException());
  }

  /** Asks for so many permits, all of which must be granted. */
  static List<Permit> acquire(CircuitBreaker breaker, int permits) {
    List<Permit> granted = new ArrayList<>();
    for (int i = 0; i < permits; i++) {
      granted.add(breaker.acquire());
    }
    return granted;
  }

  static boolean isRefused(CircuitBreaker breaker) {
    Permit permit = breaker.tryAcquire();
    if (permit != null) {
      permit.close();
    }
    return permit == null;
  }

  /** Does work on so many threads that begin together, waits for all, and throws what one threw. */
  static void inParallel(int threads, IntConsumer work) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<?>> all = new ArrayList<>();
      for (int number = 0; number < threads; number++) {
        int own = number;
        all.add(
            pool.submit(
                () -> {
                  await(start);
                  work.accept(own);
                }));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    } finally {
      pool.shutdownNow();
    }
  }

  static void await(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
