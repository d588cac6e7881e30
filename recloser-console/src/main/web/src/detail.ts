// One breaker with all there is to know about it.
import { control, Problem, readBreaker, type Console, type Detail, type Pipeline, type Policy, type Transition } from "./api";
import { Controls } from "./controls";
import { now } from "./clock";
import { attribute, h, percent, text } from "./dom";
import { Freshness } from "./freshness";
import { Meter } from "./meter";
import { legend, Plot, type Series } from "./plot";
import { policyCard } from "./policies";
import { Ribbon } from "./ribbon";
import { KEPT, inState, remaining, type Entry, type Store } from "./store";
import { waitOf } from "./wait";
import { Strip } from "./strip";
import { believed, count, duration, icon, judges, millis, needed, next, number, overdue, showIcon, stateOf, word } from "./words";

/** Two questions a second apart; what is later was not asked for. */
const LATENCY_GAP = 3_500;
const CAUSES: Record<string, string> = {
  FAILURE_RATE: "Too many calls failed",
  SLOW_CALL_RATE: "Too many calls were slow",
  WAIT_ELAPSED: "The wait was over",
  PROBES_SUCCEEDED: "The probes succeeded",
  PROBES_FAILED: "The probes failed",
  HALF_OPEN_TIMEOUT: "No verdict in time",
  OPERATOR: "An operator",
  RESET: "A reset",
};
const TRAFFIC: Series[] = [
  { label: "succeeded", color: "--ok", fill: true },
  { label: "failed", color: "--failed", style: "thick" },
  { label: "refused", color: "--refused", style: "dashed" },
];
const LATENCY: Series[] = [
  { label: "p50", color: "--ok" },
  { label: "p95", color: "--slow", style: "dotted" },
  { label: "p99", color: "--failed", style: "thick" },
  { label: "slow limit", color: "--text", style: "dashed" },
];

function card(title: string, ...children: (Node | string | null)[]): HTMLElement {
  return h("section", { class: "card" }, h("h2", {}, title), ...children);
}

export class DetailView {
  readonly element = h("article", { class: "detail" });
  private readonly heading = h("h1", { tabindex: -1 });
  private readonly icon = icon();
  private readonly badge = h("p", { class: "badge large" });
  private readonly stateWord = h("span", { class: "state-word" });
  private readonly since = h("p", { class: "since" });
  private readonly countdown = h("div", { class: "countdown", "aria-hidden": "true" }, h("span", {}));
  private readonly explain = h("p", { class: "explain" });
  private readonly failed = new Meter("Failed", "failed");
  private readonly slow = new Meter("Slow", "slow");
  private readonly need = h("p", { class: "need" });
  private readonly strip = new Strip();
  private readonly why = h("div", { class: "why" });
  private readonly ribbon = new Ribbon();
  private readonly history = h("ol", { class: "history", reversed: true });
  private readonly counts = h("dl", { class: "counts" });
  private readonly flight = h("div", { class: "flight", "aria-hidden": "true" });
  private readonly flightText = h("p", {});
  private readonly traffic = new Plot("Calls per second", TRAFFIC, "");
  private readonly latency = new Plot("Latency", LATENCY, " ms");
  private readonly latencyKey = legend(LATENCY);
  private readonly latencyText = h("p", { class: "hint" });
  private readonly beside = h("div", { class: "beside" });
  private readonly settings = h("dl", { class: "settings" });
  private readonly problem = h("p", { class: "problem", role: "alert", hidden: true });
  private readonly actions = h("div", {});
  private readonly controls: Controls | null;
  private readonly latencies: { at: number; values: number[] }[] = [];
  private readonly freshness = new Freshness();
  private readonly body = h("div", { class: "body" });
  private wait = "";
  private asking = false;
  private whyOf = "";

  constructor(readonly name: string, private readonly store: Store, console: Console, onUser: (console: Console) => void) {
    text(this.heading, name);
    this.badge.append(this.icon, this.stateWord);
    this.controls = console.controls ? new Controls(name, console, (action, reason, expiry) => this.command(action, reason, expiry), onUser) : null;
    const settings = h("details", { class: "card" }, h("summary", {}, "Settings"), this.settings);
    this.body.append(
      this.explain,
      h("div", { class: "columns" },
        h("div", { class: "column" },
          card("Why it is here", this.why),
          card("Rates against their thresholds", this.failed.element, this.slow.element, this.need),
          card("The window", this.strip.element),
          card("Calls", this.counts),
          card("In flight", this.flightText, this.flight)),
        h("div", { class: "column" },
          card("Its last states", this.ribbon.element, h("details", {}, h("summary", {}, "Transitions"), this.history)),
          card("Calls per second", this.traffic.element, legend(TRAFFIC)),
          card("How long calls take", this.latency.element, this.latencyKey, this.latencyText),
          this.controls && card("Controls", this.controls.element, this.actions))),
      this.beside,
      settings);
    this.element.append(
      h("p", { class: "back" }, h("a", { href: "#/" }, "All breakers")),
      h("header", { class: "head" }, h("div", { class: "title" }, this.badge, this.heading), this.since, this.countdown),
      this.problem,
      this.freshness.element,
      this.body);
  }

  focus(): void {
    this.heading.focus();
  }

  /** Other colours. */
  redraw(): void {
    this.traffic.forget();
    this.latency.forget();
    this.tick();
  }

  /** Once a second, and when the breaker has changed. */
  async refresh(): Promise<void> {
    if (this.asking) {
      return;
    }
    this.asking = true;
    try {
      const detail = await readBreaker(this.name);
      this.freshness.renew();
      this.show(detail);
      this.problem.hidden = true;
    } catch (e) {
      this.fault(e instanceof Problem && e.status === 404 ? "This breaker is gone. What follows is the last that was seen of it." : "No answer from the application; trying again.");
    } finally {
      this.asking = false;
      this.freshness.show(this.body);
    }
  }

  /** What passes with time. */
  tick(): void {
    this.freshness.show(this.body);
    const entry = this.store.entries.get(this.name);
    if (entry) {
      this.showState(entry);
      this.showTraffic(entry);
    }
  }

  private fault(message: string): void {
    text(this.problem, message);
    this.problem.hidden = false;
  }

  private async command(action: string, reason: string, expiry: number | null): Promise<void> {
    this.show(await control(this.name, action, reason, expiry));
  }

  private showState(entry: Entry): void {
    const { row } = entry;
    attribute(this.element, "data-state", row.state);
    showIcon(this.icon, row.state);
    text(this.stateWord, stateOf(row));
    const asOf = this.store.asOf();
    const left = remaining(entry, asOf);
    const then = next(row, left);
    const wait = row.state === "OPEN" && this.wait ? ` (${this.wait})` : "";
    text(this.since, `For ${duration(inState(entry, asOf))}${then ? `, ${then}` : ""}${wait}`);
    const whole = left === null ? 0 : inState(entry, asOf) + left;
    this.countdown.classList.toggle("none", left === null || whole <= 0);
    percent(this.countdown.firstElementChild as HTMLElement, "width", whole > 0 ? (100 * Math.max(0, left ?? 0)) / whole : 0);
  }

  private show(detail: Detail): void {
    text(this.explain, detail.explain);
    this.wait = waitOf(detail);
    const { window } = detail;
    this.failed.show(window.failureRate, window.failureRateThreshold, believed(detail));
    this.slow.show(window.slowCallRate, window.slowCallRateThreshold, believed(detail));
    const late = overdue(detail);
    const alsoLate = late ? ` ${count(late, "call")} in flight past the limit ${late === 1 ? "is" : "are"} counted as slow.` : "";
    const of = detail.state === "HALF_OPEN" ? "Of the probes that have reported." : detail.state === "OPEN" ? openedBy(detail) : "";
    text(this.need, `${needed(detail) ? `${needed(detail)} before a rate is believed.` : of || (judges(detail) ? "Enough calls to judge by." : "It judges no calls in this state.")}${alsoLate}`);
    this.strip.show(detail);
    this.showWhy(detail.history);
    this.showHistory(detail);
    this.showCounts(detail);
    this.showFlight(detail);
    this.showLatency(detail);
    this.showBeside(detail);
    pairs(this.settings, Object.entries(detail.settings));
    this.controls?.show(detail.state);
    this.showActions(detail);
    this.tick();
  }

  private showWhy(history: Transition[]): void {
    const last = history[history.length - 1];
    // By what it says: another process may have come as far as the same sequence number.
    const of = JSON.stringify({ ...last, ageMillis: 0 });
    if (this.whyOf === of) {
      return;
    }
    this.whyOf = of;
    if (!last) {
      this.why.replaceChildren(h("p", { class: "hint" }, "It has been closed since it was made; nothing has happened yet."));
      return;
    }
    const slowest = last.slowestCallMillis === null ? null : h("p", {}, `Slowest call: ${millis(last.slowestCallMillis)}.`);
    const failures = last.failures.length === 0 ? null : h("ul", { class: "failures" },
      ...[...last.failures].reverse().map((failure) => h("li", {},
        h("code", {}, failure.type.slice(failure.type.lastIndexOf(".") + 1)),
        failure.message ? ` ${failure.message}` : "",
        failure.durationMillis === null ? "" : h("span", { class: "hint" }, ` (${millis(failure.durationMillis)})`))));
    this.why.replaceChildren(
      h("p", { class: "cause" }, `${word(last.from)} → ${word(last.to)}: ${CAUSES[last.cause] ?? last.cause}`),
      h("p", {}, last.reason),
      ...(slowest ? [slowest] : []),
      ...(failures ? [h("h3", {}, "Last failures"), failures] : []),
    );
  }

  private showHistory(detail: Detail): void {
    this.ribbon.show(detail.timeline, detail);
    this.history.replaceChildren(...[...detail.history].reverse().map((t) => h("li", { value: t.sequence },
      h("strong", {}, `${word(t.from)} → ${word(t.to)}`), ` ${duration(t.ageMillis)} ago. ${t.reason}`)));
  }

  private showCounts(detail: Detail): void {
    const { counts } = detail;
    const entries: [string, string, string?][] = [
      ["Succeeded", number(counts["succeeded"] ?? 0)],
      ["Failed", number(counts["failed"] ?? 0)],
      ["Slow", number(counts["slow"] ?? 0)],
      ["Late", number(counts["late"] ?? 0)],
      ["Ignored", number(counts["ignored"] ?? 0)],
      ["Cancelled", number(counts["cancelled"] ?? 0)],
    ];
    const refused = Object.entries(counts.refused).filter(([, n]) => n > 0);
    const total = refused.reduce((sum, [, n]) => sum + n, 0);
    entries.push(["Refused", number(total), refused.map(([reason, n]) => `${reason.toLowerCase().replace("_", "-")} ${number(n)}`).join(", ")]);
    const fallbacks = detail.pipelines.flatMap((pipeline) => pipeline.fallbacks);
    if (fallbacks.length > 0) {
      const sum = (key: string) => fallbacks.reduce((all, f) => all + (f[key] ?? 0), 0);
      entries.push(["Degraded answers", number(sum("fallback") + sum("stale")), `fallback ${number(sum("fallback"))}, stale ${number(sum("stale"))}`]);
    }
    const retry = detail.policies.find((policy) => policy.kind === "retry");
    if (retry) {
      const attempts = retry.now["attemptsPerCall"];
      entries.push(["Retried", number(retry.counts["retries"] ?? 0), attempts === undefined ? "" : `${attempts.toFixed(2)} attempts a call`]);
    }
    if (detail.state === "METRICS_ONLY" || (counts["wouldHaveOpened"] ?? 0) > 0) {
      entries.push(["Would have opened", number(counts["wouldHaveOpened"] ?? 0)]);
    }
    pairs(this.counts, entries);
  }

  private showFlight(detail: Detail): void {
    const most = 60;
    const late = overdue(detail);
    const dots = Array.from({ length: Math.min(most, detail.callsInFlight) }, (_, i) => h("span", { class: i < late ? "call overdue" : "call" }, i < late ? "!" : ""));
    this.flight.replaceChildren(...dots);
    text(this.flightText, `${count(detail.callsInFlight, "call")} in flight${late ? `, ${number(late)} of them past the limit` : ""}.`);
  }

  private showLatency(detail: Detail): void {
    const { latency, slowCallDurationThresholdMillis: limit } = detail;
    // What is to come has its place, so that nothing moves when it does.
    this.latency.element.hidden = this.latencyKey.hidden = !latency && limit === null;
    if (!latency) {
      this.latency.show([[-30, 0], [null, null], [null, null], [null, null], [limit, limit]], "nothing measured yet");
      text(this.latencyText, limit === null ? "This breaker does not time its calls." : "Measured from now on, while somebody looks.");
      return;
    }
    this.keepLatency([latency.p50Millis, latency.p95Millis, latency.p99Millis]);
    const at = now();
    const x = this.latencies.map((each) => (each.at - at) / 1_000);
    const line = (index: number) => this.latencies.map(({ values }) => values[index] ?? NaN);
    const summary = `p50 ${millis(latency.p50Millis)}, p95 ${millis(latency.p95Millis)}, p99 ${millis(latency.p99Millis)}`;
    // A limit far above all that was measured would press the rest to the ground.
    const near = limit !== null && limit <= 4 * Math.max(...this.latencies.map(({ values }) => values[2] ?? 0), 1);
    this.latency.show([x, line(0), line(1), line(2), x.map(() => (near ? limit : null))], summary);
    text(this.latencyText, `${summary}, longest ${millis(latency.maxMillis)}: the last ${count(latency.calls, "call")}. Slow from ${limit === null ? "never" : millis(limit)}.`);
  }

  /** Where nobody could ask for long there is a gap. */
  private keepLatency(values: number[]): void {
    const at = now();
    const before = this.latencies[this.latencies.length - 1];
    if (before && at - before.at > LATENCY_GAP) {
      this.latencies.push({ at: at - 1, values: [] });
    }
    this.latencies.push({ at, values });
    this.latencies.splice(0, Math.max(0, this.latencies.length - KEPT));
  }

  private showTraffic(entry: Entry): void {
    const ok = this.store.last(entry.traffic.succeeded, KEPT);
    const failed = this.store.last(entry.traffic.failed, KEPT);
    const refused = this.store.last(entry.traffic.refused, KEPT);
    const at = now();
    const x = this.store.lastTimes(KEPT).map((time) => (time - at) / 1_000);
    this.traffic.show([x, ok, failed, refused], trafficInWords(ok, failed, refused));
  }

  private showBeside(detail: Detail): void {
    const cards = [...detail.policies.map((policy: Policy) => policyCard(policy)), ...detail.pipelines.map(pipelineCard)];
    this.beside.replaceChildren(...cards);
  }

  private showActions(detail: Detail): void {
    this.actions.replaceChildren(...detail.actions.slice(-5).reverse().map((action) =>
      h("p", { class: "hint" }, `${duration(action.ageMillis)} ago: ${action.user}, ${action.action}${action.expiryMillis ? ` for ${duration(action.expiryMillis)}` : ""}: ${action.reason}`)));
  }
}

/** What the rates of an open breaker are of: probes end with the first that decide. */
function openedBy({ history }: Detail): string {
  const last = history[history.length - 1];
  return last?.to === "OPEN" && last.from === "HALF_OPEN" && last.window.calls > 0
    ? `As they were when it opened: of the ${count(last.window.calls, "probe")} that had reported, of ${number(last.window.minimumNumberOfCalls)}.`
    : "As they were when it opened.";
}

/** The plot for who does not see it. */
function trafficInWords(succeeded: number[], failed: number[], refused: number[]): string {
  const last = (values: number[]) => values[values.length - 1] ?? NaN;
  const known = succeeded.filter((value) => !Number.isNaN(value));
  // What comes before the first value is not a gap but before the page was opened.
  const first = succeeded.findIndex((value) => !Number.isNaN(value));
  const gap = first >= 0 && succeeded.slice(first).some((value) => Number.isNaN(value));
  const now = Number.isNaN(last(succeeded))
    ? "not known now"
    : `${tenths(last(succeeded))} succeeded, ${tenths(last(failed))} failed, ${tenths(last(refused))} refused`;
  return `${now}; at most ${tenths(Math.max(0, ...known))} succeeded${gap ? "; there is a gap where nothing was heard" : ""}`;
}

const tenths = (value: number) => number(Math.round(10 * value) / 10);

/** Changes what is there instead of making it anew, so that a selection of text outlives a second. */
function pairs(list: HTMLElement, entries: [string, string, string?][]): void {
  while (list.children.length > entries.length) {
    list.lastElementChild?.remove();
  }
  entries.forEach(([name, value, more], i) => {
    let pair = list.children[i];
    if (!pair) {
      pair = h("div", {}, h("dt", {}), h("dd", {}, h("span", {}), h("span", { class: "more" })));
      list.append(pair);
    }
    text(pair.firstElementChild as Element, name);
    const [figure, remark] = (pair.lastElementChild as Element).children;
    text(figure as Element, value);
    text(remark as Element, more ? ` (${more})` : "");
  });
}

function pipelineCard(pipeline: Pipeline): HTMLElement {
  const element = card(`Pipeline ${pipeline.pipeline}`, h("p", { class: "hint" }, pipeline.describe));
  element.classList.add("pipeline");
  return element;
}

