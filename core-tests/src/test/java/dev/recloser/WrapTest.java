package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.elsewhere.Catalogue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Guarding every call to an object behind its own interface. */
final class WrapTest extends Scenario {

  /** What is wrapped; not public. */
  interface Inventory {
    int stock(String sku) throws IOException;

    default String describe(String sku) throws IOException {
      return sku + ": " + stock(sku);
    }

    void reserve(String sku);

    CompletionStage<Integer> stockLater(String sku);

    CompletableFuture<Integer> stockInFuture(String sku);
  }

  /** A generic interface. */
  interface Source<T> {
    T fetch();
  }

  /** One that fixes the type to a stage, without a method of its own. */
  interface LaterSource extends Source<CompletionStage<String>> {}

  /** A stage of its own type, which a plain future cannot stand in for. */
  private static final class OwnStage extends CompletableFuture<String> {}

  /** One that fixes the type to a stage of its own type. */
  interface OwnSource extends Source<OwnStage> {}

  private static class Shelf implements Inventory {
    final CompletableFuture<Integer> counting = new CompletableFuture<>();

    @Override
    public int stock(String sku) throws IOException {
      if (sku.isEmpty()) {
        throw new IOException("no such thing");
      }
      return sku.length();
    }

    @Override
    public void reserve(String sku) {
      throw new IllegalStateException("none left of " + sku);
    }

    @Override
    public CompletionStage<Integer> stockLater(String sku) {
      return counting;
    }

    @Override
    public CompletableFuture<Integer> stockInFuture(String sku) {
      if (sku.isEmpty()) {
        throw new IllegalArgumentException("nothing asked for");
      }
      return counting;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Shelf;
    }

    @Override
    public int hashCode() {
      return 4711;
    }

    @Override
    public String toString() {
      return "a shelf";
    }
  }

  private final Shelf shelf = new Shelf();

  @Test
  void calls_go_to_the_target_and_are_counted() throws IOException {
    CircuitBreaker breaker = small(1);
    Inventory guarded = breaker.wrap(Inventory.class, shelf);

    assertThat(guarded.stock("abc")).isEqualTo(3);

    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void exceptions_pass_through_as_they_are() {
    CircuitBreaker breaker = small(1);
    Inventory guarded = breaker.wrap(Inventory.class, shelf);

    assertThatThrownBy(() -> guarded.stock(""))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("no such thing");
    assertThatThrownBy(() -> guarded.reserve("abc"))
        .isExactlyInstanceOf(IllegalStateException.class);

    assertThat(breaker).isOpen().hasFailureRate(100);
  }

  @Test
  void a_default_method_is_one_call_like_any_other() throws IOException {
    CircuitBreaker breaker = small(1);
    Inventory guarded = breaker.wrap(Inventory.class, shelf);

    assertThat(guarded.describe("abc")).isEqualTo("abc: 3");

    assertThat(breaker.metrics().admitted()).isEqualTo(1);
  }

  @Test
  void a_default_method_that_the_target_overrides_is_the_targets() throws IOException {
    Inventory plain =
        new Shelf() {
          @Override
          public String describe(String sku) {
            return "plain " + sku;
          }
        };

    assertThat(small(1).wrap(Inventory.class, plain).describe("abc")).isEqualTo("plain abc");
  }

  @Test
  void equals_hashCode_and_toString_are_the_targets_and_not_guarded() {
    CircuitBreaker breaker = breakers.inState(State.FORCED_OPEN, "inventory");
    Inventory guarded = breaker.wrap(Inventory.class, shelf);

    assertThat(guarded).hasToString("a shelf").hasSameHashCodeAs(shelf);
    assertThat(guarded.equals(shelf)).isTrue();
    assertThat(guarded.equals(null)).isFalse();
    assertThat(guarded.equals(new Object())).isFalse();
    assertThat(breaker.metrics().totalRefused()).isZero();
  }

  @Test
  void wrappers_of_equal_targets_are_equal_whatever_their_breakers() {
    Inventory one = small(1).wrap(Inventory.class, shelf);
    Inventory other = breakers.create("other").wrap(Inventory.class, new Shelf());
    Set<Inventory> all = new HashSet<>(List.of(one));

    assertThat(one).isEqualTo(other);
    assertThat(other).isEqualTo(one);
    assertThat(all).contains(other);
  }

  @Test
  void a_method_that_returns_a_stage_ends_with_its_stage() {
    CircuitBreaker breaker = small(1);
    Inventory guarded = breaker.wrap(Inventory.class, shelf);
    CompletionStage<Integer> later = guarded.stockLater("abc");
    CompletableFuture<Integer> future = guarded.stockInFuture("abc");
    assertThat(breaker).hasCallsInFlight(2);

    shelf.counting.completeExceptionally(new IOException("lost count"));

    assertThat(later.toCompletableFuture()).isCompletedExceptionally();
    assertThat(future).isCompletedExceptionally();
    assertThat(breaker).isOpen().hasNoCallsInFlight();
  }

  @Test
  void a_method_that_returns_a_stage_but_throws_gives_a_failed_stage() {
    CircuitBreaker breaker = small(1);
    Inventory guarded = breaker.wrap(Inventory.class, shelf);

    CompletableFuture<Integer> future = guarded.stockInFuture("");

    assertThatThrownBy(future::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseExactlyInstanceOf(IllegalArgumentException.class);
    assertThat(breaker).hasFailureRate(100);
  }

  @Test
  void cancelling_the_answer_cancels_what_the_target_returned() {
    CircuitBreaker breaker = small(1);
    Inventory guarded = breaker.wrap(Inventory.class, shelf);

    guarded.stockInFuture("abc").cancel(true);

    assertThat(shelf.counting).isCancelled();
    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
  }

  @Test
  void a_wrapper_can_be_wrapped_again_and_both_breakers_count() throws IOException {
    CircuitBreaker inner = small(1);
    CircuitBreaker outer = breakers.create("outer");
    Inventory once = inner.wrap(Inventory.class, shelf);
    Inventory twice = outer.wrap(Inventory.class, once);

    assertThat(twice.stock("abc")).isEqualTo(3);

    assertThat(twice).isEqualTo(once).hasToString("a shelf");
    assertThat(inner.metrics().succeeded()).isEqualTo(1);
    assertThat(outer.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void refusals_come_as_exceptions_or_as_failed_stages() {
    CircuitBreaker breaker = breakers.inState(State.FORCED_OPEN, "inventory");
    Inventory guarded = breaker.wrap(Inventory.class, shelf);

    assertThatThrownBy(() -> guarded.stock("abc")).isInstanceOf(CallNotPermittedException.class);
    assertThatThrownBy(() -> guarded.stockLater("abc").toCompletableFuture().join())
        .hasCauseInstanceOf(CallNotPermittedException.class);
    assertThat(breaker.metrics().totalRefused()).isEqualTo(2);
  }

  @Test
  void a_generic_interface_works() {
    CircuitBreaker breaker = small(1);
    Source<String> target = () -> "fetched";

    @SuppressWarnings("unchecked")
    Source<String> guarded = breaker.wrap(Source.class, target);

    assertThat(guarded.fetch()).isEqualTo("fetched");
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void a_generic_method_that_returns_a_stage_ends_with_its_stage() {
    CircuitBreaker breaker = small(1);
    CompletableFuture<String> fetching = new CompletableFuture<>();
    LaterSource target = () -> fetching;
    LaterSource guarded = breaker.wrap(LaterSource.class, target);

    CompletionStage<String> answer = guarded.fetch();
    assertThat(breaker).hasCallsInFlight(1);
    fetching.completeExceptionally(new IOException());

    assertThat(answer.toCompletableFuture()).isCompletedExceptionally();
    assertThat(breaker).hasFailureRate(100).hasNoCallsInFlight();
  }

  @Test
  void a_generic_method_that_returns_a_stage_of_its_own_type_returns_that_type() {
    CircuitBreaker breaker = small(1);
    OwnStage fetching = new OwnStage();
    OwnSource target = () -> fetching;

    OwnStage answer = breaker.wrap(OwnSource.class, target).fetch();
    fetching.complete("fetched");

    assertThat(answer).isCompletedWithValue("fetched");
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void interfaces_of_the_JDK_work() throws Exception {
    CircuitBreaker breaker = small(1);
    Supplier<?> supplier = () -> "supplied";
    Callable<?> callable = () -> "called";
    Comparator<String> comparator = Comparator.naturalOrder();

    assertThat(breaker.wrap(Supplier.class, supplier).get()).isEqualTo("supplied");
    assertThat(breaker.wrap(Callable.class, callable).call()).isEqualTo("called");
    @SuppressWarnings("unchecked")
    Comparator<String> guarded = breaker.wrap(Comparator.class, comparator);
    List<String> words = new ArrayList<>(List.of("b", "a"));
    words.sort(guarded);
    assertThat(words).containsExactly("a", "b");
    assertThat(guarded.equals(comparator)).isTrue();
  }

  @Test
  void an_interface_that_is_not_public_works_from_another_package() {
    CircuitBreaker breaker = small(1);
    Object guarded = wrapUnchecked(breaker, Catalogue.hiddenType(), Catalogue.createHidden());

    assertThat(Catalogue.titleOf(guarded)).isEqualTo("spring");
    assertThat(guarded).hasToString("a printed catalogue");
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void a_method_inherited_from_an_interface_that_is_not_public_works() throws IOException {
    CircuitBreaker breaker = small(1);
    Catalogue guarded = breaker.wrap(Catalogue.class, Catalogue.create());

    assertThat(guarded.page(3)).isEqualTo("page 3");
    assertThat(guarded.title()).isEqualTo("spring");
    assertThat(breaker.metrics().succeeded()).isEqualTo(2);
  }

  @Test
  void what_is_not_an_interface_cannot_be_wrapped() {
    CircuitBreaker breaker = small(1);

    assertThatThrownBy(() -> breaker.wrap(Shelf.class, shelf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "type: dev.recloser.WrapTest$Shelf (expected: an interface, neither sealed nor"
                + " hidden)");
    assertThatThrownBy(
            () ->
                breaker.wrap(
                    CircuitBreakerEvent.class,
                    new CircuitBreakerEvent.CallRefused("", RefusalReason.OPEN)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("neither sealed nor hidden");
  }

  @SuppressWarnings("unchecked")
  private static Object wrapUnchecked(CircuitBreaker breaker, Class<?> type, Object target) {
    return breaker.wrap((Class<Object>) type, target);
  }
}
