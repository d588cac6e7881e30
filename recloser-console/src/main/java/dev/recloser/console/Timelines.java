package dev.recloser.console;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.PolicySource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a timeline of each breaker as long as it is followed, from when the panel was made. What
 * listens hears of changes of state only, so no call makes an event for it. Thread-safe.
 */
final class Timelines implements AutoCloseable {
  private final Map<CircuitBreaker, Timeline> kept = new ConcurrentHashMap<>();
  private final Cancellable following;

  Timelines(PolicySource<CircuitBreaker> breakers) {
    following = breakers.follow(this::keep);
  }

  /** That of a breaker; of one that is not followed, what the breaker knows itself. */
  Timeline of(CircuitBreaker breaker) {
    Timeline timeline = kept.get(breaker);
    return timeline == null ? new Timeline(breaker) : timeline;
  }

  /** Listens no more; from then on there is what breakers know themselves. */
  @Override
  public void close() {
    following.cancel();
  }

  private Cancellable keep(CircuitBreaker breaker) {
    Timeline timeline = new Timeline(breaker);
    // The listener first: the first look then finds all that it does not hear of.
    Cancellable registration = breaker.on(StateTransition.class, timeline::add);
    timeline.catchUp();
    kept.put(breaker, timeline);
    return () -> {
      registration.cancel();
      kept.remove(breaker, timeline);
    };
  }
}
