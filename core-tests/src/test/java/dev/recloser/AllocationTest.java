package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What calls that are nothing out of the ordinary allocate: nothing. */
final class AllocationTest {
  private static final int CALLS = 50_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static Stream<Arguments> settings() {
    return Stream.of(
        of("count window", s -> s.slowCallDurationThreshold(Duration.ZERO)),
        of("count window, slow calls", s -> {}),
        of(
            "time window",
            s ->
                s.slidingWindowSize(Duration.ofSeconds(10))
                    .slowCallDurationThreshold(Duration.ZERO)),
        of("time window, slow calls", s -> s.slidingWindowSize(Duration.ofSeconds(10))),
        of("timers", s -> s.automaticTransitionFromOpenToHalfOpenEnabled(true)));
  }

  private static Arguments of(String what, Consumer<CircuitBreakerConfig.Builder> settings) {
    return Arguments.of(what, settings);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void a_success_through_a_closed_breaker(
      String what, Consumer<CircuitBreakerConfig.Builder> settings) {
    CircuitBreaker breaker = CircuitBreaker.create("inventory", settings);
    CheckedSupplier<String, RuntimeException> call = () -> "stock";

    assertThat(bytesPerCall(() -> breaker.call(call))).as(what).isLessThan(1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void a_refusal_without_an_exception(
      String what, Consumer<CircuitBreakerConfig.Builder> settings) {
    CircuitBreaker breaker = CircuitBreaker.create("inventory", settings);
    breaker.transitionTo(CircuitBreaker.State.OPEN, Duration.ofHours(1));

    assertThat(bytesPerCall(breaker::tryAcquire)).as(what).isLessThan(1);
  }

  private static double bytesPerCall(Runnable call) {
    repeat(call); // Classes are loaded, and there are as many calls as the minimum.
    long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    repeat(call);
    return (THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before)
        / (double) CALLS;
  }

  private static void repeat(Runnable call) {
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
  }
}
