package dev.recloser.test;

import static dev.recloser.CircuitBreaker.State.CLOSED;
import static dev.recloser.CircuitBreaker.State.FORCED_OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.CallRefused;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.Outcome;
import dev.recloser.RefusalReason;
import org.junit.jupiter.api.Test;

class RecordingListenerTest {
  private final CircuitBreaker breaker =
      Breakers.on(FakeTime.create()).create("inventory", config -> config.slidingWindowSize(4));

  @Test
  void hears_everything_in_the_order_in_which_it_happened() {
    RecordingListener heard = RecordingListener.on(breaker);

    breaker.run(() -> {});
    breaker.transitionTo(FORCED_OPEN);
    breaker.tryAcquire();

    assertThat(heard.events())
        .extracting(Object::getClass)
        .containsExactly(CallFinished.class, StateTransition.class, CallRefused.class);
  }

  @Test
  void sorts_events_by_type() {
    RecordingListener heard = RecordingListener.on(breaker);

    breaker.run(() -> {});
    breaker.transitionTo(FORCED_OPEN);
    breaker.tryAcquire();
    breaker.transitionTo(CLOSED);

    assertThat(heard.of(CallFinished.class))
        .extracting(CallFinished::outcome)
        .containsExactly(Outcome.SUCCESS);
    assertThat(heard.of(CallRefused.class))
        .extracting(CallRefused::reason)
        .containsExactly(RefusalReason.FORCED_OPEN);
    assertThat(heard.transitions())
        .extracting(StateTransition::to)
        .containsExactly(FORCED_OPEN, CLOSED);
  }

  @Test
  void hears_nothing_from_before_it_was_registered() {
    breaker.transitionTo(FORCED_OPEN);

    RecordingListener heard = RecordingListener.on(breaker);

    assertThat(heard.events()).isEmpty();
  }

  @Test
  void forgets_when_told_to_and_goes_on_listening() {
    RecordingListener heard = RecordingListener.on(breaker);
    breaker.transitionTo(FORCED_OPEN);

    heard.clear();
    breaker.transitionTo(CLOSED);

    assertThat(heard.transitions()).extracting(StateTransition::to).containsExactly(CLOSED);
  }

  @Test
  void keeps_what_it_heard_when_it_is_closed_and_hears_no_more() {
    RecordingListener heard = RecordingListener.on(breaker);
    breaker.transitionTo(FORCED_OPEN);

    heard.close();
    breaker.transitionTo(CLOSED);

    assertThat(heard.transitions()).extracting(StateTransition::to).containsExactly(FORCED_OPEN);
  }

  @Test
  void gives_copies_that_later_events_do_not_reach() {
    RecordingListener heard = RecordingListener.on(breaker);
    var before = heard.events();

    breaker.transitionTo(FORCED_OPEN);

    assertThat(before).isEmpty();
    assertThat(heard.events()).hasSize(1);
  }
}
