// The window as it will be forgotten: its calls or slices of time, oldest first.
import type { Detail, Slice, Transition, Window } from "./api";
import { attribute, h, text } from "./dom";
import { duration, judges, number } from "./words";

/** The kinds of calls, from the top of a slice to its foot; each has a pattern of its own. */
const KINDS: [string, string, (slice: Pick<Slice, "calls" | "failed" | "slow" | "slowFailed">) => number][] = [
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
    const { type, size, durationMillis } = detail.strip;
    const opening = detail.strip.slices.length === 0 ? openingOf(detail) : null;
    const probes = detail.state === "HALF_OPEN";
    // There is no window then, but what it was judged by, or is.
    const sorted = opening?.window ?? (probes ? detail.window : null);
    const slices = sorted ? byEnd(sorted) : detail.strip.slices;
    const most = Math.max(1, ...slices.map((slice) => slice.calls));
    // A window of calls has room for those that are still to come.
    const room = sorted
      ? Math.max(slices.length, probes || opening?.from === "HALF_OPEN" ? sorted.minimumNumberOfCalls : 0)
      : size !== null && size <= MOST_CELLS ? size : slices.length;
    this.band.style.setProperty("--room", String(Math.max(1, room)));
    this.band.replaceChildren(...slices.map((slice) => cell(slice, most)));
    const sums = KINDS.map(([, , of]) => (sorted ? of(sorted) : slices.reduce((sum, slice) => sum + of(slice), 0)));
    this.counts.forEach((count, i) => text(count, number(sums[i] ?? 0)));
    const { calls } = sorted ?? detail.window;
    const told = KINDS.map(([, label], i) => `${number(sums[i] ?? 0)} ${label}`).join(", ");
    attribute(this.band, "aria-label", opening ? `When it opened: ${told}` : probes ? `Probes that have reported: ${told}` : `${number(calls)} calls, oldest first: ${told}`);
    const length = type === "COUNT_BASED" ? `the last ${number(size ?? 0)} calls` : `the calls of the last ${duration(durationMillis ?? 0)}`;
    if (probes) {
      text(this.explained, `${number(calls)} of ${number(detail.permittedNumberOfCallsInHalfOpenState)} probes have reported, sorted by how they ended. It judges by ${length}, anew when it closes.`);
      return;
    }
    if (opening) {
      const what = opening.from === "HALF_OPEN" ? "probes that had reported" : "calls that it had";
      text(this.explained, `${number(calls)} ${what} when it opened, sorted by how they ended. It judges by ${length}, anew when it closes.`);
      return;
    }
    text(this.explained, slices.length === 0
      ? `It judges by ${length}; ${judges(detail) ? "there are none yet" : "there is no window in this state"}.`
      : `${number(calls)} of ${length}. Oldest at the left, the next to be forgotten.`);
  }
}

/** What opened it, while it is open and has no window. */
function openingOf(detail: Detail): Transition | null {
  const last = detail.history[detail.history.length - 1];
  return detail.state === "OPEN" && last?.to === "OPEN" && last.window.calls > 0 ? last : null;
}

/** A window of which only the sums are known, as cells of one call each as far as there is room. */
function byEnd(window: Window): Slice[] {
  const { calls, failed, slow, slowFailed } = window;
  const cells = Math.min(calls, MOST_CELLS);
  return Array.from({ length: cells }, (_, i) => {
    const nth = ((i + 0.5) * calls) / cells;
    const both = nth < slowFailed;
    const fails = nth < failed;
    const late = both || (!fails && nth < failed + slow - slowFailed);
    return { calls: 1, failed: fails ? 1 : 0, slow: late ? 1 : 0, slowFailed: both ? 1 : 0 };
  });
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
