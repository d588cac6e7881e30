package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The order of policies, and what follows from it. */
final class PipelineTest {
  private final FakeTime time = FakeTime.create();
  private final CircuitBreaker breaker =
      CircuitBreaker.create("inventory", s -> s.slidingWindowSize(4).ticker(time));
  private final Retry retry =
      Retry.create("again", s -> s.waitDuration(Duration.ofMillis(1)).ticker(time).scheduler(time));

  @Test
  void without_policies_it_only_calls() throws IOException {
    Pipeline<String> pipeline = Pipeline.create("nothing", p -> {});

    assertThat(pipeline.call(() -> "stock")).isEqualTo("stock");
    assertThat(pipeline.callAsync(() -> CompletableFuture.completedFuture("stock")).join())
        .isEqualTo("stock");
    assertThatThrownBy(() -> pipeline.call(() -> fail())).isInstanceOf(IOException.class);
    assertThat(pipeline.describe()).isEqualTo("nothing:\n  the call");
  }

  @Test
  void a_breaker_inside_a_retry_counts_attempts() {
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.retry(retry).circuitBreaker(breaker));

    assertThatThrownBy(() -> pipeline.call(() -> fail())).isInstanceOf(IOException.class);

    assertThat(breaker.metrics().failed()).isEqualTo(3);
    assertThat(pipeline.describe()).contains("; counts each attempt");
  }

  @Test
  void a_breaker_around_a_retry_counts_whole_calls() {
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.circuitBreaker(breaker).retry(retry));

    assertThatThrownBy(() -> pipeline.call(() -> fail())).isInstanceOf(IOException.class);

    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(pipeline.describe())
        .contains("; counts whole calls, however many attempts they take");
  }

  @Test
  void an_answer_says_where_it_came_from() throws IOException {
    Pipeline<String> pipeline = Pipeline.create("orders", p -> p.circuitBreaker(breaker));

    assertThat(pipeline.answer(() -> "stock"))
        .isEqualTo(new Answer<>("stock", Answer.Source.LIVE, Duration.ZERO));
  }

  @Test
  void it_has_a_name() {
    assertThatThrownBy(() -> Pipeline.create(" ", p -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name: \" \" (expected: not blank)");
  }

  private static String fail() throws IOException {
    throw new IOException("down");
  }
}
