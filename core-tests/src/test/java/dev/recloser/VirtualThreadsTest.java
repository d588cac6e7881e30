package dev.recloser;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Ten thousand calls at once through every policy there is: nothing is pinned, nothing is left. */
final class VirtualThreadsTest {
  private static final int CALLS = 10_000;

  /** Enough to load the classes, which pins threads and is nobody's fault. */
  private static final int CALLS_BEFORE = 500;

  /** Long enough for a call that has an answer, on a machine that is busy. */
  private static final Duration TIME_LIMIT = Duration.ofSeconds(2);

  /** In which way a crowd makes its calls. */
  private interface Way {
    void call(Crowd crowd) throws Exception;
  }

  @Test
  void plain_calls_pin_nothing_and_leave_nothing() throws Exception {
    assertThat(pinnedBy(Crowd::callPlainly)).isEmpty();
  }

  @Test
  void stages_pin_nothing_and_leave_nothing() throws Exception {
    assertThat(pinnedBy(Crowd::callWithStages)).isEmpty();
  }

  private static List<String> pinnedBy(Way way) throws Exception {
    Crowd first = new Crowd(CALLS_BEFORE, TIME_LIMIT.dividedBy(2));
    way.call(first);
    first.assertOver();
    Crowd crowd = new Crowd(CALLS, TIME_LIMIT);
    List<String> pinned =
        PinnedThreads.during(
            () -> {
              way.call(crowd);
              return crowd;
            });
    crowd.assertOver();
    return pinned;
  }

  /** Else the tests above could not fail. */
  @Test
  void a_thread_that_is_pinned_is_reported() throws Exception {
    ExecutorService threads = VirtualThreads.executorOr(Executors.newSingleThreadExecutor());

    List<String> pinned =
        PinnedThreads.during(() -> threads.submit(() -> Pinning.WAITED).get(30, SECONDS));

    assertThat(pinned.isEmpty()).isNotEqualTo(VirtualThreads.exist());
    threads.shutdown();
    assertThat(threads.awaitTermination(30, SECONDS)).isTrue();
  }

  /** Blocks in its initializer, which is called by the JVM itself and so cannot be unmounted. */
  private static final class Pinning {
    static final boolean WAITED = waited();

    private static boolean waited() {
      try {
        return new CountDownLatch(1).await(20, MILLISECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
