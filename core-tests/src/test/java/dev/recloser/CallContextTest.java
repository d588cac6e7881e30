package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.spi.CallContext;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What belongs to the caller's thread is there wherever its call goes on. */
class CallContextTest {
  private static final ThreadLocal<String> USER = new ThreadLocal<>();

  private final FakeTime time = FakeTime.create();
  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void the_threads_are_as_they_were() throws Exception {
    USER.remove();
    String ofThePool = pool.submit(() -> String.valueOf(USER.get())).get(10, TimeUnit.SECONDS);
    assertThat(ofThePool).isEqualTo("null");
    pool.shutdownNow();
  }

  private String look() {
    seen.add(Thread.currentThread().getName().equals("main") ? "main" : "other");
    return String.valueOf(USER.get());
  }

  @Test
  void it_goes_with_a_plain_call_to_the_thread_of_an_executor() {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders", p -> p.context(CallContext.of(USER)).timeout(s -> s.executor(pool)));
    USER.set("ann");

    assertThat(pipeline.call(this::look)).isEqualTo("ann");
    USER.set("bob");
    assertThat(pipeline.call(this::look)).isEqualTo("bob");

    assertThat(seen).containsExactly("other", "other");
    assertThat(USER.get()).isEqualTo("bob");
  }

  @Test
  void it_is_there_in_the_fallback_of_a_stage_that_failed_on_another_thread() throws Exception {
    Pipeline<String> backup = Pipeline.create("backup", p -> {});
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.context(CallContext.of(USER))
                    .fallback(
                        f ->
                            f.onException(IllegalStateException.class, e -> "for " + USER.get())
                                .otherCallAsync(
                                    backup,
                                    () -> CompletableFuture.completedFuture("of " + USER.get()))));
    CompletableFuture<String> one = new CompletableFuture<>();
    CompletableFuture<String> other = new CompletableFuture<>();
    USER.set("ann");
    CompletableFuture<String> answer = pipeline.keyed("sku").callAsync(() -> one);
    CompletableFuture<String> otherAnswer = pipeline.callAsync(() -> other);
    USER.set("bob");

    pool.submit(() -> one.completeExceptionally(new IllegalStateException()))
        .get(10, TimeUnit.SECONDS);
    pool.submit(() -> other.completeExceptionally(new IOException())).get(10, TimeUnit.SECONDS);

    assertThat(answer).isCompletedWithValue("for ann");
    assertThat(otherAnswer).isCompletedWithValue("of ann");
  }

  @Test
  void it_is_there_at_every_attempt_of_a_stage_and_in_the_fallback() throws Exception {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.context(CallContext.of(USER))
                    .fallback(f -> f.onFailure(failure -> "fallback for " + USER.get()))
                    .retry(
                        s ->
                            s.maxAttempts(3)
                                .ticker(time)
                                .scheduler(time)
                                .executor(pool)
                                .retryOnException(
                                    failure -> {
                                      seen.add("asked for " + USER.get());
                                      return true;
                                    })));
    USER.set("ann");
    List<CompletableFuture<String>> stages = Collections.synchronizedList(new ArrayList<>());

    CompletableFuture<String> later =
        pipeline.callAsync(
            () -> {
              seen.add("attempt for " + USER.get());
              CompletableFuture<String> stage = new CompletableFuture<>();
              stages.add(stage);
              return stage;
            });
    USER.set("bob");
    for (int attempt = 1; attempt <= 3; attempt++) {
      CompletableFuture<String> stage = stages.get(attempt - 1);
      pool.submit(() -> stage.completeExceptionally(new IOException("down")))
          .get(10, TimeUnit.SECONDS);
      time.advance(Duration.ofMinutes(1));
      pool.submit(() -> {}).get(10, TimeUnit.SECONDS);
    }

    assertThat(later.get(10, TimeUnit.SECONDS)).isEqualTo("fallback for ann");
    assertThat(seen)
        .containsExactly(
            "attempt for ann",
            "asked for ann",
            "attempt for ann",
            "asked for ann",
            "attempt for ann",
            "asked for ann");
  }

  @Test
  void it_goes_with_stages_that_waited_for_a_slot_or_a_permit() {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.context(CallContext.of(USER))
                    .bulkhead(
                        s ->
                            s.maxConcurrentCalls(1)
                                .maxWaitDuration(Duration.ofMinutes(1))
                                .scheduler(time)
                                .executor(pool))
                    .rateLimiter(
                        s -> s.limitForPeriod(1).ticker(time).scheduler(time).executor(pool)));
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> running = pipeline.callAsync(() -> first);
    USER.set("ann");
    CompletableFuture<String> waiting =
        pipeline.callAsync(() -> CompletableFuture.completedFuture(look()));
    USER.set("bob");

    first.complete("first");
    assertThat(running.join()).isEqualTo("first");
    while (!waiting.isDone()) {
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(waiting.join()).isEqualTo("ann");
    assertThat(seen).containsExactly("other");
  }

  @Test
  void one_that_throws_or_does_nothing_does_not_touch_the_call() {
    AtomicInteger calls = new AtomicInteger();
    CallContext throwsAtOnce =
        () -> {
          throw new IllegalStateException("no context");
        };
    CallContext throwsLater =
        () ->
            task -> {
              throw new IllegalStateException("no context");
            };
    CallContext throwsAfterwards =
        () ->
            task -> {
              task.run();
              throw new IllegalStateException("too late");
            };
    CallContext idle = () -> task -> {};
    CallContext eager =
        () ->
            task -> {
              task.run();
              task.run();
            };
    CallContext none = () -> null;
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.context(throwsAtOnce)
                    .context(throwsLater)
                    .context(throwsAfterwards)
                    .context(idle)
                    .context(eager)
                    .context(none)
                    .context(CallContext.of(USER))
                    .timeout(s -> s.executor(pool)));
    USER.set("ann");

    assertThat(
            pipeline.call(
                () -> {
                  calls.incrementAndGet();
                  return look();
                }))
        .isEqualTo("ann");
    assertThat(calls).hasValue(1);
  }

  /** Found as a service by another copy of the library. */
  public static final class Installed implements CallContext {
    @Override
    public Snapshot capture() {
      return Runnable::run;
    }
  }

  @Test
  void services_are_found_whichever_thread_makes_the_first_call(@TempDir Path folder)
      throws Exception {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(CallContext.class.getName()), Installed.class.getName());
    URL[] application = {place(CallContext.class), place(Installed.class), folder.toUri().toURL()};
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader copy =
        new URLClassLoader(application, ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(ClassLoader.getPlatformClassLoader()); // As a pool's may be.
      Class<?> type = Class.forName(Contexts.class.getName(), true, copy);
      Method installed = type.getDeclaredMethod("installed");
      Method capture = type.getDeclaredMethod("capture");
      installed.setAccessible(true);
      capture.setAccessible(true);

      assertThat((Object[]) capture.invoke(installed.invoke(null))).hasSize(1);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static URL place(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
