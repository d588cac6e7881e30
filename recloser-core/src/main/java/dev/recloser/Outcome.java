package dev.recloser;

/**
 * How a call ended, as far as the health of its dependency is concerned.
 *
 * <p>Whether the call was <em>slow</em> is a separate bit that only {@link #SUCCESS} and {@link
 * #FAILURE} can carry.
 */
public enum Outcome {
  /** The dependency did its work. Enters the window. */
  SUCCESS,
  /** The dependency failed. Enters the window. */
  FAILURE,
  /** The call says nothing about the dependency, a rejected argument for example. No evidence. */
  IGNORED,
  /** The caller gave up before there was a result. No evidence. */
  CANCELLED;

  /** Whether this end is evidence about the dependency, and so enters the window. */
  public boolean isRecorded() {
    return this == SUCCESS || this == FAILURE;
  }
}
