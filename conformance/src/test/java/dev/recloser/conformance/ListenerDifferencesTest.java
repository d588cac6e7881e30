package dev.recloser.conformance;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.Outcome;
import dev.recloser.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What listeners see, and what they can do. */
final class ListenerDifferencesTest {
  /** Recloser logs what listeners throw, which is meant here and no news for the console. */
  private static final Logger RECLOSER = Logger.getLogger("dev.recloser");

  @BeforeAll
  static void keepTheLogFromTheConsole() {
    RECLOSER.setUseParentHandlers(false);
  }

  @AfterAll
  static void letTheLogThroughAgain() {
    RECLOSER.setUseParentHandlers(true);
  }

  @Test
  void a_listener_finds_the_breaker_in_the_state_it_is_told_of() {
    SideBySide both = SideBySide.create();
    List<String> ofRecloser = new ArrayList<>();
    List<String> ofResilience4j = new ArrayList<>();
    both.recloser.on(StateTransition.class, event -> ofRecloser.add(both.stateOfRecloser()));
    both.resilience4j
        .getEventPublisher()
        .onFailureRateExceeded(event -> ofResilience4j.add(both.stateOfResilience4j()));

    both.fail(2);

    assertThat(ofRecloser).containsExactly("OPEN");
    assertThat(ofResilience4j).containsExactly("CLOSED");
  }

  @Test
  void a_listener_that_throws_does_not_keep_others_from_hearing() {
    SideBySide both = SideBySide.create();
    List<Object> ofRecloser = new ArrayList<>();
    List<Object> ofResilience4j = new ArrayList<>();
    both.recloser.on(CallFinished.class, ListenerDifferencesTest::broken);
    both.recloser.on(CallFinished.class, ofRecloser::add);
    both.resilience4j.getEventPublisher().onSuccess(ListenerDifferencesTest::broken);
    both.resilience4j.getEventPublisher().onSuccess(ofResilience4j::add);

    both.call(Outcome.SUCCESS);

    assertThat(ofRecloser).hasSize(1);
    assertThat(ofResilience4j).isEmpty();
  }

  @Test
  void a_listener_of_a_timer_is_not_interrupted()
      throws InterruptedException, ExecutionException, TimeoutException {
    Duration limit = Duration.ofMillis(20);
    CompletableFuture<Boolean> ofRecloser = new CompletableFuture<>();
    CompletableFuture<Boolean> ofResilience4j = new CompletableFuture<>();
    SideBySide both =
        SideBySide.create(config -> {}, config -> config.maxWaitDurationInHalfOpenState(limit));
    CircuitBreaker recloser =
        CircuitBreaker.create(
            "real time",
            config -> config.maxWaitDurationInHalfOpenState(limit).scheduler(Scheduler.system()));
    both.openAndWait();
    recloser.on(
        StateTransition.class,
        event -> {
          if (event.from() == State.HALF_OPEN) {
            ofRecloser.complete(Thread.currentThread().isInterrupted());
          }
        });
    recloser.transitionTo(State.HALF_OPEN);
    both.resilience4j
        .getEventPublisher()
        .onStateTransition(
            event -> {
              if (event.getStateTransition().getFromState().name().equals("HALF_OPEN")) {
                ofResilience4j.complete(Thread.currentThread().isInterrupted());
              }
            });
    both.resilience4j.acquirePermission();

    // Both timers run in real time here.
    assertThat(ofRecloser.get(30, SECONDS)).isFalse();
    assertThat(ofResilience4j.get(30, SECONDS)).isTrue();
  }

  @Test
  void a_listener_can_be_taken_back() {
    SideBySide both = SideBySide.create();
    List<Object> heard = new ArrayList<>();

    both.recloser.on(CallFinished.class, heard::add).cancel();
    both.call(Outcome.SUCCESS);

    assertThat(heard).isEmpty();
  }

  private static void broken(Object event) {
    throw new IllegalStateException("broken listener");
  }
}
