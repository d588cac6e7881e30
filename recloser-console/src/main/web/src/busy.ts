// Whether somebody is in a list, in which nothing moves then.
import { now } from "./clock";

/** A pointer or a focus that nobody has moved for so long was left behind, as on a wall. */
const POINTER_LEFT = 60_000;
const FOCUS_LEFT = 5 * 60_000;

export class Busy {
  private pointerAt = -Infinity;
  private keyAt = -Infinity;

  constructor(private readonly list: HTMLElement) {
    for (const moved of ["pointermove", "wheel"]) {
      list.addEventListener(moved, () => (this.pointerAt = now()), { passive: true });
    }
    for (const moved of ["focusin", "keydown"]) {
      list.addEventListener(moved, () => (this.keyAt = now()));
    }
  }

  /** In words; empty if nobody is. */
  with(): string {
    if (this.list.contains(document.activeElement) && now() - this.keyAt < FOCUS_LEFT) {
      return "the focus";
    }
    return this.list.matches(":hover") && now() - this.pointerAt < POINTER_LEFT ? "the pointer" : "";
  }
}
