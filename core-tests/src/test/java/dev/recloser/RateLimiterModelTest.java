package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The rate limiter against a naive model, on random settings and operations: every answer, every
 * turn to the nanosecond, and every number. {@code -Dmodel.seed=N} starts from another seed.
 */
final class RateLimiterModelTest {
  private static final long FIRST_SEED = Long.getLong("model.seed", 1_000);
  private static final int SEEDS = 250;
  private static final int STEPS = 400;

  /** Stands for the wait of one that was interrupted. */
  private static final long GIVEN_UP = -1;

  private static final long[] ORIGINS = {
    0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 20_000_000, 1L << 62
  };
  private static final int[] LIMITS = {1, 2, 3, 7, 10, 50, 997, 1_000_003, Integer.MAX_VALUE};
  private static final int[] BURSTS = {1, 2, 5, 20};

  @Test
  void a_hundred_thousand_operations_do_what_the_model_does() {
    System.out.printf(
        "%d operations on a rate limiter from each of the seeds %d to %d%n",
        STEPS, FIRST_SEED, FIRST_SEED + SEEDS - 1);
    RateLimiterMetrics seen = new RateLimiterMetrics(0, 0, 0, 0, 0, 0, Duration.ZERO);
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      seen = sum(seen, new Run(seed).run());
    }
    assertThat(List.of(seen.admitted(), seen.refused(), seen.cancelled(), seen.waited()))
        .as("permitted, refused, given up and waited")
        .allMatch(number -> number > 5_000);
  }

  private static RateLimiterMetrics sum(RateLimiterMetrics one, RateLimiterMetrics other) {
    return new RateLimiterMetrics(
        one.admitted() + other.admitted(),
        one.refused() + other.refused(),
        one.cancelled() + other.cancelled(),
        one.waited() + other.waited(),
        0,
        0,
        Duration.ZERO);
  }

  /** One limiter and its model. */
  private static final class Run {
    private final long seed;
    private final Random random;
    private final FakeTime time;
    private final RateLimiter limiter;
    private final NaiveBucket model;
    private final Map<Integer, CompletableFuture<Void>> stages = new HashMap<>();
    private final List<String> turns = new ArrayList<>();
    private int step;

    Run(long seed) {
      this.seed = seed;
      random = new Random(seed);
      time = FakeTime.startingAt(ORIGINS[random.nextInt(ORIGINS.length)]);
      limiter =
          RateLimiter.create(
              "inventory",
              RateLimiterConfig.of(s -> s.ticker(time).scheduler(time)).with(this::settings));
      model = new NaiveBucket(limiter.config());
    }

    private void settings(RateLimiterConfig.Builder settings) {
      int limit = LIMITS[random.nextInt(LIMITS.length)];
      int burst = BURSTS[random.nextInt(BURSTS.length)];
      long permit = 1L + random.nextInt(100); // The time that a permit takes to come, roughly.
      settings
          .limitForPeriod(limit)
          .limitRefreshPeriod(Duration.ofNanos(limit * permit + random.nextInt(limit)))
          .maxBurst(burst)
          .permitsPerCall(1 + random.nextInt(Math.min(3, burst)))
          .timeoutDuration(Duration.ofNanos(random.nextInt(10) * permit));
    }

    RateLimiterMetrics run() {
      for (step = 0; step < STEPS; step++) {
        operate();
        time.runDueTimers();
        model.advance(0);
        assertThat(turns).as(this::where).isEqualTo(model.turns);
        assertThat(limiter.metrics()).as(this::where).isEqualTo(model.metrics());
        assertThat(time.pendingTimers()).as(this::where).isEqualTo(model.line.isEmpty() ? 0 : 1);
        turns.clear();
        model.turns.clear();
      }
      return limiter.metrics();
    }

    private String where() {
      return "seed " + seed + ", step " + step;
    }

    private void operate() {
      switch (random.nextInt(20)) {
        case 0 -> reconfigure();
        case 1, 2, 3 -> acquire(/* interrupted= */ random.nextInt(3) == 0);
        case 4, 5 -> tryAcquire();
        case 6, 7, 8 -> cancel();
        case 9, 10, 11, 12 -> pass(random.nextInt(150));
        case 13 -> pass(random.nextInt(10) == 0 ? Long.MAX_VALUE >> 16 : 1_000);
        default -> stage();
      }
    }

    private void pass(long nanos) {
      time.advance(Duration.ofNanos(nanos));
      model.advance(nanos);
    }

    private void reconfigure() {
      limiter.reconfigure(this::settings);
      model.reconfigure(limiter.config());
    }

    private void tryAcquire() {
      int permits = somePermits();
      boolean taken = model.waitFor(permits) <= 0;
      model.ask(step, permits, 0);
      assertThat(limiter.tryAcquire(permits)).as(this::where).isEqualTo(taken);
    }

    private void acquire(boolean interrupted) {
      int permits = somePermits();
      long wait = model.waitFor(permits);
      long patience = limiter.config().timeoutNanos;
      model.ask(step, permits, patience);
      boolean waits = wait > 0 && wait <= patience;
      if (waits && interrupted) {
        model.cancel(step);
      } else if (waits) {
        model.advance(wait);
        model.turns.removeIf(turn -> turn.startsWith(step + " "));
      }
      long waited = outcome(permits, interrupted);
      assertThat(waited)
          .as(this::where)
          .isEqualTo(waits && interrupted ? GIVEN_UP : wait > patience ? wait : 0);
    }

    /** Zero when permitted, else when it could be. */
    private long outcome(int permits, boolean interrupted) {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      try {
        limiter.acquire(permits);
        return 0;
      } catch (CancellationException interrupt) {
        return GIVEN_UP;
      } catch (RequestNotPermittedException refused) {
        return refused.retryAfter().orElseThrow().toNanos();
      } finally {
        assertThat(Thread.interrupted()).as(this::where).isEqualTo(interrupted);
      }
    }

    private void stage() {
      int id = step;
      boolean now = model.waitFor(limiter.config().permitsPerCall()) <= 0;
      model.ask(id, limiter.config().permitsPerCall(), limiter.config().timeoutNanos);
      stages.put(
          id,
          limiter.callAsync(
              () -> {
                if (!now) {
                  turns.add(id + " at " + time.elapsed().toNanos());
                }
                return new CompletableFuture<>();
              }));
    }

    /** Cancels any stage there ever was; most often one in line. */
    private void cancel() {
      List<NaiveBucket.Waiter> line = model.line;
      int id =
          line.isEmpty() || random.nextInt(5) == 0
              ? random.nextInt(step + 1)
              : line.get(random.nextInt(line.size())).id();
      model.cancel(id);
      CompletableFuture<Void> stage = stages.remove(id);
      if (stage != null) {
        stage.cancel(true);
      }
    }

    private int somePermits() {
      return 1 + random.nextInt(limiter.config().maxBurst());
    }
  }
}
