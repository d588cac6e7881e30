package dev.recloser;

import dev.recloser.Pace.Moment;
import org.jspecify.annotations.Nullable;

/** Permits that somebody waits for. Its fields that change are guarded by its bucket. */
final class Reservation {
  final int permits;
  final long madeAt;

  /** By when the wait must be over. */
  final long deadline;

  /** The stage that waits; null for a thread. */
  final @Nullable LimitedStage<?> stage;

  /** When the permits are there. */
  Moment ready;

  /**
   * Until when a thread sleeps. It cannot be told when its permits come sooner, and so takes them
   * then; null for a stage, which can.
   */
  @Nullable Moment sleepsUntil;

  State state = State.WAITING;

  /** What has become of it. */
  enum State {
    WAITING,
    GRANTED,
    /** Can no longer be served in its time, because the limits have changed. */
    REFUSED,
    CANCELLED
  }

  Reservation(
      int permits, long madeAt, long deadline, @Nullable LimitedStage<?> stage, Moment ready) {
    this.permits = permits;
    this.madeAt = madeAt;
    this.deadline = deadline;
    this.stage = stage;
    this.ready = ready;
    sleepsUntil = stage == null ? ready : null;
  }

  /** Rounds its moments up to whole nanoseconds, which mean the same at every pace. */
  void restate() {
    ready = Moment.of(ready.reached());
    sleepsUntil = sleepsUntil == null ? null : Moment.of(sleepsUntil.reached());
  }
}
