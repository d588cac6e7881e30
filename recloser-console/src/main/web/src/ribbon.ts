// The states of the last minutes or hours as a band of time, as far back as they are known.
import type { Row, State, Timeline } from "./api";
import { attribute, h, percent, text } from "./dom";
import { clockTime, duration, number, times, word } from "./words";

const DAY = 24 * 3_600_000;
const SPANS: [string, number][] = [["15 min", 15 * 60_000], ["24 h", DAY]];

/** A stretch of time in one state; null for one of which nothing is known. Ages in milliseconds. */
interface Stretch {
  state: State | null;
  from: number;
  to: number;
}

/** The choice stays from breaker to breaker. */
let span = SPANS[0]?.[1] ?? 0;

export class Ribbon {
  private readonly band = h("div", { class: "ribbon", role: "img" });
  private readonly marks = h("div", { class: "marks", "aria-hidden": "true" });
  private readonly scale = h("p", { class: "scale hint", "aria-hidden": "true" }, h("span", {}), h("span", {}), h("span", {}, "now"));
  private readonly openings = h("p", { class: "openings" });
  private readonly remark = h("p", { class: "hint" });
  private readonly buttons = SPANS.map(([label, millis]) => {
    const button = h("button", { type: "button", class: "quiet" }, label);
    button.addEventListener("click", () => {
      span = millis;
      this.draw();
    });
    return button;
  });
  readonly element = h("div", { class: "times" },
    h("div", { class: "row" }, this.openings, h("div", { class: "spans", role: "group", "aria-label": "How far back" }, ...this.buttons)),
    h("div", {}, this.marks, this.band, this.scale), this.remark);
  private timeline: Timeline | null = null;

  show(timeline: Timeline, row: Row): void {
    this.timeline = timeline;
    text(this.openings, openingsOf(row, timeline));
    this.draw();
  }

  private draw(): void {
    const timeline = this.timeline;
    if (!timeline) {
      return;
    }
    this.buttons.forEach((button, i) => attribute(button, "aria-pressed", String(SPANS[i]?.[1] === span)));
    const stretches = stretchesOf(timeline).filter((stretch) => stretch.to < span);
    this.band.replaceChildren(...stretches.map(segment));
    const hands = timeline.changes.filter((change) => change.byHand && change.ageMillis < span);
    this.marks.replaceChildren(...hands.map((change) => mark(change.ageMillis, change.to)));
    text(this.remark, `Known since ${clockTime(timeline.sinceMillis)}.${byHand(hands)}`);
    const [begin, middle] = this.scale.children;
    text(begin as Element, clockTime(span));
    text(middle as Element, clockTime(span / 2));
    attribute(this.band, "aria-label", summary(stretches, timeline));
  }
}

function openingsOf(row: Row, timeline: Timeline): string {
  const { openedLastHour: hour, openedLastDay: day } = row;
  if (day > 0) {
    return `Opened ${hour === 0 ? "not once" : times(hour)} in the last hour, ${day > 2 ? number(day) : times(day)} in the last day.`;
  }
  return timeline.sinceMillis < DAY ? `Not opened since ${clockTime(timeline.sinceMillis)}.` : "Not opened in the last day.";
}

/** The last ones in words. */
function byHand(hands: Timeline["changes"]): string {
  const last = hands.slice(-3).reverse().map((change) => `${word(change.to).toLowerCase()} at ${clockTime(change.ageMillis)}`);
  const more = hands.length > last.length ? ` and ${number(hands.length - last.length)} more` : "";
  return last.length > 0 ? ` ▼ By hand: ${last.join(", ")}${more}.` : "";
}

/** Oldest first; the first one is what nothing is known of. */
function stretchesOf(timeline: Timeline): Stretch[] {
  const stretches: Stretch[] = [{ state: null, from: Infinity, to: timeline.sinceMillis }];
  let state = timeline.state;
  let from = timeline.sinceMillis;
  for (const change of timeline.changes) {
    stretches.push({ state, from, to: change.ageMillis });
    state = change.to;
    from = change.ageMillis;
  }
  stretches.push({ state, from, to: 0 });
  return stretches;
}

function segment({ state, from, to }: Stretch): HTMLElement {
  const begin = Math.min(span, from);
  const width = (100 * (begin - to)) / span;
  const label = state ? word(state) : `not known before ${clockTime(to)}`;
  const element = h("span", { class: state ? "segment" : "segment unknown", "data-state": state, title: label },
    width > (state ? 9 : 24) && h("span", {}, label));
  percent(element, "left", 100 - (100 * begin) / span);
  percent(element, "width", width);
  return element;
}

function mark(ageMillis: number, to: State): HTMLElement {
  const element = h("span", { class: "mark", title: `${word(to)} by hand at ${clockTime(ageMillis)}` }, "▼");
  percent(element, "left", 100 - (100 * ageMillis) / span);
  return element;
}

/** For who hears it: how long it was in each state. */
function summary(stretches: Stretch[], timeline: Timeline): string {
  const sums = new Map<State, number>();
  for (const { state, from, to } of stretches) {
    if (state) {
      sums.set(state, (sums.get(state) ?? 0) + Math.min(span, from) - to);
    }
  }
  const states = [...sums].map(([state, millis]) => `${word(state).toLowerCase()} for ${duration(millis)}`).join(", ");
  const unknown = timeline.sinceMillis < span ? `; not known before ${clockTime(timeline.sinceMillis)}` : "";
  return `The last ${duration(span)}: ${states}${unknown}`;
}
