// The policies that are no breakers.
import { readPolicies, type Policy } from "./api";
import { attribute, h, percent, text } from "./dom";
import { Freshness } from "./freshness";
import { count, millis, number } from "./words";

const KINDS: Record<string, string> = {
  bulkhead: "Bulkhead", ratelimiter: "Rate limiter", retry: "Retry", hedge: "Hedge", timeout: "Timeout", fallback: "Fallback",
};

/** How full something is, as a bar. */
function usage(label: string, value: number, most: number): HTMLElement {
  const fill = h("span", { class: "meter-fill" });
  percent(fill, "width", most > 0 ? (100 * value) / most : 0);
  const meter = h("div", { class: "meter" }, h("span", { class: "meter-label" }, label), h("span", { class: "meter-value" }, `${number(value)} of ${number(most)}`), h("span", { class: "meter-track", "aria-hidden": "true" }, fill));
  attribute(meter, "data-level", value >= most ? "over" : value >= 0.7 * most ? "near" : "fine");
  return meter;
}

export function policyCard(policy: Policy): HTMLElement {
  const { now, counts } = policy;
  const card = h("section", { class: "card policy" }, h("h2", {}, `${KINDS[policy.kind] ?? policy.kind} ${policy.name}`));
  if (policy.kind === "bulkhead") {
    card.append(usage("Running", now["running"] ?? 0, now["limit"] ?? 0));
    if (now["maxQueuedCalls"]) {
      card.append(h("p", {}, `${count(now["waiting"] ?? 0, "call")} waiting.`));
    }
    if (now["maxLimit"] !== undefined) {
      const baseline = now["baselineLatencyMillis"];
      card.append(h("p", {}, `The limit adapts, from ${number(now["minLimit"] ?? 0)} to ${number(now["maxLimit"])}${baseline === undefined ? "" : `; latency at rest ${millis(baseline)}`}.`));
    }
  } else if (policy.kind === "ratelimiter") {
    const available = now["availablePermits"] ?? 0;
    card.append(usage("Permits used", (now["maxBurst"] ?? 0) - Math.max(0, available), now["maxBurst"] ?? 0));
    card.append(h("p", {}, `${count(now["waiting"] ?? 0, "call")} waiting${available < 0 ? `, ${number(-available)} permits owed` : ""}.`));
  } else if (policy.kind === "retry") {
    const attempts = now["attemptsPerCall"];
    const left = now["budgetLeft"];
    const budget = left === undefined ? "The budget has no limit" : `Budget left: ${count(left, "retry", "retries")}`;
    card.append(h("p", {}, `${budget}${attempts === undefined ? "" : `; ${attempts.toFixed(2)} attempts a call`}.`));
  } else if (policy.kind === "timeout") {
    card.append(h("p", {}, `Timed out: ${number(counts["timedOut"] ?? 0)}, after ${number(now["timeoutMillis"] ?? 0)} ms.`));
  }
  card.append(h("p", { class: "hint" }, policy.explain));
  card.append(h("dl", { class: "counts" }, ...Object.entries(counts).map(([name, value]) => h("div", {}, h("dt", {}, spaced(name)), h("dd", {}, number(value))))));
  return card;
}

const spaced = (name: string) => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export class PoliciesView {
  private readonly cards = h("div", { class: "beside" });
  private readonly hint = h("p", { class: "empty" });
  private readonly heading = h("h1", { tabindex: -1 }, "Other policies");
  private readonly freshness = new Freshness();
  private asking = false;
  readonly element = h("section", { class: "policies" }, this.heading, this.freshness.element, this.hint, this.cards);

  focus(): void {
    this.heading.focus();
  }

  async refresh(): Promise<void> {
    this.freshness.show(this.cards);
    if (this.asking) {
      return;
    }
    this.asking = true;
    try {
      const { policies } = await readPolicies();
      this.freshness.renew();
      this.cards.replaceChildren(...policies.map(policyCard));
      this.hint.hidden = policies.length > 0;
      text(this.hint, "No retries, hedges, rate limiters, bulkheads or timeouts are in a registry, and no pipeline was given to the panel.");
    } catch {
      this.hint.hidden = false;
      text(this.hint, "No answer from the application; trying again.");
    } finally {
      this.asking = false;
      this.freshness.show(this.cards);
    }
  }
}
