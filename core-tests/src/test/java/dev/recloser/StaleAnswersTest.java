package dev.recloser;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answer a fallback gives again: that of calls that ask the same, and not for ever. */
final class StaleAnswersTest {
  private static final int LIMIT_SECONDS = 30;
  private static final Duration TIME_TO_LIVE = Duration.ofMinutes(5);

  private final FakeTime time = FakeTime.create();
  private final IOException down = new IOException("down");
  private final Pipeline<Object> pipeline = pipeline(time, 3);

  /** How the call is made. */
  private enum Way {
    PLAIN {
      @Override
      void succeed(Pipeline<Object> calls, Object value) {
        assertThat(calls.call(() -> value)).isSameAs(value);
      }

      @Override
      Object answerTo(Pipeline<Object> calls) {
        return calls.call(StaleAnswersTest::fail);
      }
    },
    STAGE {
      @Override
      void succeed(Pipeline<Object> calls, Object value) {
        assertThat(calls.callAsync(() -> CompletableFuture.completedFuture(value)))
            .isCompletedWithValue(value);
      }

      @Override
      Object answerTo(Pipeline<Object> calls) {
        return calls
            .callAsync(() -> CompletableFuture.failedFuture(new IllegalStateException("down")))
            .join();
      }
    };

    abstract void succeed(Pipeline<Object> calls, Object value);

    /** What a call gets that fails. */
    abstract Object answerTo(Pipeline<Object> calls);
  }

  private static Object fail() {
    throw new IllegalStateException("down");
  }

  private static Pipeline<Object> pipeline(FakeTime time, int maxEntries) {
    return Pipeline.create(
        "orders",
        p ->
            p.fallback(
                Fallback.of(
                    f ->
                        f.ticker(time)
                            .stale(TIME_TO_LIVE, maxEntries)
                            .onException(IllegalStateException.class, e -> "none"))));
  }

  private static List<PolicyEvent> complaintsOf(Pipeline<?> pipeline) {
    List<PolicyEvent> events = new ArrayList<>();
    Cancellable unused =
        pipeline.policies().get(0).on(PolicyEvent.UserCodeFailed.class, events::add);
    return events;
  }

  @ParameterizedTest
  @EnumSource
  void a_key_gets_its_own_answer_and_no_other(Way way) {
    way.succeed(pipeline.keyed("a"), 1);
    way.succeed(pipeline.keyed("b"), 2);

    assertThat(way.answerTo(pipeline.keyed("a"))).isEqualTo(1);
    assertThat(way.answerTo(pipeline.keyed("b"))).isEqualTo(2);
    assertThat(way.answerTo(pipeline.keyed("c"))).isEqualTo("none");
    assertThat(way.answerTo(pipeline)).isEqualTo("none");

    way.succeed(pipeline, 3);
    assertThat(way.answerTo(pipeline)).isEqualTo(3);
    assertThat(way.answerTo(pipeline.keyed("c"))).isEqualTo("none");
  }

  @ParameterizedTest
  @EnumSource
  void keys_are_told_apart_where_their_hash_codes_are_not(Way way) {
    assertThat("Aa").hasSameHashCodeAs("BB");
    way.succeed(pipeline.keyed("Aa"), 1);
    way.succeed(pipeline.keyed("BB"), 2);
    way.succeed(pipeline.keyed("BB"), 3);

    assertThat(way.answerTo(pipeline.keyed("Aa"))).isEqualTo(1);
    assertThat(way.answerTo(pipeline.keyed("BB"))).isEqualTo(3);
  }

  @Test
  void a_pipeline_with_a_key_is_the_same_pipeline() {
    Pipeline<Object> keyed = pipeline.keyed("a").keyed("b");
    Way.PLAIN.succeed(keyed, 1);

    assertThat(keyed.name()).isEqualTo("orders");
    assertThat(keyed.describe()).isEqualTo(pipeline.describe());
    assertThat(keyed.explain()).isEqualTo(pipeline.explain());
    assertThat(keyed.policies()).isEqualTo(pipeline.policies());
    assertThat(keyed.fallbackMetrics()).isEqualTo(pipeline.fallbackMetrics());
    assertThat(pipeline.fallbackMetrics().get(0).live()).isEqualTo(1);
    assertThat(Way.PLAIN.answerTo(pipeline.keyed("b"))).isEqualTo(1);
    assertThat(Way.PLAIN.answerTo(pipeline.keyed("a"))).isEqualTo("none");
  }

  @ParameterizedTest
  @EnumSource
  void one_key_too_many_costs_the_answer_that_was_not_renewed_for_longest(Way way) {
    way.succeed(pipeline.keyed("a"), 1);
    way.succeed(pipeline.keyed("b"), 2);
    way.succeed(pipeline.keyed("c"), 3);
    way.succeed(pipeline.keyed("a"), 4);
    way.succeed(pipeline.keyed("d"), 5);

    assertThat(way.answerTo(pipeline.keyed("b"))).isEqualTo("none");
    assertThat(way.answerTo(pipeline.keyed("c"))).isEqualTo(3);
    assertThat(way.answerTo(pipeline.keyed("a"))).isEqualTo(4);
    assertThat(way.answerTo(pipeline.keyed("d"))).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1_000_000_000})
  void what_is_too_old_is_neither_given_nor_kept(long origin) {
    FakeTime clock = FakeTime.startingAt(origin);
    Pipeline<Object> calls = pipeline(clock, 3);
    Way.PLAIN.succeed(calls, 0);
    Way.PLAIN.succeed(calls.keyed("a"), 1);
    Way.PLAIN.succeed(calls.keyed("b"), 2);
    clock.advance(TIME_TO_LIVE);
    assertThat(Way.PLAIN.answerTo(calls.keyed("a"))).isEqualTo(1);
    assertThat(calls.explain()).contains("; 3 good answers at hand");

    clock.advance(Duration.ofNanos(1));
    assertThat(Way.PLAIN.answerTo(calls.keyed("a"))).isEqualTo("none");
    assertThat(calls.explain()).contains("; 1 good answer at hand");
    assertThat(Way.PLAIN.answerTo(calls)).isEqualTo("none");
    assertThat(calls.explain()).contains("; 0 good answers at hand");
  }

  @Test
  void what_is_too_old_makes_room_without_being_asked_for() {
    Way.PLAIN.succeed(pipeline.keyed("a"), 1);
    time.advance(TIME_TO_LIVE.plusNanos(1));
    Way.PLAIN.succeed(pipeline.keyed("b"), 2);

    assertThat(pipeline.explain()).contains("; 1 good answer at hand");
  }

  @Test
  void rules_with_times_of_their_own_share_what_is_kept() throws IOException {
    Pipeline<Object> calls =
        Pipeline.create(
            "orders",
            p ->
                p.fallback(
                    Fallback.of(
                        f ->
                            f.ticker(time)
                                .onException(IOException.class)
                                .stale(Duration.ofMinutes(1), 1)
                                .onException(IllegalStateException.class)
                                .stale(Duration.ofHours(1), 2))));
    Way.PLAIN.succeed(calls.keyed("a"), 1);
    Way.PLAIN.succeed(calls.keyed("b"), 2);
    time.advance(Duration.ofMinutes(2));

    assertThatThrownBy(
            () ->
                calls
                    .keyed("a")
                    .call(
                        () -> {
                          throw down;
                        }))
        .isSameAs(down);
    assertThat(Way.PLAIN.answerTo(calls.keyed("a"))).isEqualTo(1);
  }

  /** What goes wrong with a key. */
  private record Hostile(String name, boolean hash, boolean equals) {
    @Override
    public int hashCode() {
      if (hash) {
        throw new StackOverflowError();
      }
      return 7;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (equals) {
        throw new IllegalStateException("equals");
      }
      return other instanceof Hostile that && name.equals(that.name);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_key_that_throws_costs_the_stale_answer_and_nothing_else(Way way) {
    List<PolicyEvent> complaints = complaintsOf(pipeline);
    Pipeline<Object> noHash = pipeline.keyed(new Hostile("a", true, false));
    way.succeed(noHash, 1);
    assertThat(way.answerTo(noHash)).isEqualTo("none");
    assertThat(complaints)
        .hasSize(2)
        .allMatch(
            told -> told.toString().contains("setting=stale, thrown=java.lang.StackOverflow"));

    Pipeline<Object> good = pipeline.keyed(new Hostile("good", false, false));
    Pipeline<Object> noEquals = pipeline.keyed(new Hostile("b", false, true));
    way.succeed(good, 2);
    way.succeed(noEquals, 3);
    assertThat(way.answerTo(noEquals)).isEqualTo("none");
    assertThat(way.answerTo(good)).isEqualTo(2);
    assertThat(complaints).hasSize(4);
    assertThat(pipeline.fallbackMetrics()).containsExactly(new FallbackMetrics(3, 2, 1, 0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void a_key_that_changes_during_its_call_is_not_found_for_what_it_has_become(Way way) {
    List<String> key = new ArrayList<>(List.of("a"));
    if (way == Way.PLAIN) {
      pipeline
          .keyed(key)
          .call(
              () -> {
                key.set(0, "b");
                return "answer to a";
              });
    } else {
      CompletableFuture<Object> call = new CompletableFuture<>();
      var unused = pipeline.keyed(key).callAsync(() -> call);
      key.set(0, "b");
      call.complete("answer to a");
    }

    assertThat(way.answerTo(pipeline.keyed(List.of("b")))).isEqualTo("none");
  }

  @Test
  void another_call_has_the_key_of_the_failed_one() {
    Pipeline<Object> backup = pipeline(time, 3);
    Way.PLAIN.succeed(backup.keyed("a"), "backup of a");
    Way.STAGE.succeed(backup.keyed("b"), "backup of b");
    Pipeline<Object> calls =
        Pipeline.create(
            "orders",
            p ->
                p.fallback(
                    f ->
                        f.otherCall(backup, StaleAnswersTest::fail)
                            .otherCallAsync(backup, () -> CompletableFuture.failedFuture(down))));

    assertThat(Way.PLAIN.answerTo(calls.keyed("a"))).isEqualTo("backup of a");
    assertThat(Way.STAGE.answerTo(calls.keyed("b"))).isEqualTo("backup of b");
  }

  /** A dependency with more than one method. */
  interface Inventory {
    int stock(String sku);

    int price(String sku);

    int total(int[] counts);

    CompletionStage<Integer> stockLater(String sku);

    void reserve(String sku);

    CompletionStage<Void> reserveLater(String sku);
  }

  /** One that can be down, and whose answers count up, so that no two are the same. */
  private static final class Shelf implements Inventory {
    private int answers;
    boolean isDown;

    private int answer() {
      if (isDown) {
        throw new IllegalArgumentException("down");
      }
      return ++answers;
    }

    @Override
    public int stock(String sku) {
      return answer();
    }

    @Override
    public int price(String sku) {
      return answer();
    }

    @Override
    public int total(int[] counts) {
      int answer = answer();
      if (counts.length == 2) {
        counts[0]++; // As a method that fills its argument does.
      }
      return answer;
    }

    @Override
    public CompletionStage<Integer> stockLater(String sku) {
      return CompletableFuture.completedFuture(answer());
    }

    @Override
    public void reserve(String sku) {
      answer();
    }

    @Override
    public CompletionStage<Void> reserveLater(String sku) {
      answer();
      return CompletableFuture.completedFuture(null);
    }
  }

  private final Pipeline<Object> roomy = pipeline(time, 100);
  private final Shelf shelf = new Shelf();
  private final Inventory guarded = roomy.wrap(Inventory.class, shelf);

  @Test
  void a_wrapped_method_gets_its_own_answer_to_the_same_arguments() {
    assertThat(guarded.stock("a")).isEqualTo(1);
    assertThat(guarded.price("a")).isEqualTo(2);
    assertThat(guarded.stock("b")).isEqualTo(3);
    assertThat(guarded.stockLater("a").toCompletableFuture().join()).isEqualTo(4);
    shelf.isDown = true;

    assertThat(guarded.stock("a")).isEqualTo(1);
    assertThat(guarded.price("a")).isEqualTo(2);
    assertThat(guarded.stock("b")).isEqualTo(3);
    assertThat(guarded.stockLater("a").toCompletableFuture().join()).isEqualTo(4);
    assertThatThrownBy(() -> guarded.price("b")).hasMessage("down");
    assertThatThrownBy(() -> guarded.stockLater("b").toCompletableFuture().join())
        .hasRootCauseMessage("down");
  }

  @Test
  void arrays_are_the_arguments_that_their_elements_are() {
    int[] changed = {2, 2};
    assertThat(guarded.total(new int[] {1, 1, 1})).isEqualTo(1);
    assertThat(guarded.total(changed)).isEqualTo(2);
    shelf.isDown = true;

    assertThat(changed).containsExactly(3, 2);
    assertThat(guarded.total(new int[] {1, 1, 1})).isEqualTo(1);
    assertThatThrownBy(() -> guarded.total(new int[] {3, 2})).hasMessage("down");
    assertThatThrownBy(() -> guarded.total(new int[] {7})).hasMessage("down");
  }

  @Test
  void a_command_that_fails_is_not_answered_with_the_success_of_another() {
    guarded.reserve("a");
    guarded.reserveLater("a").toCompletableFuture().join();
    shelf.isDown = true;

    assertThatThrownBy(() -> guarded.reserve("a")).hasMessage("down");
    assertThatThrownBy(() -> guarded.reserveLater("a").toCompletableFuture().join())
        .hasRootCauseMessage("down");
  }

  @Test
  void a_call_without_a_result_neither_keeps_an_answer_nor_gets_one() throws IOException {
    Pipeline<Object> calls =
        Pipeline.create("orders", p -> p.fallback(f -> f.stale(TIME_TO_LIVE).ticker(time)));
    IOException down = new IOException("down");

    for (Pipeline<Object> one : List.of(calls, calls.keyed("apple"))) {
      assertThat(one.<IOException>call(() -> "3 left")).isEqualTo("3 left");
      one.run(() -> {});

      assertThatThrownBy(
              () ->
                  one.run(
                      () -> {
                        throw down;
                      }))
          .isSameAs(down);
      assertThat(
              one.call(
                  () -> {
                    throw down;
                  }))
          .isEqualTo("3 left");
    }
  }

  @Test
  void objects_wrapped_by_one_pipeline_do_not_answer_for_each_other() {
    Shelf other = new Shelf();
    Inventory otherGuarded = roomy.wrap(Inventory.class, other);
    guarded.stock("a");
    shelf.isDown = true;
    other.isDown = true;

    assertThatThrownBy(() -> otherGuarded.stock("a")).hasMessage("down");
    assertThat(roomy.wrap(Inventory.class, shelf).stock("a")).isEqualTo(1);
  }

  @Test
  void wrappers_with_keys_do_not_answer_for_each_other() {
    Inventory mine = roomy.keyed("me").wrap(Inventory.class, shelf);
    assertThat(mine.stock("a")).isEqualTo(1);
    assertThat(guarded.stock("a")).isEqualTo(2);
    shelf.isDown = true;

    assertThat(mine.stock("a")).isEqualTo(1);
    assertThat(roomy.keyed("me").wrap(Inventory.class, shelf).stock("a")).isEqualTo(1);
    assertThat(guarded.stock("a")).isEqualTo(2);
    assertThatThrownBy(() -> roomy.keyed("you").wrap(Inventory.class, shelf).stock("a"))
        .hasMessage("down");
  }

  /** The whole of what is kept, as plainly as it can be said. */
  private static final class NaiveAnswers {
    private record Kept(int value, Duration at) {}

    private final Map<Object, Kept> kept = new LinkedHashMap<>();
    private final int maxEntries;

    NaiveAnswers(int maxEntries) {
      this.maxEntries = maxEntries;
    }

    void keep(Object key, int value, Duration now) {
      kept.remove(key);
      kept.put(key, new Kept(value, now));
      forgetOld(now);
      if (kept.size() > maxEntries) {
        kept.remove(kept.keySet().iterator().next());
      }
    }

    Object find(Object key, Duration now) {
      Kept found = kept.get(key);
      if (found == null) {
        return "none";
      }
      if (now.minus(found.at).compareTo(TIME_TO_LIVE) <= 0) {
        return found.value;
      }
      forgetOld(now);
      return "none";
    }

    private void forgetOld(Duration now) {
      kept.values().removeIf(each -> now.minus(each.at).compareTo(TIME_TO_LIVE) > 0);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62})
  void it_keeps_what_a_naive_model_keeps(long origin) {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      FakeTime clock = FakeTime.startingAt(origin);
      int maxEntries = 1 + random.nextInt(6);
      Pipeline<Object> calls = pipeline(clock, maxEntries);
      NaiveAnswers model = new NaiveAnswers(maxEntries);
      for (int step = 0; step < 300; step++) {
        Hostile key = new Hostile("key " + random.nextInt(8), false, false);
        switch (random.nextInt(4)) {
          case 0 -> clock.advance(Duration.ofSeconds(random.nextInt(120)));
          case 1 -> {
            Way.PLAIN.succeed(calls.keyed(key), step);
            model.keep(key, step, clock.elapsed());
          }
          default ->
              assertThat(Way.PLAIN.answerTo(calls.keyed(key)))
                  .as("seed %d, step %d", seed, step)
                  .isEqualTo(model.find(key, clock.elapsed()));
        }
        assertThat(calls.explain())
            .as("seed %d, step %d", seed, step)
            .contains("; " + Text.count(model.kept.size(), "good answer") + " at hand");
      }
    }
  }

  /** A key whose equals waits, as one that loads itself from somewhere might. */
  private static final class Slow {
    final CountDownLatch asked = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);

    @Override
    public int hashCode() {
      return 7;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      asked.countDown();
      return await(go) && other == this;
    }
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(LIMIT_SECONDS, SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_key_that_takes_its_time_holds_up_nobody_else() throws InterruptedException {
    Slow slow = new Slow();
    Way.PLAIN.succeed(pipeline.keyed(new Hostile("same hash code", false, false)), 1);
    Thread waiting = new Thread(() -> Way.PLAIN.succeed(pipeline.keyed(slow), 2));
    waiting.setDaemon(true);
    waiting.start();
    assertThat(await(slow.asked)).isTrue();

    CompletableFuture<Object> others =
        CompletableFuture.supplyAsync(
            () -> {
              Way.PLAIN.succeed(pipeline.keyed("another"), 3);
              return Way.PLAIN.answerTo(pipeline.keyed("another"));
            });

    assertThat(others).succeedsWithin(Duration.ofSeconds(LIMIT_SECONDS)).isEqualTo(3);
    slow.go.countDown();
    waiting.join(SECONDS.toMillis(LIMIT_SECONDS));
    assertThat(pipeline.explain()).contains("; 3 good answers at hand");
  }

  @Test
  void threads_that_share_it_get_answers_of_their_keys_and_keep_no_more_than_they_may()
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    List<Object> wrong = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Random random = new Random(i);
      threads.add(new Thread(() -> callAtRandom(random, wrong)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join(SECONDS.toMillis(LIMIT_SECONDS));
      assertThat(thread.isAlive()).isFalse();
    }

    assertThat(wrong).isEmpty();
    assertThat(pipeline.explain()).contains("; 3 good answers at hand");
  }

  private void callAtRandom(Random random, List<Object> wrong) {
    for (int call = 0; call < 5_000; call++) {
      String key = "key " + random.nextInt(6);
      if (random.nextBoolean()) {
        Way.PLAIN.succeed(pipeline.keyed(key), key);
        continue;
      }
      Object answer = Way.PLAIN.answerTo(pipeline.keyed(key));
      if (!answer.equals(key) && !answer.equals("none")) {
        synchronized (wrong) {
          wrong.add(answer);
        }
      }
    }
  }
}
