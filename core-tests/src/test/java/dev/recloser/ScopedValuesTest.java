package dev.recloser;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a caller's thread is bound to is bound on every other thread that goes on with its call. */
final class ScopedValuesTest {
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final Thread caller = Thread.currentThread();
  private final FakeTime time = FakeTime.create();
  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  @TempDir private Path classes;
  private UserContexts users;

  @BeforeEach
  void compile() throws Exception {
    users = UserContexts.compile(classes);
  }

  @AfterEach
  void nobody_is_bound_any_more() throws Exception {
    assertThat(users.current().get()).isEqualTo("nobody");
    assertThat(pool.submit(users.current()::get).get(30, SECONDS)).isEqualTo("nobody");
    pool.shutdown();
    assertThat(pool.awaitTermination(30, SECONDS)).isTrue();
    assertThat(time.pendingTimers()).isZero();
  }

  private void look(String where) {
    seen.add(where + " for " + users.current().get() + (isElsewhere() ? " elsewhere" : ""));
  }

  private boolean isElsewhere() {
    return Thread.currentThread() != caller;
  }

  private String answer(String where) {
    look(where);
    return users.current().get();
  }

  private String fail() throws IOException {
    look("attempt");
    throw new IOException("down");
  }

  @Test
  void a_plain_call_is_attempted_for_its_caller_on_the_threads_of_an_executor() {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            policies ->
                policies
                    .context(users.context())
                    .fallback(rules -> rules.onFailure(thrown -> answer("fallback")))
                    .retry(s -> s.maxAttempts(2).waitDuration(WAIT).ticker(time).scheduler(time))
                    .timeout(s -> s.executor(pool).ticker(time).scheduler(time)));
    List<String> answers = new ArrayList<>();

    users.as().accept("ann", () -> answers.add(call(pipeline)));
    users.as().accept("bob", () -> answers.add(call(pipeline)));

    assertThat(answers).containsExactly("ann", "bob");
    assertThat(seen)
        .containsExactly(
            "attempt for ann elsewhere",
            "attempt for ann elsewhere",
            "fallback for ann",
            "attempt for bob elsewhere",
            "attempt for bob elsewhere",
            "fallback for bob");
  }

  private String call(Pipeline<String> pipeline) {
    try {
      return pipeline.call(this::fail);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_call_that_nobody_made_is_nobodys_there_too() {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            policies ->
                policies
                    .context(users.context())
                    .timeout(s -> s.executor(pool).ticker(time).scheduler(time)));

    assertThat(pipeline.call(() -> answer("call"))).isEqualTo("nobody");
    assertThat(seen).containsExactly("call for nobody elsewhere");
  }

  /** All but the first attempt, and the fallback, begin on the thread of the executor. */
  @Test
  void a_stage_is_attempted_and_answered_for_its_caller_wherever_it_goes_on() throws Exception {
    BlockingQueue<CompletableFuture<String>> attempts = new LinkedBlockingQueue<>();
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            policies ->
                policies
                    .context(users.context())
                    .fallback(rules -> rules.onFailure(thrown -> answer("fallback")))
                    .retry(
                        s ->
                            s.maxAttempts(3)
                                .waitDuration(WAIT)
                                .ticker(time)
                                .scheduler(time)
                                .executor(pool))
                    .timeout(
                        s -> s.timeoutDuration(WAIT.multipliedBy(9)).ticker(time).scheduler(time)));
    List<CompletableFuture<String>> answers = new ArrayList<>();

    users
        .as()
        .accept(
            "ann",
            () ->
                answers.add(
                    pipeline.callAsync(
                        () -> {
                          look("attempt");
                          CompletableFuture<String> attempt = new CompletableFuture<>();
                          attempts.add(attempt);
                          return attempt;
                        })));
    for (int attempt = 1; attempt <= 3; attempt++) {
      CompletableFuture<String> running = attempts.poll(30, SECONDS);
      pool.submit(() -> running.completeExceptionally(new IOException("down"))).get(30, SECONDS);
      time.advance(WAIT.multipliedBy(4));
    }

    assertThat(answers.get(0).get(30, SECONDS)).isEqualTo("ann");
    assertThat(seen)
        .containsExactly(
            "attempt for ann",
            "attempt for ann elsewhere",
            "attempt for ann elsewhere",
            "fallback for ann elsewhere");
  }
}
