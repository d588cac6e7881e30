// A rate as a bar against its threshold.
import { attribute, h, percent, text } from "./dom";
import { rate } from "./words";

export class Meter {
  readonly element: HTMLElement;
  private readonly value = h("span", { class: "meter-value" });
  private readonly fill = h("span", { class: "meter-fill" });
  private readonly mark = h("span", { class: "meter-mark" });

  constructor(label: string, kind: "failed" | "slow") {
    const track = h("span", { class: "meter-track", "aria-hidden": "true" }, this.fill, this.mark);
    const name = h("span", { class: "meter-label" }, label);
    this.element = h("div", { class: `meter ${kind}` }, name, this.value, track);
  }

  show(value: number | null, threshold: number, believed: boolean): void {
    text(this.value, value === null ? "no calls" : `${rate(value).replace(" %", "")} of ${rate(threshold)}`);
    percent(this.fill, "width", value ?? 0);
    percent(this.mark, "left", threshold);
    attribute(this.element, "data-level", level(value, threshold, believed));
  }
}

function level(value: number | null, threshold: number, believed: boolean): string {
  if (value === null || !believed) {
    return "none";
  }
  return value >= threshold ? "over" : value >= threshold * 0.7 ? "near" : "fine";
}
