package dev.recloser;

/**
 * What tells apart the calls that ask for different things, as it was when the call began.
 *
 * <p>The hash code is asked for once. So a key that changes later, such as an array of arguments
 * that the call itself fills, is not found again, rather than found for what it has become.
 */
final class CallKey {
  /** The key of calls without one, which all ask the same. */
  static final CallKey NONE = new CallKey("", 0);

  private final Object key;
  private final int hash;

  private CallKey(Object key, int hash) {
    this.key = key;
    this.hash = hash;
  }

  /** Asks a user's key for its hash code, which may throw. */
  static CallKey of(Object key) {
    return new CallKey(key, key.hashCode());
  }

  int hash() {
    return hash;
  }

  /** Asks the user's key, which may throw. */
  boolean means(CallKey other) {
    return hash == other.hash && key.equals(other.key);
  }
}
