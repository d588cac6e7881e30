package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bulkhead does what a naive model of it does, over many random steps. */
final class BulkheadModelTest {
  private static final int STEPS = 20_000;
  private static final int QUEUE = 4;
  private static final Duration WAIT = Duration.ofMillis(10);

  private final FakeTime time = FakeTime.create();
  private final Bulkhead bulkhead =
      Bulkhead.create(
          "inventory",
          s ->
              s.maxConcurrentCalls(3)
                  .maxWaitDuration(WAIT)
                  .maxQueuedCalls(QUEUE)
                  .scheduler(time)
                  .executor(Runnable::run));

  /** One call, as the bulkhead sees it. */
  private final class Call {
    final CompletableFuture<String> stage = new CompletableFuture<>();
    final Duration latest = time.elapsed().plus(WAIT);
    boolean started;
    CompletableFuture<String> future = new CompletableFuture<>();

    void make() {
      future =
          bulkhead.callAsync(
              () -> {
                started = true;
                return stage;
              });
    }
  }

  // The model.
  private final List<Call> running = new ArrayList<>();
  private final List<Call> waiting = new ArrayList<>();
  private int limit = 3;
  private int admitted;
  private int rejected;
  private int cancelled;
  private int most;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void it_does_what_the_model_does(long seed) {
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> call();
        case 3, 4 -> end(random, /* byCancelling= */ false);
        case 5 -> end(random, /* byCancelling= */ true);
        case 6 -> giveUp(random);
        default -> passTimeOrResize(random);
      }
      assertSame();
    }
  }

  private void call() {
    Call call = new Call();
    if (running.size() >= limit && waiting.size() >= QUEUE) {
      rejected++;
    } else {
      waiting.add(call);
      serve();
    }
    call.make();
  }

  private void end(Random random, boolean byCancelling) {
    if (running.isEmpty()) {
      return;
    }
    Call call = running.remove(random.nextInt(running.size()));
    serve();
    if (byCancelling) {
      call.future.cancel(true);
    } else {
      call.stage.complete("stock");
    }
    assertThat(call.stage).isDone();
  }

  private void giveUp(Random random) {
    if (!waiting.isEmpty()) {
      cancelled++;
      Call call = waiting.remove(random.nextInt(waiting.size()));
      call.future.cancel(true);
      assertThat(call.started).isFalse();
    }
  }

  private void passTimeOrResize(Random random) {
    if (random.nextBoolean()) {
      time.advance(Duration.ofMillis(1));
      while (!waiting.isEmpty() && waiting.get(0).latest.compareTo(time.elapsed()) <= 0) {
        rejected++;
        assertThat(waiting.remove(0).future).isCompletedExceptionally();
      }
      return;
    }
    limit = 1 + random.nextInt(5);
    serve();
    bulkhead.reconfigure(s -> s.maxConcurrentCalls(limit));
  }

  private void serve() {
    while (running.size() < limit && !waiting.isEmpty()) {
      running.add(waiting.remove(0));
      admitted++;
      most = Math.max(most, running.size());
    }
  }

  private void assertSame() {
    assertThat(running).allMatch(call -> call.started && !call.future.isDone());
    assertThat(waiting).noneMatch(call -> call.started || call.future.isDone());
    assertThat(bulkhead.metrics())
        .isEqualTo(
            new BulkheadMetrics(
                admitted, rejected, cancelled, running.size(), waiting.size(), most, limit, null));
    assertThat(time.pendingTimers()).isEqualTo(waiting.size());
  }
}
