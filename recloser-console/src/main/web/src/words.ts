// States and figures in words.
import type { Row, State } from "./api";
import { svg } from "./dom";

export const STATES: State[] = ["OPEN", "FORCED_OPEN", "HALF_OPEN", "METRICS_ONLY", "DISABLED", "CLOSED"];

const WORDS: Record<State, string> = {
  CLOSED: "Closed",
  OPEN: "Open",
  HALF_OPEN: "Half-open",
  FORCED_OPEN: "Forced open",
  DISABLED: "Disabled",
  METRICS_ONLY: "Metrics only",
};

export const word = (state: State) => WORDS[state];

export const isRampUp = (row: Row) => row.state === "CLOSED" && row.admittedPercentage < 100;

/** The state in words; the ramp-up after closing counts as one of its own. */
export function stateOf(row: Row): string {
  if (isRampUp(row)) {
    return `Ramp-up ${Math.round(row.admittedPercentage)} %`;
  }
  return WORDS[row.state];
}

/** What a state looks like: each has a shape of its own, whatever its colour. */
const SHAPES: Record<State, string[]> = {
  CLOSED: ["M4 10.5 8.5 15 16 6"],
  OPEN: ["M5 5 15 15", "M15 5 5 15"],
  HALF_OPEN: ["M10 3A7 7 0 0 0 10 17Z", "M10 3A7 7 0 0 1 10 17"],
  FORCED_OPEN: ["M5 9H15V17H5Z", "M7 9V6.5A3 3 0 0 1 13 6.5V9"],
  DISABLED: ["M3 10H17"],
  METRICS_ONLY: ["M2 10C6 4 14 4 18 10 14 16 6 16 2 10Z", "M10 8.2A1.8 1.8 0 1 0 10 11.8 1.8 1.8 0 1 0 10 8.2"],
};

export function icon(): SVGElement {
  return svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, svg("path", { d: "" }));
}

export function showIcon(element: Element, state: State): void {
  const path = element.firstElementChild as Element;
  const shape = SHAPES[state].join("");
  if (path.getAttribute("d") !== shape) {
    path.setAttribute("d", shape);
  }
}

export function duration(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return seconds % 60 && minutes < 10 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 48) {
    return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  }
  return `${Math.floor(hours / 24)} d`;
}

/** With tenths of a second, which waits have. */
export function exactly(millis: number): string {
  return millis >= 60_000 ? duration(millis) : millis >= 1_000 ? `${Math.round(millis / 100) / 10} s` : `${Math.round(millis)} ms`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** The time on the clock of so long ago. */
export const clockTime = (ageMillis: number) => CLOCK.format(Date.now() - ageMillis);

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

export const ordinal = (value: number) => `${value}${SUFFIXES[ORDINALS.select(value)] ?? "th"}`;

export const times = (value: number) => (value === 1 ? "once" : value === 2 ? "twice" : `${number(value)} times`);

/** A countdown, which ends at 1 s and not at 0. */
export const countdown = (millis: number) => duration(Math.ceil(Math.max(0, millis) / 1000) * 1000);

export function millis(value: number | null): string {
  if (value === null) {
    return "not timed";
  }
  if (value < 0.05) {
    return "under 0.1 ms";
  }
  return value < 10 ? `${value.toFixed(1)} ms` : value < 10_000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** A half of a surrogate pair, which has no code in an address, between others. */
const HALF = /([\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF])/;
const HALF_CODE = /%u([0-9A-F]{4})/;

/** A breaker's name as the end of a view's address, whatever it is. */
export const toFragment = (name: string) =>
  name.split(HALF).map((part, i) => (i % 2 ? `%u${part.charCodeAt(0).toString(16).toUpperCase()}` : encodeURIComponent(part))).join("");

/** What it was made of; an address that somebody has typed is taken as it is. */
export function fromFragment(fragment: string): string {
  try {
    return fragment.split(HALF_CODE).map((part, i) => (i % 2 ? String.fromCharCode(parseInt(part, 16)) : decodeURIComponent(part))).join("");
  } catch {
    return fragment;
  }
}

const NUMBERS = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const number = (value: number) => NUMBERS.format(value);
export const short = (value: number) => SHORT.format(value);
export const rate = (value: number | null) => (value === null ? "no calls" : `${trim(value)} %`);
const trim = (value: number) => (value >= 10 ? Math.round(value) : Math.round(value * 10) / 10);

export const count = (value: number, one: string, many = `${one}s`) => `${number(value)} ${value === 1 ? one : many}`;

/** Whether it judges calls now; elsewhere the window is what it judged by, or nothing. */
export const judges = (row: Row) => row.state === "CLOSED" || row.state === "METRICS_ONLY";

/** The state and the one figure that matters in it, for where there is little room. */
export function brief(row: Row, remaining: number | null): string {
  const { window } = row;
  if (row.state === "OPEN") {
    return `${stateOf(row)} · ${remaining === null || remaining <= 0 ? "probe is next" : `probe in ${countdown(remaining)}`}`;
  }
  if (row.state === "HALF_OPEN") {
    return `${stateOf(row)} · ${number(row.probesLeft)} left`;
  }
  if (!judges(row)) {
    return remaining === null ? stateOf(row) : `${stateOf(row)} · ${countdown(remaining)}`;
  }
  if (isRampUp(row)) {
    return stateOf(row);
  }
  if (!believed(row)) {
    return `${stateOf(row)} · ${window.minimumNumberOfCalls - window.callsNeeded} of ${window.minimumNumberOfCalls} calls`;
  }
  const failed = window.failureRate ?? 0;
  const slow = window.slowCallRate ?? 0;
  const slower = slow * window.failureRateThreshold > failed * window.slowCallRateThreshold;
  return `${stateOf(row)} · ${rate(slower ? slow : failed)} ${slower ? "slow" : "failed"}`;
}

/** A figure per second, with no more digits than can be read. */
export const perSecond = (value: number) => (value === 0 ? "0" : value < 0.05 ? "<0.1" : value < 10 ? `${Math.round(10 * value) / 10}` : short(Math.round(value)));

/** Calls in flight past the limit; what opened it may have had some that have ended since. */
export const overdue = (row: Row) => (judges(row) ? Math.min(row.window.slowInFlight, row.callsInFlight) : 0);

/** Whether the rates mean something. */
export const believed = (row: Row) => !judges(row) || row.window.callsNeeded === 0;

/** Why a rate is not believed yet; empty if it is. */
export function needed(row: Row): string {
  if (believed(row)) {
    return "";
  }
  const { window } = row;
  const there = window.minimumNumberOfCalls - window.callsNeeded;
  return `${there} of ${window.minimumNumberOfCalls} calls needed`;
}

/** What happens next, as far as time decides it. */
export function next(row: Row, remaining: number | null): string {
  switch (row.state) {
    case "OPEN":
      return remaining === null || remaining <= 0 ? "the next call is a probe" : `next probe in ${countdown(remaining)}`;
    case "HALF_OPEN":
      return `${count(row.probesOut, "probe")} out, ${row.probesLeft} left`;
    case "CLOSED":
      return isRampUp(row) ? "letting calls back" : "";
    default:
      return remaining === null ? "until changed" : `${countdown(remaining)} left`;
  }
}
