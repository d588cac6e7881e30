package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The line at a rate limiter whose limits change while threads oversleep and timers are late, which
 * a fake scheduler that keeps its times never shows.
 */
final class LimitsChangedTest {
  private static final int SEEDS = 4_000;
  private static final int STEPS = 60;

  @Test
  void whoever_loses_a_place_in_line_is_told() {
    int lost = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Run run = new Run(seed);
      run.run();
      lost += run.told.size();
    }
    assertThat(lost).as("places lost by changes").isGreaterThan(1_000);
  }

  /** One bucket, and all who have ever stood in line at it. */
  private static final class Run {
    final Set<Reservation> told = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Reservation> places = new ArrayList<>();
    private final int seed;
    private final Random random;
    private final RateLimiter limiter;
    private final TokenBucket bucket;
    private long now;

    Run(int seed) {
      this.seed = seed;
      random = new Random(seed);
      FakeTime time = FakeTime.startingAt(random.nextLong());
      now = time.nanoTime();
      RateLimiterConfig config =
          RateLimiterConfig.of(
              s ->
                  s.limitForPeriod(10)
                      .limitRefreshPeriod(Duration.ofNanos(1_000))
                      .maxBurst(1 + random.nextInt(5))
                      .ticker(time)
                      .scheduler(time));
      limiter = RateLimiter.create("inventory", config);
      bucket = new TokenBucket(config, now);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(7)) {
          case 0, 1 -> ask();
          case 2 -> now += random.nextInt(300);
          case 3 -> bucket.takeDue(now);
          case 4 -> wake();
          case 5 -> giveUp();
          default -> change();
        }
        for (Reservation place : places) {
          assertThat(place.state == Reservation.State.REFUSED)
              .as("seed %d, step %d: refused", seed, step)
              .isEqualTo(told.contains(place));
        }
      }
    }

    private void ask() {
      int permits = 1 + random.nextInt(bucket.config().maxBurst());
      LimitedStage<String> stage =
          random.nextBoolean()
              ? new LimitedStage<>(
                  limiter,
                  permits,
                  Invocation.ofAsync(limiter.alone(), null, CompletableFuture<String>::new),
                  1,
                  Runnable::run)
              : null;
      Reservation place = bucket.ask(permits, now, random.nextInt(1_200), stage).place();
      if (place != null) {
        places.add(place);
      }
    }

    /** A thread that has slept as long as it was told to, or longer. */
    private void wake() {
      Reservation place = any();
      if (place != null && place.sleepsUntil != null && place.sleepsUntil.reached() - now <= 0) {
        bucket.remaining(place, now);
      }
    }

    private void giveUp() {
      Reservation place = any();
      if (place != null && !told.contains(place) && random.nextInt(3) == 0) {
        bucket.giveUp(place);
      }
    }

    private void change() {
      RateLimiterConfig before = bucket.config();
      RateLimiterConfig after =
          before.with(
              s -> s.limitForPeriod(1 + random.nextInt(30)).maxBurst(1 + random.nextInt(5)));
      if (random.nextInt(3) == 0) {
        told.addAll(bucket.change(before, after, now));
      }
    }

    private Reservation any() {
      return places.isEmpty() ? null : places.get(random.nextInt(places.size()));
    }
  }
}
