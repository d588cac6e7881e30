package dev.recloser.config;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Cancellable;
import dev.recloser.Policy;
import dev.recloser.Timeout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Policies come while somebody begins to follow, as close together as threads get. */
final class FollowedPoliciesTest {
  private static final int ROUNDS = 1_000;
  private static final int EACH = 20;

  @Test
  void each_follower_meets_each_policy_once_whichever_comes_first() throws Exception {
    List<Policy> policies =
        IntStream.range(0, EACH)
            .<Policy>mapToObj(i -> Timeout.create("inventory-" + i, config -> {}))
            .toList();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    for (int round = 0; round < ROUNDS; round++) {
      AtomicInteger arrived = new AtomicInteger();
      FollowedPolicies followed = new FollowedPolicies();
      List<Counts> followers = new ArrayList<>();
      Future<?> coming =
          threads.submit(
              () -> {
                awaitBoth(arrived);
                policies.forEach(policy -> followed.add(List.of(policy)));
                return null;
              });
      Future<?> following =
          threads.submit(
              () -> {
                awaitBoth(arrived);
                for (int i = 0; i < EACH; i++) {
                  Counts counts = new Counts();
                  followers.add(counts);
                  counts.end = followed.follow(counts::begin);
                }
                return null;
              });
      coming.get(30, SECONDS);
      following.get(30, SECONDS);

      assertThat(followers).hasSize(EACH).allMatch(counts -> counts.areAt(1, 0));
      followers.forEach(counts -> counts.end.cancel());
      followers.forEach(counts -> counts.end.cancel());
      assertThat(followers).allMatch(counts -> counts.areAt(1, 1));
    }
    threads.shutdown();
  }

  /** Whoever ends while policies come ends all that has begun. */
  @Test
  void what_begins_while_all_ends_is_ended_too() throws Exception {
    Policy policy = Timeout.create("inventory", config -> {});
    ExecutorService threads = Executors.newFixedThreadPool(2);
    for (int round = 0; round < ROUNDS; round++) {
      AtomicInteger arrived = new AtomicInteger();
      FollowedPolicies followed = new FollowedPolicies();
      Counts counts = new Counts();
      counts.end = followed.follow(counts::begin);
      Future<?> coming =
          threads.submit(
              () -> {
                awaitBoth(arrived);
                followed.add(List.of(policy));
                return null;
              });
      Future<?> ending =
          threads.submit(
              () -> {
                awaitBoth(arrived);
                counts.end.cancel();
                return null;
              });
      coming.get(30, SECONDS);
      ending.get(30, SECONDS);

      assertThat(counts.ended).hasValue(counts.begun.get());
    }
    threads.shutdown();
  }

  /** By spinning: a thread that has to be woken comes when the other is through. */
  private static void awaitBoth(AtomicInteger arrived) {
    arrived.incrementAndGet();
    while (arrived.get() < 2) {
      Thread.onSpinWait();
    }
  }

  private static final class Counts {
    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    Cancellable end = () -> {};

    Cancellable begin(Policy policy) {
      begun.incrementAndGet();
      return ended::incrementAndGet;
    }

    /** Whether each policy has begun and ended so many times. */
    boolean areAt(int beginnings, int endings) {
      return begun.get() == beginnings * EACH && ended.get() == endings * EACH;
    }
  }
}
