package dev.recloser;

import dev.recloser.spi.CallContext;
import dev.recloser.spi.CallContext.Snapshot;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The contexts that go with calls from thread to thread. What they throw is logged once. */
final class Contexts {
  private static final Snapshot[] NOTHING = {};

  private final List<CallContext> contexts;
  private final AtomicBoolean complained = new AtomicBoolean();

  private Contexts(List<CallContext> contexts) {
    this.contexts = contexts;
  }

  /** Those that go with every call. */
  static Contexts installed() {
    return Installed.CONTEXTS;
  }

  /** These as well. */
  Contexts and(List<CallContext> others) {
    if (others.isEmpty()) {
      return this;
    }
    List<CallContext> all = new ArrayList<>(contexts);
    all.addAll(others);
    return new Contexts(List.copyOf(all));
  }

  /** Takes what this thread has. */
  Snapshot[] capture() {
    return contexts.isEmpty()
        ? NOTHING
        : contexts.stream().map(this::captured).filter(s -> s != null).toArray(Snapshot[]::new);
  }

  /** Runs a task with what was taken: the first of them outermost. */
  void run(Snapshot[] snapshots, Runnable task) {
    run(snapshots, 0, task);
  }

  private void run(Snapshot[] snapshots, int place, Runnable task) {
    if (place == snapshots.length) {
      task.run();
      return;
    }
    Once inner = new Once(() -> run(snapshots, place + 1, task));
    try {
      snapshots[place].run(inner);
    } catch (Throwable thrown) {
      complain(thrown);
    }
    inner.run(); // If the context did not.
  }

  private @Nullable Snapshot captured(CallContext context) {
    try {
      return context.capture();
    } catch (Throwable thrown) {
      complain(thrown);
      return null;
    }
  }

  private void complain(Throwable thrown) {
    if (complained.compareAndSet(false, true)) {
      Listeners.log("A call context threw (told once)", thrown);
    }
  }

  /** Found when the first call needs them, which one that stays on its thread does not. */
  private static final class Installed {
    static final Contexts CONTEXTS = new Contexts(load());

    /** By the library's own class loader: that of the thread which comes first may be any. */
    private static Iterator<CallContext> services() {
      return ServiceLoader.load(CallContext.class, CallContext.class.getClassLoader()).iterator();
    }

    private static List<CallContext> load() {
      List<CallContext> found = new ArrayList<>();
      try {
        Iterator<CallContext> services = services();
        while (services.hasNext()) {
          found.add(services.next());
        }
      } catch (Throwable broken) {
        Listeners.log("A call context cannot be loaded, and those after it", broken);
      }
      return List.copyOf(found);
    }
  }
}
