package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The threads that the library starts itself. */
class OwnThreadsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void a_worker_has_nothing_of_the_caller_for_whom_it_was_started() throws Exception {
    InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
    AtomicReference<Thread> worker = new AtomicReference<>();
    try (URLClassLoader application = new URLClassLoader(new URL[0])) {
      Hedge hedge = Hedge.create("inventory", s -> s.idempotent(true).delay(LONG));
      // Two at once, one of which finds no idle worker of another test.
      CyclicBarrier both = new CyclicBarrier(2);
      CheckedSupplier<String, Exception> call =
          () -> {
            both.await(10, TimeUnit.SECONDS);
            worker.set(Thread.currentThread());
            return user.get()
                + (Thread.currentThread().getContextClassLoader() == application ? "'s" : "");
          };
      AtomicReference<String> other = new AtomicReference<>();
      Thread caller =
          new Thread(
              () -> {
                user.set("mallory");
                Thread.currentThread().setContextClassLoader(application);
                try {
                  other.set(hedge.call(call));
                } catch (Exception e) {
                  other.set(e.toString());
                }
              });
      caller.start();
      user.set("alice");
      Thread.currentThread().setContextClassLoader(application);
      try {
        assertThat(hedge.call(call)).isEqualTo("null");
      } finally {
        Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
        user.remove();
      }
      caller.join();
      assertThat(other).hasValue("null");
      assertThat(worker.get().isDaemon()).isTrue();
    }
  }

  @Test
  void a_timer_thread_that_cannot_be_started_is_started_next_time() throws Exception {
    AtomicBoolean exhausted = new AtomicBoolean(true);
    ThreadFactory threads =
        task ->
            new Thread(task, "timer-under-test") {
              @Override
              public synchronized void start() {
                if (exhausted.get()) {
                  throw new OutOfMemoryError("unable to create native thread");
                }
                setDaemon(true);
                super.start();
              }
            };
    SystemTime.Timer timer = new SystemTime.Timer(threads);
    CountDownLatch rung = new CountDownLatch(1);

    assertThatThrownBy(() -> timer.add(new SystemTime.Task(() -> {}), System.nanoTime(), 0))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(timer.size()).isZero();
    exhausted.set(false);
    timer.add(new SystemTime.Task(rung::countDown), System.nanoTime(), 0);

    assertThat(rung.await(10, TimeUnit.SECONDS)).isTrue();
  }
}
