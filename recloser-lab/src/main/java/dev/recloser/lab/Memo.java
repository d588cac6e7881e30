package dev.recloser.lab;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A function that remembers what it has computed for the few keys that keep coming.
 *
 * @param <K> has {@code equals} and {@code hashCode}
 */
final class Memo<K, V> {
  /** A trace with more keys than this is not helped, but does not fill the memory either. */
  private static final int MAX_SIZE = 1_000;

  private final Function<? super K, ? extends V> function;
  private final Map<K, V> known = new HashMap<>();

  Memo(Function<? super K, ? extends V> function) {
    this.function = function;
  }

  V get(K key) {
    V value = known.get(key);
    if (value == null) {
      value = function.apply(key);
      remember(key, value);
    }
    return value;
  }

  private void remember(K key, V value) {
    if (known.size() == MAX_SIZE) {
      known.clear();
    }
    known.put(key, value);
  }
}
