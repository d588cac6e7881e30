// How old an answer is that is asked for again and again.
import { now } from "./clock";
import { attribute, h, text } from "./dom";
import { duration } from "./words";

/** A question a second, with time for two to be lost. */
const OLD = 3_500;

export class Freshness {
  readonly element = h("p", { class: "as-of", hidden: true });
  private at: number | null = null;

  renew(): void {
    this.at = now();
  }

  /** Marks what is shown by the answer as old, and says how old it is. */
  show(shown: HTMLElement): void {
    const age = this.at === null ? 0 : now() - this.at;
    const old = age > OLD;
    this.element.hidden = !old;
    attribute(shown, "data-old", String(old));
    if (old) {
      text(this.element, `What follows is as of ${duration(age)} ago.`);
    }
  }
}
