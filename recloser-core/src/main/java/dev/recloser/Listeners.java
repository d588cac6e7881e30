package dev.recloser;

import dev.recloser.CircuitBreakerEvent.StateTransition;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who wants to hear what, and the delivery.
 *
 * <p>The events of calls are delivered by the thread they happen on. Transitions are delivered one
 * at a time in the order of their sequence numbers: a thread that has made a transition puts it in
 * line, and whoever finds the line not being served delivers what stands next, without a lock. So a
 * listener that makes a transition itself hears of it after the present one, and a slow listener
 * delays later news but no call other than the one whose thread delivers.
 */
final class Listeners {
  private static final System.Logger LOG = System.getLogger("dev.recloser");
  private static final Entry<?>[] NOBODY = {};

  private volatile Entry<?>[] entries = NOBODY;

  // Guarded by this.
  private @Nullable Map<Long, StateTransition> line;
  private long next = 1;
  private boolean serving;

  <E extends PolicyEvent> Cancellable add(Class<E> type, Consumer<? super E> listener) {
    Entry<E> entry = new Entry<>(type, listener);
    synchronized (this) {
      Entry<?>[] longer = Arrays.copyOf(entries, entries.length + 1);
      longer[entries.length] = entry;
      entries = longer;
    }
    return () -> remove(entry);
  }

  /** Whether anybody would hear an event of this type. */
  boolean want(Class<? extends PolicyEvent> type) {
    for (Entry<?> entry : entries) {
      if (entry.type.isAssignableFrom(type)) {
        return true;
      }
    }
    return false;
  }

  void deliver(PolicyEvent event) {
    for (Entry<?> entry : entries) {
      entry.offer(event);
    }
  }

  /** Delivers a transition when its turn comes, which may be on another thread. */
  void deliverInOrder(StateTransition transition) {
    synchronized (this) {
      if (line == null) {
        line = new HashMap<>(4);
      }
      line.put(transition.sequence(), transition);
    }
    for (StateTransition event = take(); event != null; event = takeNext()) {
      deliver(event);
    }
  }

  /** Logs what somebody should know. Never throws. */
  static void log(String what) {
    try {
      LOG.log(Level.WARNING, what);
    } catch (Throwable ignored) {
      // A logger that throws has nobody left to tell it to.
    }
  }

  /** Logs what user code threw. Never throws: a logger that does has nobody left to tell it to. */
  static void log(String what, Throwable thrown) {
    try {
      LOG.log(Level.WARNING, what, thrown);
    } catch (Throwable ignored) {
      // See above.
    }
  }

  private synchronized @Nullable StateTransition take() {
    if (serving) {
      return null;
    }
    serving = true;
    return takeNext();
  }

  private synchronized @Nullable StateTransition takeNext() {
    StateTransition event = line == null ? null : line.remove(next);
    if (event == null) {
      serving = false;
    } else {
      next++;
    }
    return event;
  }

  private synchronized void remove(Entry<?> gone) {
    entries = Arrays.stream(entries).filter(entry -> entry != gone).toArray(Entry<?>[]::new);
  }

  private static final class Entry<E extends PolicyEvent> {
    final Class<E> type;
    private final Consumer<? super E> listener;
    private final AtomicBoolean complained = new AtomicBoolean();

    Entry(Class<E> type, Consumer<? super E> listener) {
      this.type = type;
      this.listener = listener;
    }

    void offer(PolicyEvent event) {
      if (!type.isInstance(event)) {
        return;
      }
      try {
        listener.accept(type.cast(event));
      } catch (Throwable e) {
        if (complained.compareAndSet(false, true)) {
          String kind = event.getClass().getSimpleName();
          log("A listener of " + event.policy() + " threw at a " + kind + " (told once)", e);
        }
      }
    }
  }
}
