package dev.recloser.jdk;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Does something about each breaker of a registry as long as it is there. Thread-safe. */
final class BreakerWatch implements AutoCloseable {
  private final Function<? super CircuitBreaker, Cancellable> listener;
  private final List<Cancellable> sources;

  /** The listeners by what they listen to. Guarded by itself. */
  private final Map<CircuitBreaker, Cancellable> listening = new HashMap<>();

  private boolean closed;

  /**
   * Starts.
   *
   * @param listener makes a listener of a breaker
   */
  BreakerWatch(
      CircuitBreakerRegistry breakers, Function<? super CircuitBreaker, Cancellable> listener) {
    this.listener = listener;
    sources = List.of(breakers.onAdded(this::listen), breakers.onRemoved(this::leave));
    for (CircuitBreaker breaker : breakers.all()) {
      listen(breaker);
      if (breakers.find(breaker.name()).orElse(null) != breaker) {
        leave(breaker); // Its eviction may have been told before it was heard of here.
      }
    }
  }

  private void listen(CircuitBreaker breaker) {
    synchronized (listening) {
      if (!closed) {
        listening.computeIfAbsent(breaker, listener);
      }
    }
  }

  private void leave(CircuitBreaker breaker) {
    synchronized (listening) {
      Cancellable left = listening.remove(breaker);
      if (left != null) {
        left.cancel();
      }
    }
  }

  @Override
  public void close() {
    synchronized (listening) {
      closed = true;
      sources.forEach(Cancellable::cancel);
      listening.values().forEach(Cancellable::cancel);
      listening.clear();
    }
  }
}
