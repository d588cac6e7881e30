package dev.recloser.microprofile;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.Pipeline;
import dev.recloser.Policies;
import dev.recloser.RetryEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** No call outlives its application, on whichever thread it is; and those of named pipelines. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class EndOfApplicationTest {
  private static final long LIMIT = 20;

  @ApplicationScoped
  static class Inventory {
    private final AtomicInteger calls = new AtomicInteger();

    @Retry(maxRetries = 5, delay = 600_000, maxDuration = 0, jitter = 0)
    String retried() throws IOException {
      throw new IOException("down " + calls.incrementAndGet());
    }

    @Timeout(600_000)
    String slow(CountDownLatch running) throws InterruptedException {
      running.countDown();
      new CountDownLatch(1).await();
      return "stock";
    }

    @Bulkhead(1)
    String single(CountDownLatch running, CountDownLatch leave) throws InterruptedException {
      running.countDown();
      leave.await();
      return "stock";
    }
  }

  @RequestScoped
  static class Request {
    String user() {
      return "anybody";
    }
  }

  static class Pipelines {
    @Produces
    @Singleton
    @Named("stages")
    static Pipeline<Object> stages() {
      return Pipeline.create("stages", calls -> calls.retry(config -> config.maxAttempts(2)));
    }
  }

  @ApplicationScoped
  @Guarded("stages")
  static class Stages {
    @Inject Request request;
    final AtomicInteger calls = new AtomicInteger();

    public CompletionStage<String> later() {
      if (calls.incrementAndGet() == 1) {
        return CompletableFuture.failedFuture(new IOException("down"));
      }
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      return CompletableFuture.completedFuture(request.user() + " " + loader.getName());
    }

    public CompletionStage<String> never() {
      return new CompletableFuture<>();
    }
  }

  @Test
  void a_plain_call_that_waits_for_its_next_attempt_makes_no_further_one() throws Exception {
    Future<String> call;
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      CountDownLatch waiting = new CountDownLatch(1);
      container
          .get(Policies.class)
          .retries()
          .find(Inventory.class.getName() + "/retried")
          .orElseThrow()
          .on(RetryEvent.Retrying.class, event -> waiting.countDown());
      call = start(inventory::retried);
      assertThat(waiting.await(LIMIT, SECONDS)).isTrue();
    }

    assertThat(failure(call)).isInstanceOf(IOException.class).hasMessage("down 1");
  }

  @Test
  void a_plain_call_that_has_a_limit_is_interrupted() throws Exception {
    Future<String> call;
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      CountDownLatch running = new CountDownLatch(1);
      call = start(() -> inventory.slow(running));
      assertThat(running.await(LIMIT, SECONDS)).isTrue();
    }

    assertThat(failure(call)).isInstanceOf(TimeoutException.class);
  }

  @Test
  void a_timer_that_is_set_while_the_application_ends_is_run_or_rejected() throws Exception {
    for (int round = 0; round < 500; round++) {
      ApplicationThreads threads = new ApplicationThreads(1);
      CountDownLatch first = new CountDownLatch(1);
      AtomicInteger settled = new AtomicInteger();
      Future<String> timers =
          start(
              () -> {
                for (int timer = 0; timer < 20; timer++) {
                  try {
                    threads.schedule(settled::incrementAndGet, Duration.ofMinutes(10));
                  } catch (RejectedExecutionException ended) {
                    settled.incrementAndGet();
                  }
                  first.countDown();
                }
                return "all";
              });
      assertThat(first.await(LIMIT, SECONDS)).isTrue();
      threads.close();
      assertThat(timers.get(LIMIT, SECONDS)).isEqualTo("all");
      assertThat(settled).hasValue(20);
    }
  }

  @Test
  void a_plain_call_that_waits_for_its_turn_is_refused() throws Exception {
    String[] waits = {Inventory.class.getName() + "/single/Bulkhead/maxWaitDuration", "PT10M"};
    CountDownLatch leave = new CountDownLatch(1);
    Future<String> first;
    Future<String> second;
    try (Container container = Container.configured(waits, Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      CountDownLatch running = new CountDownLatch(1);
      first = start(() -> inventory.single(running, leave));
      assertThat(running.await(LIMIT, SECONDS)).isTrue();
      second = start(() -> inventory.single(running, leave));
      var bulkhead =
          container
              .get(Policies.class)
              .bulkheads()
              .find(Inventory.class.getName() + "/single")
              .orElseThrow();
      long until = System.nanoTime() + SECONDS.toNanos(LIMIT);
      while (bulkhead.metrics().waiting() == 0 && System.nanoTime() - until < 0) {
        Thread.onSpinWait();
      }
      assertThat(bulkhead.metrics().waiting()).isEqualTo(1);
    }

    assertThat(failure(second)).isInstanceOf(BulkheadException.class);
    leave.countDown();
    assertThat(first.get(LIMIT, SECONDS)).isEqualTo("stock");
  }

  @Test
  void the_next_attempt_of_a_named_pipeline_has_the_loader_and_a_request_of_the_application() {
    try (Container container = Container.of(Stages.class, Pipelines.class, Request.class)) {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(new ClassLoader("of the application", before) {});
      try {
        assertThat(container.get(Stages.class).later().toCompletableFuture().join())
            .isEqualTo("anybody of the application");
      } finally {
        thread.setContextClassLoader(before);
      }
    }
  }

  @Test
  void a_stage_of_a_named_pipeline_ends_with_the_application() {
    CompletableFuture<String> call;
    try (Container container = Container.of(Stages.class, Pipelines.class, Request.class)) {
      call = container.get(Stages.class).never().toCompletableFuture();
      assertThat(call).isNotDone();
    }

    assertThat(catchThrowable(() -> call.get(LIMIT, SECONDS)))
        .isInstanceOf(CancellationException.class);
  }

  private static Future<String> start(Callable<String> call) {
    FutureTask<String> task = new FutureTask<>(call);
    Thread thread = new Thread(task, "caller");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static Throwable failure(Future<?> future) {
    Throwable thrown = catchThrowable(() -> future.get(LIMIT, SECONDS));
    return thrown instanceof ExecutionException ? thrown.getCause() : thrown;
  }
}
