package dev.recloser;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a fallback: which calls it is for, and what it gives them.
 *
 * @param kind the calls it is for, as the user wrote them; empty for all
 * @param meant whether it is for a call that threw this; may be user code
 */
record FallbackRule<T extends @Nullable Object>(
    String kind, Predicate<? super Throwable> meant, Remedy<T> remedy) {
  /** Whether it is for this call, and has something to give. Never throws. */
  boolean matches(Policy owner, FailedCall<T> failed) {
    try {
      return meant.test(failed.thrown()) && remedy.isAtHand(failed);
    } catch (Throwable broken) {
      owner.userCodeFailed("onException", broken);
      return false;
    }
  }

  /** As it was written: {@code onRefusal}, {@code stale 5 min}, {@code on REFUSED stale 5 min}. */
  String describe() {
    return (kind + " " + remedy.describe()).strip();
  }
}
