package dev.recloser;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The last good answer of each key, up to a number of keys and an age.
 *
 * <p>Answers stand in the order in which they arrived; a new one of the same key takes the place of
 * the old, at the end. What is too old, or one too many, goes from the front: it is what has not
 * been renewed for longest. Nothing needs a timer, and nothing goes while the dependency is down,
 * for then nothing comes.
 *
 * <p>The user's {@code equals} is never asked under the lock, where it could hold up others or lock
 * up with them. So keys are looked for by hash code under it, and the few of the same hash code are
 * compared outside. In between the answer may have been renewed or have gone, which is as if the
 * look had come a little earlier. Two threads that bring the first answer of a key may both enter
 * it: the newer one is found, and the other goes in its turn.
 */
final class KeyedAnswers<T extends @Nullable Object> {
  private final long nanosToLive;
  private final int maxEntries;

  // Guarded by this.
  private final Set<Entry<T>> byArrival = new LinkedHashSet<>();
  private final Map<Integer, List<Entry<T>>> byHash = new HashMap<>();

  /** Is itself only, so that the collections never ask the user's key. */
  private static final class Entry<T extends @Nullable Object> {
    final CallKey key;
    final LastGood<T> good;

    Entry(CallKey key, LastGood<T> good) {
      this.key = key;
      this.good = good;
    }
  }

  KeyedAnswers(long nanosToLive, int maxEntries) {
    this.nanosToLive = nanosToLive;
    this.maxEntries = maxEntries;
  }

  /** The last good answer of a key; null if there is none. */
  @Nullable LastGood<T> find(CallKey key) {
    Entry<T> entry = entryOf(key);
    return entry == null ? null : entry.good;
  }

  void keep(CallKey key, LastGood<T> good) {
    Entry<T> before = entryOf(key);
    Entry<T> entry = new Entry<>(key, good);
    synchronized (this) {
      if (before != null) {
        remove(before);
      }
      add(entry);
      removeOld(good.arrivedAt());
    }
  }

  /** Forgets what is too old. */
  synchronized void removeOld(long now) {
    Iterator<Entry<T>> oldestFirst = byArrival.iterator();
    while (oldestFirst.hasNext()) {
      Entry<T> oldest = oldestFirst.next();
      if (byArrival.size() <= maxEntries && oldest.good.ageAt(now) <= nanosToLive) {
        return;
      }
      oldestFirst.remove();
      unlink(oldest);
    }
  }

  synchronized int size() {
    return byArrival.size();
  }

  private @Nullable Entry<T> entryOf(CallKey key) {
    for (Entry<T> entry : entriesOf(key.hash())) {
      if (key.means(entry.key)) {
        return entry;
      }
    }
    return null;
  }

  /** The newest first. Unmodifiable. */
  private synchronized List<Entry<T>> entriesOf(int hash) {
    return byHash.getOrDefault(hash, List.of());
  }

  private void add(Entry<T> entry) {
    byArrival.add(entry);
    byHash.merge(
        entry.key.hash(),
        List.of(entry),
        (others, one) -> Stream.concat(one.stream(), others.stream()).toList());
  }

  private void remove(Entry<T> entry) {
    if (byArrival.remove(entry)) {
      unlink(entry);
    }
  }

  private void unlink(Entry<T> gone) {
    byHash.computeIfPresent(
        gone.key.hash(),
        (hash, entries) -> {
          List<Entry<T>> left = entries.stream().filter(entry -> entry != gone).toList();
          return left.isEmpty() ? null : left;
        });
  }
}
