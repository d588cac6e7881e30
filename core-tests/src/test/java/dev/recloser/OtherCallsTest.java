package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Fallbacks that ask somebody else for the same thing. */
class OtherCallsTest {
  /** What is asked, and also of others. */
  interface Inventory {
    String stock(String sku) throws IOException;

    CompletionStage<String> stockAsync(String sku);

    void reserve(String sku, int pieces) throws IOException;
  }

  private static final class Replica implements Inventory {
    @Override
    public String stock(String sku) throws IOException {
      if (sku.isEmpty()) {
        throw new IOException("no sku");
      }
      return "replica's " + sku;
    }

    @Override
    public CompletionStage<String> stockAsync(String sku) {
      return CompletableFuture.completedFuture("replica's " + sku);
    }

    @Override
    public void reserve(String sku, int pieces) throws IOException {
      throw new IOException("read only");
    }
  }

  private static final class Down implements Inventory {
    @Override
    public String stock(String sku) throws IOException {
      throw new IOException("down");
    }

    @Override
    public CompletionStage<String> stockAsync(String sku) {
      return CompletableFuture.failedFuture(new IOException("down"));
    }

    @Override
    public void reserve(String sku, int pieces) throws IOException {
      throw new IOException("down");
    }
  }

  private final CircuitBreaker breakerOfOther = CircuitBreaker.create("replica");
  private final Pipeline<Object> other =
      Pipeline.create("replica", p -> p.circuitBreaker(breakerOfOther));
  private final Inventory replica = new Replica();
  private final Inventory down = new Down();

  private Pipeline<Object> pipeline(Consumer<Fallback.Builder<Object>> rules) {
    return Pipeline.create("orders", p -> p.fallback(rules));
  }

  @Test
  void the_key_of_a_call_is_what_the_other_call_asks_for() {
    Pipeline<Object> pipeline =
        pipeline(
            rules ->
                rules
                    .otherCall(other, key -> () -> replica.stock((String) key))
                    .otherCallAsync(other, key -> () -> asObject(replica.stockAsync((String) key)))
                    .onFailure(failure -> "nothing"));

    assertThat(pipeline.keyed("a").call(() -> fail())).isEqualTo("replica's a");
    Answer<Object> answer =
        pipeline
            .keyed("b")
            .answerAsync(() -> CompletableFuture.failedFuture(new IOException("down")))
            .join();
    assertThat(answer.value()).isEqualTo("replica's b");
    assertThat(answer.source()).isEqualTo(Answer.Source.FALLBACK);
    assertThat(pipeline.call(() -> fail())).as("without a key").isEqualTo("nothing");
    assertThat(breakerOfOther.metrics().succeeded()).isEqualTo(2);
  }

  @Test
  void a_function_of_the_key_that_throws_or_gives_nothing_is_a_fallback_that_failed() {
    IllegalStateException broken = new IllegalStateException("broken");
    Pipeline<Object> pipeline =
        pipeline(
            rules ->
                rules
                    .otherCall(
                        other,
                        key -> {
                          throw broken;
                        })
                    .otherCallAsync(
                        other,
                        key -> {
                          throw broken;
                        }));

    assertThatThrownBy(() -> pipeline.keyed("a").call(() -> fail())).isSameAs(broken);
    assertThatThrownBy(
            () ->
                pipeline
                    .keyed("a")
                    .callAsync(() -> CompletableFuture.failedFuture(new IOException("down")))
                    .join())
        .hasCause(broken);
    assertThatThrownBy(
            () ->
                pipeline(rules -> rules.otherCall(other, key -> null))
                    .keyed("a")
                    .call(() -> fail()))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void another_object_answers_the_same_method_with_the_same_arguments() throws Exception {
    Inventory guarded =
        pipeline(rules -> rules.otherTarget(other, replica)).wrap(Inventory.class, down);

    assertThat(guarded.stock("a")).isEqualTo("replica's a");
    assertThat(guarded.stockAsync("b").toCompletableFuture().join()).isEqualTo("replica's b");
    assertThatThrownBy(() -> guarded.reserve("a", 1))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("read only")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()[0]).hasMessage("down"));
    assertThatThrownBy(() -> guarded.stock("")).hasMessage("no sku");
    assertThat(breakerOfOther.metrics().succeeded()).isEqualTo(2);
    assertThat(breakerOfOther.metrics().failed()).isEqualTo(2);
  }

  @Test
  void other_calls_and_other_interfaces_are_left_to_the_next_rule() throws Exception {
    Pipeline<Object> pipeline =
        pipeline(
            rules -> rules.otherTarget(other, "not an inventory").onFailure(failure -> "next"));

    assertThat(pipeline.call(() -> fail())).isEqualTo("next");
    assertThat(pipeline.wrap(Inventory.class, down).stock("a")).isEqualTo("next");
    assertThat(pipeline.describe()).contains("otherTarget replica");
  }

  private static Object fail() {
    throw new IllegalStateException("down");
  }

  private static CompletionStage<Object> asObject(CompletionStage<String> stage) {
    return stage.thenApply(stock -> stock);
  }
}
