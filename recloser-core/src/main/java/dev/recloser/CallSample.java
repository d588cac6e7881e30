package dev.recloser;

/**
 * What an adaptive limit learns from a call.
 *
 * @param end how it ended
 * @param nanos how long it held its slot; zero or more, and more for a success
 * @param running how many calls held a slot when it ended, itself among them
 */
record CallSample(End end, long nanos, int running) {
  /** The ends of calls that mean something; cancelled and ignored ones do not. */
  enum End {
    SUCCESS,
    FAILURE,
    /** Turned away by a policy further in. */
    REFUSAL
  }
}
