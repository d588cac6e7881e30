// The choice of a state, with how many are in each.
import { attribute, h, text } from "./dom";
import { keep, kept } from "./kept";
import { STATES, icon, number, showIcon, word } from "./words";
import type { State } from "./api";

export class Chips {
  readonly element: HTMLElement;
  private readonly chips = new Map<State | "", HTMLButtonElement>();
  private chosen: State | "" = "";

  constructor(private readonly what: string, label: string, private readonly onChoose: () => void) {
    this.element = h("div", { class: "chips", role: "group", "aria-label": label });
    for (const state of ["", ...STATES] as const) {
      const chip = h("button", { type: "button", class: "chip" });
      if (state) {
        attribute(chip, "data-state", state);
        const shape = icon();
        showIcon(shape, state);
        chip.append(shape);
      }
      chip.append(h("span", {}, state ? word(state) : "All"), h("span", { class: "count" }));
      chip.addEventListener("click", () => {
        this.choose(this.chosen === state ? "" : state);
        this.onChoose();
      });
      this.chips.set(state, chip);
      this.element.append(chip);
    }
    this.choose(STATES.find((state) => state === kept(what, "tab")) ?? "");
  }

  /** That of whom only are wanted; empty for all. */
  get state(): State | "" {
    return this.chosen;
  }

  /** Says how many there are; of states that are not in it there is none. */
  count(counts: Map<State | "", number>): void {
    for (const [state, chip] of this.chips) {
      const count = counts.get(state) ?? 0;
      text(chip.lastElementChild as Element, number(count));
      attribute(chip, "data-any", String(count > 0));
    }
  }

  private choose(state: State | ""): void {
    this.chosen = state;
    keep(this.what, state, "tab");
    for (const [each, chip] of this.chips) {
      attribute(chip, "aria-pressed", String(each === state));
    }
  }
}
