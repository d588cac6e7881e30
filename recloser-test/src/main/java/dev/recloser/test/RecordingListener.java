package dev.recloser.test;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.Policy;
import dev.recloser.PolicyEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Remembers everything a policy tells, in the order in which it was told.
 *
 * <pre>{@code
 * RecordingListener heard = RecordingListener.on(inventory);
 * ...
 * assertThat(heard.transitions()).hasSize(1);
 * assertThat(heard.of(CallRefused.class)).isEmpty();
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class RecordingListener implements AutoCloseable {
  private final List<PolicyEvent> events = Collections.synchronizedList(new ArrayList<>());
  private final Cancellable registration;

  private RecordingListener(Policy policy) {
    registration = policy.on(PolicyEvent.class, events::add);
  }

  /** Registers a new listener with a policy; it hears what happens from now on. */
  public static RecordingListener on(Policy policy) {
    return new RecordingListener(Objects.requireNonNull(policy, "policy"));
  }

  /** All events so far, the newest last. An immutable copy. */
  public List<PolicyEvent> events() {
    return List.copyOf(events);
  }

  /**
   * The events of a type so far, the newest last. An immutable copy.
   *
   * @param type a type of event
   */
  public <E extends PolicyEvent> List<E> of(Class<E> type) {
    return events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** The transitions of a breaker so far, the newest last. An immutable copy. */
  public List<StateTransition> transitions() {
    return of(StateTransition.class);
  }

  /** Forgets the events so far, and goes on listening. */
  public void clear() {
    events.clear();
  }

  /** Stops listening; what was heard stays. */
  @Override
  public void close() {
    registration.cancel();
  }

  @Override
  public String toString() {
    return "heard " + events();
  }
}
