package dev.recloser;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a fallback keeps to give it later: the last good answer of calls without a key, and those of
 * the others. Keys and the ticker are the user's; where one throws, an answer is not kept, or not
 * found, and nothing else comes of it.
 */
final class GoodAnswers<T extends @Nullable Object> {
  private final Policy owner;
  private final Ticker ticker;
  private final long nanosToLive;

  /** Calls that end at once write it in either order: both have just arrived. */
  private final AtomicReference<@Nullable LastGood<T>> withoutKey = new AtomicReference<>();

  private final KeyedAnswers<T> byKey;

  GoodAnswers(Policy owner, Ticker ticker, long nanosToLive, int maxEntries) {
    this.owner = owner;
    this.ticker = ticker;
    this.nanosToLive = nanosToLive;
    byKey = new KeyedAnswers<>(nanosToLive, maxEntries);
  }

  /** The key of a call that begins; null if there will be nothing to keep or to find. */
  @Nullable CallKey keyOf(@Nullable Object key) {
    if (key == null) {
      return CallKey.NONE;
    }
    try {
      return CommandKey.isOne(key) ? null : CallKey.of(key);
    } catch (Throwable thrown) {
      owner.userCodeFailed("stale", thrown);
      return null;
    }
  }

  void keep(CallKey key, T value) {
    try {
      LastGood<T> good = new LastGood<>(value, ticker.nanoTime());
      if (key == CallKey.NONE) {
        withoutKey.set(good);
      } else {
        byKey.keep(key, good);
      }
    } catch (Throwable thrown) {
      owner.userCodeFailed("stale", thrown);
    }
  }

  /** The last good answer with its age; null if there is none that is young enough. */
  @Nullable Answer<T> find(CallKey key) {
    try {
      LastGood<T> good = key == CallKey.NONE ? withoutKey.get() : byKey.find(key);
      return good == null ? null : youngEnough(good);
    } catch (Throwable thrown) {
      owner.userCodeFailed("stale", thrown);
      return null;
    }
  }

  int size() {
    return byKey.size() + (withoutKey.get() == null ? 0 : 1);
  }

  /** Reads the ticker after the answer was found, and so not before it was kept. */
  private @Nullable Answer<T> youngEnough(LastGood<T> good) {
    long now = ticker.nanoTime();
    if (good.ageAt(now) <= nanosToLive) {
      return good.answerAt(now);
    }
    // Unless a newer one has come meanwhile.
    boolean unused = withoutKey.compareAndSet(good, null);
    byKey.removeOld(now);
    return null;
  }
}
