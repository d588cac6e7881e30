// Time that passes, also while the machine sleeps.

let slept = 0;
let steadyBefore = performance.now();
let wallBefore = Date.now();

/** More than a timer is ever late by; a clock that was set forward looks like a short sleep. */
const SLEEP = 3_000;

/**
 * Milliseconds since some moment. The steady clock stands still in a sleeping machine, on some
 * systems; the clock on the wall tells how long that was.
 */
export function now(): number {
  const steady = performance.now();
  const wall = Date.now();
  const more = wall - wallBefore - (steady - steadyBefore);
  if (more > SLEEP) {
    slept += more;
  }
  steadyBefore = steady;
  wallBefore = wall;
  return steady + slept;
}
