package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.CallRefused;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What listeners hear, in which order, and what their faults do not do (S19, S20). */
final class ListenersTest extends Scenario {
  private final CapturedLog log = new CapturedLog();

  @AfterEach
  void releaseTheLog() {
    log.close();
  }

  @Test
  @DisplayName("B12: a listener of an opening finds the breaker open whichever way it asks")
  void listeners_run_after_the_swap() {
    CircuitBreaker breaker = small(1);
    List<Object> found = new ArrayList<>();
    breaker.on(
        StateTransition.class,
        opening -> {
          found.add(breaker.state());
          found.add(breaker.tryAcquire() == null);
          assertThatThrownBy(breaker::acquire).isInstanceOf(CallNotPermittedException.class);
          found.add("done");
        });

    open(breaker);

    assertThat(found).containsExactly(State.OPEN, true, "done");
    assertThat(log.entries()).isEmpty();
  }

  @Test
  @DisplayName("B14: the timer that ends half-open does not interrupt its listeners")
  void listeners_of_a_timer_are_not_interrupted() throws InterruptedException {
    CircuitBreaker breaker =
        CircuitBreaker.create(
            "real time",
            settings ->
                settings
                    .scheduler(Scheduler.system())
                    .maxWaitDurationInHalfOpenState(Duration.ofMillis(1)));
    breaker.transitionTo(State.FORCED_OPEN);
    CountDownLatch told = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    breaker.on(
        StateTransition.class,
        transition -> {
          if (transition.cause() == TransitionCause.HALF_OPEN_TIMEOUT) {
            interrupted.set(Thread.currentThread().isInterrupted());
            told.countDown();
          }
        });

    breaker.transitionTo(State.HALF_OPEN);

    assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(interrupted).isFalse();
    assertThat(breaker).isOpen();
  }

  @Test
  @DisplayName("B42: after a listener that throws the next one still runs")
  void one_listener_does_not_harm_the_next() {
    CircuitBreaker breaker = small(1);
    breaker.on(
        CallFinished.class,
        event -> {
          throw new IllegalStateException("broken listener");
        });
    AtomicInteger heard = new AtomicInteger();
    breaker.on(CallFinished.class, event -> heard.incrementAndGet());

    succeed(breaker, 3);

    assertThat(heard).hasValue(3);
  }

  @Test
  void a_listener_that_throws_harms_neither_the_call_nor_the_transition() {
    CircuitBreaker breaker = small(1);
    breaker.on(
        CircuitBreakerEvent.class,
        event -> {
          throw new AssertionError("broken listener");
        });
    IOException own = new IOException("own");

    assertThat(breaker.<String, RuntimeException>call(() -> "fine")).isEqualTo("fine");
    assertThatThrownBy(
            () ->
                breaker.run(
                    () -> {
                      throw own;
                    }))
        .isSameAs(own)
        .hasNoSuppressedExceptions();
    open(breaker);
    assertThatThrownBy(() -> breaker.run(() -> {})).isInstanceOf(CallNotPermittedException.class);
    assertThat(breaker.tryAcquire()).isNull();
    assertThatCode(breaker::reset).doesNotThrowAnyException();
    assertThat(breaker).isClosed();
  }

  @Test
  void a_listener_that_throws_is_logged_once() {
    CircuitBreaker breaker = small(1);
    IllegalStateException broken = new IllegalStateException("broken listener");
    breaker.on(
        CallFinished.class,
        event -> {
          throw broken;
        });

    succeed(breaker, 5);

    assertThat(log.entries())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.getMessage())
                  .isEqualTo("A listener of inventory threw at a CallFinished (told once)");
              assertThat(entry.getThrown()).isSameAs(broken);
            });
  }

  @Test
  void each_listener_that_throws_is_logged() {
    CircuitBreaker breaker = small(1);
    for (int i = 0; i < 3; i++) {
      breaker.on(
          CallFinished.class,
          event -> {
            throw new IllegalStateException("broken listener");
          });
    }

    succeed(breaker, 5);

    assertThat(log.entries()).hasSize(3);
  }

  @Test
  void cancelling_a_registration_unregisters_that_one_alone() {
    CircuitBreaker breaker = small(1);
    AtomicInteger heard = new AtomicInteger();
    Cancellable first = breaker.on(CallFinished.class, event -> heard.incrementAndGet());
    Cancellable second = breaker.on(CallFinished.class, event -> heard.incrementAndGet());
    succeed(breaker);
    assertThat(heard).hasValue(2);

    first.cancel();
    first.cancel();
    succeed(breaker);
    assertThat(heard).hasValue(3);

    second.cancel();
    succeed(breaker);
    assertThat(heard).hasValue(3);
  }

  @Test
  void a_listener_may_unregister_itself() {
    CircuitBreaker breaker = small(1);
    AtomicInteger heard = new AtomicInteger();
    Cancellable[] registration = new Cancellable[1];
    registration[0] =
        breaker.on(
            CallFinished.class,
            event -> {
              heard.incrementAndGet();
              registration[0].cancel();
            });

    succeed(breaker, 3);

    assertThat(heard).hasValue(1);
  }

  @Test
  void a_listener_hears_only_the_type_it_has_registered_for() {
    CircuitBreaker breaker = small(1);
    List<CircuitBreakerEvent> finished = new ArrayList<>();
    List<CircuitBreakerEvent> refused = new ArrayList<>();
    List<CircuitBreakerEvent> all = new ArrayList<>();
    breaker.on(CallFinished.class, finished::add);
    breaker.on(CallRefused.class, refused::add);
    breaker.on(CircuitBreakerEvent.class, all::add);

    open(breaker);
    isRefused(breaker);

    assertThat(finished).hasSize(2).hasOnlyElementsOfType(CallFinished.class);
    assertThat(refused).containsExactly(new CallRefused("inventory", RefusalReason.OPEN));
    assertThat(all)
        .extracting(Object::getClass)
        .containsOnlyOnce(StateTransition.class, CallRefused.class)
        .hasSize(4);
  }

  @Test
  void one_transition_is_one_event_with_all_that_was_known() {
    CircuitBreaker breaker =
        breaker(settings -> settings.slidingWindowSize(4).waitDurationInOpenState(WAIT));
    RecordingListener heard = RecordingListener.on(breaker);
    succeedAfter(millis(20), breaker);
    for (int i = 0; i < 3; i++) {
      breaker.acquire().fail(new IOException("no " + i));
    }
    long at = time.nanoTime();

    StateTransition opening = heard.transitions().get(0);
    assertThat(heard.transitions()).hasSize(1);
    assertThat(opening.policy()).isEqualTo("inventory");
    assertThat(opening.sequence()).isEqualTo(1);
    assertThat(opening.at()).isEqualTo(at);
    assertThat(opening.from()).isEqualTo(State.CLOSED);
    assertThat(opening.to()).isEqualTo(State.OPEN);
    assertThat(opening.cause()).isEqualTo(TransitionCause.FAILURE_RATE);
    assertThat(opening.reason())
        .isEqualTo("3 of the last 4 calls failed (75 % >= 50 %), last with IOException");
    assertThat(opening.window()).isEqualTo(new WindowSnapshot(4, 3, 0, 0, 0, 4, 50, 100));
    assertThat(opening.failures())
        .extracting(FailureSample::message)
        .containsExactly("no 0", "no 1", "no 2");
    assertThat(opening.failures())
        .extracting(FailureSample::type)
        .containsOnly("java.io.IOException");
    assertThat(opening.slowestCall()).isEqualTo(millis(20));
    assertThat(opening.waitDuration()).isEqualTo(WAIT);
    assertThat(opening.openings()).isEqualTo(1);
    assertThat(opening)
        .hasToString(
            "inventory: CLOSED -> OPEN (FAILURE_RATE): 3 of the last 4 calls failed"
                + " (75 % >= 50 %), last with IOException, for 5 s");
  }

  @Test
  void a_message_cannot_look_like_another_line_of_a_log() {
    CircuitBreaker breaker = breaker(settings -> settings.slidingWindowSize(3));
    breaker.acquire().fail(new IOException("reset\r\n2026 ERROR all is lost"));
    breaker.acquire().fail(new IOException("reset\u2028\u2029by\u007fpeer"));
    breaker.acquire().fail(new IOException("reset by peer: größer als ~"));

    assertThat(breaker.transitions().get(0).failures())
        .extracting(FailureSample::message)
        .containsExactly(
            "reset 2026 ERROR all is lost", "reset by peer", "reset by peer: größer als ~");
  }

  @Test
  void of_many_failures_the_last_five_are_kept_with_messages_cut_to_two_hundred_characters() {
    CircuitBreaker breaker = breaker(settings -> settings.slidingWindowSize(8));
    for (int i = 0; i < 8; i++) {
      breaker.acquire().fail(new IOException(i + "x".repeat(300)));
    }

    List<FailureSample> failures = breaker.transitions().get(0).failures();
    assertThat(failures).hasSize(StateTransition.MAX_FAILURES);
    assertThat(failures)
        .extracting(FailureSample::message)
        .allSatisfy(
            message -> assertThat(message).hasSize(FailureSample.MAX_MESSAGE).endsWith("…"));
    assertThat(failures.get(4).message()).startsWith("7x");
  }

  @Test
  void the_openings_in_a_row_are_told_until_an_operator_steps_in() {
    CircuitBreaker breaker = small(1);
    openAndProbe(breaker).fail(new IOException());
    waitAndProbe(breaker).complete("fine");
    breaker.transitionTo(State.FORCED_OPEN);

    assertThat(breaker.transitions())
        .extracting(StateTransition::openings)
        .containsExactly(1, 1, 2, 2, 2, 0);
  }

  @Test
  void the_last_twenty_transitions_are_kept() {
    CircuitBreaker breaker = small(1);
    for (int i = 0; i < 15; i++) {
      breaker.transitionTo(State.FORCED_OPEN);
      breaker.transitionTo(State.CLOSED);
    }

    assertThat(breaker.transitions())
        .extracting(StateTransition::sequence)
        .containsExactlyElementsOf(LongStream.rangeClosed(11, 30).boxed().toList());
  }

  @Test
  void events_of_calls_say_what_the_calls_were_like() {
    CircuitBreaker breaker = small(1, settings -> settings.slowCallDurationThreshold(millis(10)));
    RecordingListener heard = RecordingListener.on(breaker);
    IOException down = new IOException("down");

    succeedAfter(millis(3), breaker);
    Permit permit = breaker.acquire();
    time.advance(millis(11));
    permit.fail(down);
    time.advance(WAIT);
    breaker.acquire().close();

    assertThat(heard.of(CallFinished.class))
        .containsExactly(
            new CallFinished("inventory", Outcome.SUCCESS, false, false, false, millis(3), null),
            new CallFinished("inventory", Outcome.FAILURE, true, false, false, millis(11), down),
            new CallFinished(
                "inventory", Outcome.CANCELLED, false, false, true, Duration.ZERO, null));
  }

  @Test
  void where_the_clock_is_not_read_the_event_has_no_duration() {
    CircuitBreaker breaker =
        small(1, settings -> settings.slowCallDurationThreshold(Duration.ZERO));
    RecordingListener heard = RecordingListener.on(breaker);

    succeed(breaker);

    assertThat(heard.of(CallFinished.class))
        .extracting(CallFinished::duration)
        .containsExactly((Duration) null);
  }

  @Test
  void a_listener_that_resets_the_breaker_hears_of_it_after_the_opening() {
    CircuitBreaker breaker = small(1);
    breaker.on(
        StateTransition.class,
        transition -> {
          if (transition.to() == State.OPEN) {
            breaker.reset();
          }
        });
    RecordingListener heard = RecordingListener.on(breaker);

    fail(breaker, 2);

    assertThat(breaker).isClosed();
    assertThat(heard.transitions())
        .extracting(StateTransition::cause)
        .containsExactly(TransitionCause.FAILURE_RATE, TransitionCause.RESET);
    succeed(breaker);
    assertThat(breaker.snapshot().window().calls()).isEqualTo(1);
  }

  @Test
  void a_listener_of_calls_that_resets_the_breaker_leaves_no_timer_behind() {
    CircuitBreaker breaker =
        breakerWithTimers(
            smallSettings(1)
                .andThen(
                    settings ->
                        settings
                            .slowCallDurationThreshold(Duration.ZERO)
                            .automaticTransitionFromOpenToHalfOpenEnabled(true)));
    breaker.on(
        CallFinished.class,
        finished -> {
          if (breaker.state() == State.OPEN) {
            breaker.reset();
          }
        });
    RecordingListener heard = RecordingListener.on(breaker);

    fail(breaker, 2);

    assertThat(breaker).isClosed();
    assertThat(time.pendingTimers()).isZero();
    assertThat(heard.transitions()).extracting(StateTransition::sequence).containsExactly(1L, 2L);
  }

  @Test
  void every_listener_hears_a_chain_of_transitions_in_the_same_order() {
    CircuitBreaker breaker = small(1);
    RecordingListener before = RecordingListener.on(breaker);
    breaker.on(
        StateTransition.class,
        transition -> {
          if (transition.to() == State.OPEN) {
            breaker.transitionTo(State.FORCED_OPEN);
            breaker.transitionTo(State.DISABLED);
          } else if (transition.to() == State.DISABLED) {
            breaker.transitionTo(State.CLOSED);
          }
        });
    RecordingListener after = RecordingListener.on(breaker);

    fail(breaker, 2);

    assertThat(before.transitions())
        .isEqualTo(after.transitions())
        .isEqualTo(breaker.transitions())
        .extracting(StateTransition::to)
        .containsExactly(State.OPEN, State.FORCED_OPEN, State.DISABLED, State.CLOSED);
  }

  @Test
  void transitions_of_many_threads_are_heard_one_at_a_time_and_in_order() {
    int threads = 4;
    int rounds = 500;
    CircuitBreaker breaker = small(1);
    List<Long> heard = new ArrayList<>(); // Not thread-safe: one at a time is part of the claim.
    AtomicInteger listening = new AtomicInteger();
    AtomicBoolean overlapped = new AtomicBoolean();
    breaker.on(
        StateTransition.class,
        transition -> {
          overlapped.compareAndSet(false, listening.getAndIncrement() != 0);
          heard.add(transition.sequence());
          listening.getAndDecrement();
        });

    inParallel(
        threads,
        thread -> {
          for (int i = 0; i < rounds; i++) {
            breaker.reset(); // An event each time, whatever the other threads do.
            breaker.transitionTo(i % 2 == 0 ? State.FORCED_OPEN : State.DISABLED);
          }
        });

    assertThat(overlapped).isFalse();
    assertThat(heard)
        .hasSizeGreaterThanOrEqualTo(threads * rounds)
        .isEqualTo(LongStream.rangeClosed(1, heard.size()).boxed().toList());
  }
}
