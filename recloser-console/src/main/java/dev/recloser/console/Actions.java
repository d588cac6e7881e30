package dev.recloser.console;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last things that operators did, for the page; the log has them all. Thread-safe. */
final class Actions {
  private static final int MOST = 200;

  /**
   * Something an operator did.
   *
   * @param at the reading of the console's ticker
   */
  record Action(
      String breaker,
      String user,
      Control control,
      String reason,
      @Nullable Duration expiry,
      long at) {}

  private final Deque<Action> last = new ArrayDeque<>();

  synchronized void add(Action action) {
    if (last.size() == MOST) {
      last.removeFirst();
    }
    last.addLast(action);
  }

  synchronized List<Action> of(String breaker) {
    return last.stream().filter(action -> action.breaker().equals(breaker)).toList();
  }
}
