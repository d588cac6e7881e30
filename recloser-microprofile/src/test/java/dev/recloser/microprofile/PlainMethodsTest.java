package dev.recloser.microprofile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.Pipeline;
import dev.recloser.Policies;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.Serializable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What is ours beyond the specification, and where a policy would see more than it says. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class PlainMethodsTest {
  private static final String INVENTORY = Inventory.class.getName();

  @ApplicationScoped
  static class Inventory {
    private final AtomicInteger calls = new AtomicInteger();

    @Retry(maxRetries = 2, delay = 0, jitter = 0, retryOn = IOException.class)
    String wrapped() throws ExecutionException {
      calls.incrementAndGet();
      throw new ExecutionException(new IOException("down"));
    }

    @Retry(maxRetries = 2, delay = 0, jitter = 0)
    String cancelled() {
      calls.incrementAndGet();
      throw new CancellationException("of something that the method had begun");
    }

    @Fallback(fallbackMethod = "unknown")
    String interrupted() throws InterruptedException {
      Thread.currentThread().interrupt();
      throw new InterruptedException();
    }

    String unknown() {
      return "unknown";
    }

    @CircuitBreaker(requestVolumeThreshold = 2, failureRatio = 1)
    @Retry(maxRetries = 0)
    String down() throws IOException {
      throw new IOException("down");
    }

    @CircuitBreaker(requestVolumeThreshold = 2, failureRatio = 0)
    String mostly(boolean up) throws IOException {
      if (up) {
        return "stock";
      }
      throw new IOException("down");
    }

    @CircuitBreaker(requestVolumeThreshold = 1, failureRatio = 1)
    String refused() {
      dev.recloser.CircuitBreaker further = dev.recloser.CircuitBreaker.create("further");
      further.transitionTo(State.FORCED_OPEN);
      return further.call(() -> "stock");
    }

    @CircuitBreaker(requestVolumeThreshold = 1)
    String slow() throws InterruptedException {
      return "stock";
    }

    @Bulkhead(Integer.MAX_VALUE)
    @Retry(maxRetries = Integer.MAX_VALUE, delay = Long.MAX_VALUE, maxDuration = 0)
    String unbounded() {
      return "stock";
    }

    @Retry
    String overloaded(int sku) {
      return "stock " + sku;
    }

    @Retry
    String overloaded(String sku) {
      return "stock " + sku;
    }

    int calls() {
      return calls.get();
    }
  }

  @SessionScoped
  static class Basket implements Serializable {
    private static final long serialVersionUID = 1L;

    @Retry
    void add() {}
  }

  @Dependent
  static class Counter {
    static final AtomicInteger DESTROYED = new AtomicInteger();

    @PreDestroy
    void end() {
      DESTROYED.incrementAndGet();
    }
  }

  static class Handler implements FallbackHandler<String> {
    @Inject Counter counter;

    @Override
    public String handle(ExecutionContext context) {
      assertThat(counter).isNotNull();
      return context.getMethod().getName()
          + " of "
          + context.getParameters()[0]
          + ": "
          + context.getFailure().getMessage();
    }
  }

  @ApplicationScoped
  static class Handled {
    @Fallback(Handler.class)
    String stock(String sku) throws IOException {
      throw new IOException("down");
    }
  }

  static class Pipelines {
    @Produces
    @Singleton
    @Named("inventory")
    static Pipeline<Object> inventory() {
      return Pipeline.create(
          "inventory",
          calls ->
              calls
                  .fallback(
                      rules -> rules.onFailure(failure -> "instead of " + failure.getMessage()))
                  .circuitBreaker(config -> {}));
    }
  }

  @ApplicationScoped
  @Guarded("inventory")
  static class Stocks {
    public String stock() throws IOException {
      throw new IOException("down");
    }

    public CompletionStage<String> later() {
      return CompletableFuture.failedFuture(new IOException("down later"));
    }
  }

  @Test
  void a_wrapper_is_judged_by_itself_and_not_by_its_cause() {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);

      assertThat(catchThrowable(inventory::wrapped))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(IOException.class);
      assertThat(inventory.calls()).isEqualTo(1);
    }
  }

  @Test
  void a_cancellation_that_a_method_throws_is_a_failure_like_any_other() {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);

      assertThat(catchThrowable(inventory::cancelled))
          .isInstanceOf(CancellationException.class)
          .hasMessage("of something that the method had begun");
      assertThat(inventory.calls()).isEqualTo(3);
    }
  }

  @Test
  void an_interruption_has_a_fallback_as_well() throws Exception {
    try (Container container = Container.of(Inventory.class)) {
      assertThat(container.get(Inventory.class).interrupted()).isEqualTo("unknown");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void what_an_open_breaker_throws_says_why_and_is_caused_by_what_the_policy_threw() {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      assertThat(catchThrowable(inventory::down)).isInstanceOf(IOException.class);
      assertThat(catchThrowable(inventory::down)).isInstanceOf(IOException.class);

      assertThat(catchThrowable(inventory::down))
          .isInstanceOf(CircuitBreakerOpenException.class)
          .hasMessageStartingWith(INVENTORY + "/down refused the call, it is OPEN")
          .hasMessageContaining("2 of the last 2 calls failed")
          .hasCauseInstanceOf(CallNotPermittedException.class);
    }
  }

  @Test
  void a_refusal_that_the_method_met_further_in_is_a_failure_of_the_method() {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);

      assertThat(catchThrowable(inventory::refused)).isInstanceOf(CallNotPermittedException.class);
      assertThat(catchThrowable(inventory::refused))
          .isInstanceOf(CircuitBreakerOpenException.class);
    }
  }

  @Test
  void a_ratio_of_zero_is_reached_by_the_first_failure_in_a_full_window() throws Exception {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      for (int call = 0; call < 5; call++) {
        assertThat(inventory.mostly(true)).isEqualTo("stock");
      }
      assertThat(catchThrowable(() -> inventory.mostly(false))).isInstanceOf(IOException.class);
      assertThat(catchThrowable(() -> inventory.mostly(true)))
          .isInstanceOf(CircuitBreakerOpenException.class);
    }
  }

  @Test
  void settings_of_our_own_are_set_for_a_method_where_the_members_are() throws Exception {
    String[] settings = {
      INVENTORY + "/slow/CircuitBreaker/slowCallDurationThreshold",
      "PT0.000000001S",
      "CircuitBreaker/rampUpDuration",
      "PT30S"
    };
    try (Container container = Container.configured(settings, Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);

      assertThat(inventory.slow()).isEqualTo("stock");

      assertThat(catchThrowable(inventory::slow))
          .isInstanceOf(CircuitBreakerOpenException.class)
          .hasMessageContaining("slow");
      assertThat(container.get(Policies.class).circuitBreakers().all())
          .isNotEmpty()
          .allMatch(breaker -> breaker.config().rampUpDuration().toSeconds() == 30);
    }
  }

  @Test
  void the_policies_of_a_method_are_found_by_its_name_and_can_be_steered() {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      Policies policies = container.get(Policies.class);

      policies
          .circuitBreakers()
          .find(INVENTORY + "/slow")
          .orElseThrow()
          .transitionTo(State.FORCED_OPEN);

      assertThat(catchThrowable(inventory::slow)).isInstanceOf(CircuitBreakerOpenException.class);
      assertThat(policies.retries().find(INVENTORY + "/overloaded(int)")).isPresent();
      assertThat(policies.retries().find(INVENTORY + "/overloaded(java.lang.String)")).isPresent();
    }
  }

  @Test
  void the_largest_numbers_are_as_good_as_no_limit() {
    try (Container container = Container.of(Inventory.class)) {
      assertThat(container.get(Inventory.class).unbounded()).isEqualTo("stock");
    }
  }

  @Test
  void a_handler_that_is_no_bean_gets_what_it_wants_injected_and_ends_after_its_answer()
      throws Exception {
    int before = Counter.DESTROYED.get();
    try (Container container = Container.of(Handled.class, Counter.class)) {
      assertThat(container.get(Handled.class).stock("sku")).isEqualTo("stock of sku: down");
      assertThat(Counter.DESTROYED).hasValue(before + 1);
    }
  }

  @Test
  void a_bean_that_may_be_passivated_can_be_guarded() {
    try (Container container = Container.of(Basket.class)) {
      assertThat(container.container().select(Basket.class).isResolvable()).isTrue();
    }
  }

  @Test
  void a_named_pipeline_takes_the_calls_of_methods_plain_or_with_stages() throws Exception {
    try (Container container = Container.of(Stocks.class, Pipelines.class)) {
      Stocks named = container.get(Stocks.class);

      assertThat(named.stock()).isEqualTo("instead of down");
      assertThat(named.later().toCompletableFuture().join()).isEqualTo("instead of down later");
    }
  }
}
