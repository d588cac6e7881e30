package dev.recloser;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Tells listeners which policies have come and gone, in that order. */
final class RegistryNews<P extends Policy> {
  private final News news = new News();
  private final List<Consumer<? super P>> addedListeners = new CopyOnWriteArrayList<>();
  private final List<Consumer<? super P>> removedListeners = new CopyOnWriteArrayList<>();

  Cancellable onAdded(Consumer<? super P> listener) {
    return register(addedListeners, listener);
  }

  Cancellable onRemoved(Consumer<? super P> listener) {
    return register(removedListeners, listener);
  }

  /**
   * Lets somebody hear of all policies, those there are first; under the registry's lock. What was
   * put in before it is told of as well, and so may be told of twice.
   */
  Cancellable follow(Following<P> following, List<P> present) {
    Cancellable added = onAdded(following::begin);
    Cancellable removed = onRemoved(following::end);
    present.forEach(policy -> news.add(() -> following.begin(policy)));
    return () -> {
      added.cancel();
      removed.cancel();
      following.cancel();
    };
  }

  /** Puts in that a policy has come, under the registry's lock, which fixes the order. */
  void added(P policy) {
    news.add(() -> tell(addedListeners, policy));
  }

  /** Puts in that a policy has gone, under the registry's lock, which fixes the order. */
  void removed(P policy) {
    news.add(() -> tell(removedListeners, policy));
  }

  /** Tells what was put in; under no lock, for listeners may use the registry. Never throws. */
  void deliver() {
    news.deliver();
  }

  private static <P> Cancellable register(
      List<Consumer<? super P>> listeners, Consumer<? super P> listener) {
    Objects.requireNonNull(listener, "listener");
    Consumer<P> registered = listener::accept; // A new identity for each registration.
    listeners.add(registered);
    return () -> listeners.remove(registered);
  }

  private static <P extends Policy> void tell(List<Consumer<? super P>> listeners, P policy) {
    for (Consumer<? super P> listener : listeners) {
      try {
        listener.accept(policy);
      } catch (Throwable e) {
        Listeners.log("A registry listener threw at " + policy.name(), e);
      }
    }
  }
}
