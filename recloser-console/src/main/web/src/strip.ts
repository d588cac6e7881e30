// The window as it will be forgotten: its calls or slices of time, oldest first.
import type { Detail, Slice } from "./api";
import { attribute, h, text } from "./dom";
import { duration, judges, number } from "./words";

/** The kinds of calls, from the top of a slice to its foot; each has a pattern of its own. */
const KINDS: [string, string, (slice: Slice) => number][] = [
  ["failed", "failed", (slice) => slice.failed - slice.slowFailed],
  ["slow-failed", "slow and failed", (slice) => slice.slowFailed],
  ["slow", "slow", (slice) => slice.slow - slice.slowFailed],
  ["ok", "fine", (slice) => slice.calls - slice.failed - slice.slow + slice.slowFailed],
];

/** Above it the server puts calls together. */
const MOST_CELLS = 100;

export class Strip {
  private readonly band = h("div", { class: "strip", role: "img" });
  private readonly explained = h("p", { class: "hint" });
  private readonly counts = KINDS.map(() => h("span", { class: "count" }));
  private readonly legend = h("ul", { class: "legend" }, ...KINDS.map(([kind, label], i) =>
    h("li", {}, h("span", { class: `swatch part ${kind}` }), this.counts[i], ` ${label}`)));
  readonly element = h("div", { class: "window" }, this.band, this.legend, this.explained);

  show(detail: Detail): void {
    const { slices, type, size, durationMillis } = detail.strip;
    const most = Math.max(1, ...slices.map((slice) => slice.calls));
    // A window of calls has room for those that are still to come.
    const room = size !== null && size <= MOST_CELLS ? size : slices.length;
    this.band.style.setProperty("--room", String(Math.max(1, room)));
    this.band.replaceChildren(...slices.map((slice) => cell(slice, most)));
    this.band.hidden = slices.length === 0;
    this.legend.hidden = slices.length === 0;
    const sums = KINDS.map(([, , of]) => slices.reduce((sum, slice) => sum + of(slice), 0));
    this.counts.forEach((count, i) => text(count, number(sums[i] ?? 0)));
    const { calls } = detail.window;
    const told = KINDS.map(([, label], i) => `${number(sums[i] ?? 0)} ${label}`).join(", ");
    attribute(this.band, "aria-label", `${number(calls)} calls, oldest first: ${told}`);
    const length = type === "COUNT_BASED" ? `the last ${number(size ?? 0)} calls` : `the calls of the last ${duration(durationMillis ?? 0)}`;
    text(this.explained, slices.length === 0
      ? `It judges by ${length}; ${judges(detail) ? "there are none yet" : "there is no window in this state"}.`
      : `${number(calls)} of ${length}. Oldest at the left, the next to be forgotten.`);
  }
}

function cell(slice: Slice, most: number): HTMLElement {
  const element = h("span", { class: "slice" }, ...KINDS.map(([kind, , of]) => part(kind, of(slice))));
  element.style.setProperty("--share", String(Math.max(slice.calls ? 0.12 : 0, slice.calls / most)));
  return element;
}

function part(kind: string, calls: number): HTMLElement | null {
  if (calls <= 0) {
    return null;
  }
  const element = h("span", { class: `part ${kind}` });
  element.style.flexGrow = String(calls);
  return element;
}
