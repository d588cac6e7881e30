package dev.recloser.conformance;

import dev.recloser.WindowSnapshot;

/**
 * What a window holds.
 *
 * @param calls the calls recorded
 * @param failed how many of them failed
 * @param slow how many of them were slow
 */
record Counts(int calls, int failed, int slow) {

  static Counts of(WindowSnapshot window) {
    return new Counts(window.calls(), window.failed(), window.slow());
  }
}
