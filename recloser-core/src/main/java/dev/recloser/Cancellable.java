package dev.recloser;

/** A handle on something that was registered or scheduled. */
@FunctionalInterface
public interface Cancellable {
  /** Ends it. Does nothing when it has already ended or run; never throws. */
  void cancel();
}
