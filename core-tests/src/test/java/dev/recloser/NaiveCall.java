package dev.recloser;

/** A call that the naive breaker has admitted. */
final class NaiveCall {
  /** The stay that admitted it, and the only one that it can move. */
  final NaiveStay issuer;

  final long start;

  final boolean probe;

  /** Whether its start is known: it is read for probes, and where slow calls are tracked. */
  final boolean timed;

  /** Whether it is watched while it runs, as was set when it began. */
  final boolean watched;

  boolean ended;

  NaiveCall(NaiveStay issuer, long start, boolean probe, boolean timed, boolean watched) {
    this.issuer = issuer;
    this.start = start;
    this.probe = probe;
    this.timed = timed;
    this.watched = watched;
  }

  boolean isLongerThan(long limitNanos, long now) {
    return timed && limitNanos > 0 && now - start > limitNanos;
  }
}
