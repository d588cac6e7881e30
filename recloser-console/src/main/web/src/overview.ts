// All breakers, worst first. Only what is in sight has elements, which are used again as it scrolls.
import { Busy } from "./busy";
import { now } from "./clock";
import { attribute, byId, h, text } from "./dom";
import { Meter } from "./meter";
import { drawSpark, sparkCanvas } from "./spark";
import { badness, harm, inState, recently, remaining, type Entry, type Store } from "./store";
import { STATES, believed, brief, count, duration, icon, needed, next, number, overdue, perSecond, short, showIcon, stateOf, toFragment, word } from "./words";
import type { Row, State } from "./api";

type Sort = "worst" | "name" | "failed" | "slow" | "refused" | "flight";

/** What is sorted by, the larger the further up; equal ones by the second number, then by name. */
const SORTS: Record<Sort, [string, (entry: Entry, store: Store) => [number, number]]> = {
  worst: ["Worst first", (entry, store) => [badness(entry.row), harm(store, entry)]],
  name: ["Name", () => [0, 0]],
  failed: ["Failure rate", ({ row }) => [row.window.failureRate ?? -1, 0]],
  slow: ["Slow-call rate", ({ row }) => [row.window.slowCallRate ?? -1, 0]],
  refused: ["Refused now", ({ row, traffic }, store) => [Math.round(10 * (recently(store, traffic.refused) ?? 0)), row.refused]],
  flight: ["Calls in flight", ({ row }) => [row.callsInFlight, 0]],
};

/** So small that hundreds are on one wall. */
const TILE = { width: 150, height: 78 };
const ROW = { wide: 58, middle: 94, narrow: 156 };
const GAP = 6;
/** Rows beyond the edges of the screen, so that scrolling finds them there. */
const SPARE = 4;
/** The order changes no more often than an eye can follow. */
const ORDER = 2_000;

/** How somebody wants to see it outlives the page, as on a wall that starts anew every night. */
function kept(what: string): string | null {
  try {
    return localStorage.getItem(`recloser-${what}`);
  } catch {
    return null; // A browser that keeps nothing.
  }
}

function keep(what: string, value: string): void {
  try {
    localStorage.setItem(`recloser-${what}`, value);
  } catch {
    // It is as it is until the page is closed.
  }
}

class Item {
  readonly element: HTMLLIElement;
  readonly link = h("a", { class: "item", tabindex: -1 });
  private readonly icon = icon();
  private readonly state = h("span", { class: "state-word" });
  private readonly name = h("span", { class: "name" });
  private readonly since = h("span", { class: "since" });
  private readonly failed = new Meter("Failed", "failed");
  private readonly slow = new Meter("Slow", "slow");
  private readonly need = h("span", { class: "need" });
  private readonly brief = h("span", { class: "brief", "aria-hidden": "true" });
  private readonly lost = h("span", { class: "lost", "aria-hidden": "true" });
  private readonly spark = sparkCanvas();
  private readonly numbers = h("span", { class: "numbers" });
  private drawn = -1;
  key = "";

  constructor() {
    const badge = h("span", { class: "badge" }, this.icon, this.state);
    this.link.append(
      badge,
      h("span", { class: "who" }, this.name, this.since),
      this.failed.element,
      this.slow.element,
      h("span", { class: "figures" }, this.numbers, this.need),
      this.brief,
      this.lost,
      this.spark,
    );
    this.element = h("li", {}, this.link);
  }

  show(entry: Entry, store: Store): void {
    const { row } = entry;
    const { window } = row;
    if (this.key !== row.name) {
      this.key = row.name;
      this.drawn = -1;
      text(this.name, row.name);
      attribute(this.name, "title", row.name);
      attribute(this.link, "href", `#/breaker/${toFragment(row.name)}`);
    }
    const asOf = store.asOf();
    const left = remaining(entry, asOf);
    const then = next(row, left);
    attribute(this.link, "data-state", row.state);
    showIcon(this.icon, row.state);
    text(this.state, stateOf(row));
    const often = row.openedLastHour > 1 ? ` · opened ${row.openedLastHour}× in 1 h` : "";
    text(this.since, `for ${duration(inState(entry, asOf))}${then ? `, ${then}` : ""}${often}`);
    this.failed.show(window.failureRate, window.failureRateThreshold, believed(row));
    this.slow.show(window.slowCallRate, window.slowCallRateThreshold, believed(row));
    text(this.brief, brief(row, left));
    const refused = recently(store, entry.traffic.refused);
    text(this.lost, refused === null ? "" : `${perSecond(refused)}/s refused`);
    const late = overdue(row) ? `, ${short(overdue(row))} overdue` : "";
    const needs = needed(row);
    text(this.numbers, flow(entry, store));
    text(this.need, `${short(row.callsInFlight)} in flight${late}${needs ? ` · ${needs}` : ""}`);
    if (this.drawn !== store.ticks) {
      this.drawn = store.ticks;
      drawSpark(this.spark, store, entry);
    }
  }

  redraw(): void {
    this.drawn = -1;
  }
}

/** What goes through it and what it refuses, per second, where that is known yet. */
function flow({ traffic }: Entry, store: Store): string {
  const succeeded = recently(store, traffic.succeeded);
  const failed = recently(store, traffic.failed);
  const refused = recently(store, traffic.refused);
  return succeeded === null || failed === null || refused === null
    ? "…"
    : `${perSecond(succeeded + failed)} calls/s${refused > 0 ? ` · ${perSecond(refused)}/s refused` : ""}`;
}

export class Overview {
  readonly element: HTMLElement;
  private readonly search = h("input", {
    id: "search", type: "search", placeholder: "Name", autocomplete: "off", spellcheck: "false",
  });
  private readonly sort = h("select", { id: "sort" });
  private readonly tiles = h("button", { type: "button", "aria-pressed": "false", class: "quiet" }, "Tiles");
  private readonly chips = new Map<State | "", HTMLButtonElement>();
  private readonly list = h("ul", { class: "list", "aria-label": "Circuit breakers", role: "list" });
  private readonly empty = h("p", { class: "empty", hidden: true });
  private readonly shown = h("span", { role: "status" });
  private readonly busy = new Busy(this.list);
  private readonly paused = h("span", { class: "paused", hidden: true });
  private readonly key = h("span", { hidden: true }, "Bars: failed above slow, with the threshold as a mark.");
  private all = false;
  private readonly items: Item[] = [];
  /** Out of sight, for when more are in sight again: an element costs more than to fill it anew. */
  private readonly unused: Item[] = [];
  private order: string[] = [];
  private orderedAt = -Infinity;
  private members = -1;
  private state: State | "" = "";
  /** The breaker that has the focus when the list has, and where it is or was. */
  private focused = "";
  private place = 0;

  constructor(private readonly store: Store) {
    for (const [value, [label]] of Object.entries(SORTS)) {
      this.sort.append(h("option", { value }, label));
    }
    const chips = h("div", { class: "chips", role: "group", "aria-label": "Only breakers that are" });
    for (const state of ["", ...STATES] as const) {
      const chip = h("button", { type: "button", class: "chip", "aria-pressed": String(state === "") });
      if (state) {
        attribute(chip, "data-state", state);
        const shape = icon();
        showIcon(shape, state);
        chip.append(shape);
      }
      chip.append(h("span", {}, state ? word(state) : "All"), h("span", { class: "count" }));
      chip.addEventListener("click", () => this.filter(state));
      this.chips.set(state, chip);
      chips.append(chip);
    }
    const tools = h(
      "div", { class: "tools" },
      h("label", { for: "search" }, "Search"), this.search,
      h("label", { for: "sort" }, "Order"), this.sort, this.tiles,
    );
    this.element = h("section", { class: "overview" },
      h("h1", { class: "visually-hidden" }, "Circuit breakers"), h("div", { class: "choices" }, chips, tools),
      h("p", { class: "shown" }, this.shown, this.key, this.paused), this.empty, this.list);
    this.search.addEventListener("input", () => this.arrange(true));
    this.sort.addEventListener("change", () => {
      keep("order", this.sort.value);
      this.arrange(true);
    });
    this.tiles.addEventListener("click", () => {
      const on = this.tiles.getAttribute("aria-pressed") !== "true";
      keep("tiles", String(on));
      this.showAs(on);
      this.render();
    });
    this.sort.value = kept("order") ?? "worst";
    if (!this.sort.value) {
      this.sort.value = "worst"; // What an older page has kept.
    }
    this.showAs(kept("tiles") === "true");
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    this.list.addEventListener("focusin", (event) => {
      this.remember(this.items.find((item) => item.link === event.target)?.key ?? this.focused);
    });
  }

  private showAs(tiles: boolean): void {
    attribute(this.tiles, "aria-pressed", String(tiles));
    this.list.classList.toggle("tiles", tiles);
    this.key.hidden = !tiles;
  }

  /** On paper nothing is out of sight. */
  private print(all: boolean): void {
    this.all = all;
    this.render();
  }

  /** Something has changed, or a second has passed. */
  update(): void {
    this.arrange(false);
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  redraw(): void {
    this.items.forEach((item) => item.redraw());
    this.render();
  }

  private filter(state: State | ""): void {
    this.state = this.state === state ? "" : state;
    for (const [each, chip] of this.chips) {
      attribute(chip, "aria-pressed", String(each === this.state));
    }
    this.arrange(true);
  }

  /** Nothing moves under a pointer or a focus, other than what has gone or come. */
  private arrange(asked: boolean): void {
    this.countStates();
    const busy = this.busy.with();
    const due = now() - this.orderedAt >= ORDER;
    const changed = this.members !== this.store.members;
    if (asked || this.order.length === 0 || (!busy && (due || changed))) {
      this.reorder();
    } else if (changed) {
      this.patch();
    }
    this.paused.hidden = busy === "" || this.order.length === 0;
    text(this.paused, `Order paused while ${busy} is in the list.`);
    this.render();
  }

  private reorder(): void {
    this.orderedAt = now();
    const [, measure] = SORTS[this.sort.value as Sort];
    this.take([...this.store.entries.values()]
      .filter(({ row }) => this.isWanted(row))
      .map((entry) => ({ name: entry.row.name, by: measure(entry, this.store) }))
      .sort((a, b) => b.by[0] - a.by[0] || b.by[1] - a.by[1] || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name));
  }

  /** Takes out what has gone, and puts what has come to the end. */
  private patch(): void {
    const had = new Set(this.order);
    const added = [...this.store.entries.values()].filter(({ row }) => !had.has(row.name) && this.isWanted(row));
    this.take([...this.order.filter((name) => this.store.entries.has(name)), ...added.map(({ row }) => row.name)]);
  }

  private isWanted(row: Row): boolean {
    return (!this.state || row.state === this.state) && row.name.toLowerCase().includes(this.search.value.trim().toLowerCase());
  }

  private take(order: string[]): void {
    const within = this.list.contains(document.activeElement);
    this.order = order;
    this.members = this.store.members;
    const all = this.store.entries.size;
    text(this.shown, order.length === all ? count(all, "breaker") : `${number(order.length)} of ${count(all, "breaker")}`);
    this.empty.hidden = order.length > 0 || this.store.heardAt === -Infinity;
    text(this.empty, all === 0
      ? "No circuit breakers yet. They appear here when the application makes its first one."
      : "No circuit breaker has that name and state.");
    const place = order.indexOf(this.focused);
    if (place >= 0) {
      this.place = place;
      return;
    }
    // The breaker has gone: its neighbour has the focus then.
    this.remember(order[Math.min(this.place, order.length - 1)] ?? "");
    if (within) {
      this.focusItem();
    }
  }

  private remember(name: string): void {
    this.focused = name;
    this.place = Math.max(0, this.order.indexOf(name));
  }

  private countStates(): void {
    const counts = new Map<State | "", number>([["", this.store.entries.size]]);
    for (const { row } of this.store.entries.values()) {
      counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
    }
    for (const [state, chip] of this.chips) {
      text(chip.lastElementChild as Element, number(counts.get(state) ?? 0));
      attribute(chip, "data-any", String((counts.get(state) ?? 0) > 0));
    }
  }

  private layout() {
    const width = this.list.clientWidth || byId("main").clientWidth;
    const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    if (this.list.classList.contains("tiles")) {
      const columns = Math.max(1, Math.floor((width + GAP) / (TILE.width * scale + GAP)));
      return { columns, width: (width + GAP) / columns - GAP, height: TILE.height * scale };
    }
    const height = innerWidth <= 600 ? ROW.narrow : innerWidth <= 1000 ? ROW.middle : ROW.wide;
    return { columns: 1, width, height: height * scale };
  }

  /** Other rows are in sight; those that were there already say what they said. */
  scrolled(): void {
    this.render(false);
  }

  /** Puts the items in sight in place. The rest of the list is only its height. */
  render(fresh = true): void {
    if (!this.element.isConnected) {
      return;
    }
    const { columns, width, height } = this.layout();
    const step = height + GAP;
    const lines = Math.ceil(this.order.length / columns);
    this.list.style.height = `${lines * step}px`;
    const top = -this.list.getBoundingClientRect().top;
    const firstLine = this.all ? 0 : Math.max(0, Math.floor(top / step) - SPARE);
    const lastLine = this.all ? lines : Math.min(lines, Math.ceil((top + innerHeight) / step) + SPARE);
    const wanted = new Set<number>();
    for (let index = firstLine * columns; index < Math.min(this.order.length, lastLine * columns); index++) {
      wanted.add(index);
    }
    // What has the focus stays, or a reader would lose it by scrolling.
    if (this.list.contains(document.activeElement) && this.place < this.order.length) {
      wanted.add(this.place);
    }
    this.put(wanted, columns, width, height, step, fresh);
  }

  private put(wanted: Set<number>, columns: number, width: number, height: number, step: number, fresh: boolean): void {
    const byKey = new Map(this.items.map((item) => [item.key, item]));
    const names = new Set([...wanted].map((index) => this.order[index]));
    const free = this.items.filter((item) => !names.has(item.key));
    // The one that a Tab goes to is always there.
    const stop = wanted.has(this.place) ? this.place : Math.min(...wanted);
    for (const index of wanted) {
      const name = this.order[index] ?? "";
      const entry = this.store.entries.get(name);
      if (!entry) {
        continue;
      }
      const item = byKey.get(name) ?? free.pop() ?? this.another();
      if (fresh || item.key !== name) {
        item.show(entry, this.store);
      }
      const { style } = item.element;
      style.width = `${width}px`;
      style.height = `${height}px`;
      style.transform = `translate(${(index % columns) * (width + GAP)}px, ${Math.floor(index / columns) * step}px)`;
      attribute(item.element, "aria-posinset", String(index + 1));
      attribute(item.element, "aria-setsize", String(this.order.length));
      attribute(item.link, "tabindex", index === stop ? "0" : "-1");
      item.element.dataset["index"] = String(index);
    }
    for (const item of free) {
      item.element.remove();
      this.items.splice(this.items.indexOf(item), 1);
      item.key = "";
      this.unused.push(item);
    }
    this.inOrder();
  }

  private another(): Item {
    const item = this.unused.pop() ?? new Item();
    this.items.push(item);
    this.list.append(item.element);
    return item;
  }

  /** Readers follow the order of the elements, so that has to be the one that is seen. */
  private inOrder(): void {
    this.items.sort((a, b) => Number(a.element.dataset["index"]) - Number(b.element.dataset["index"]));
    let before: Element | null = null;
    for (const { element, link } of this.items) {
      const inPlace: boolean = before ? before.nextElementSibling === element : this.list.firstElementChild === element;
      if (!inPlace && link !== document.activeElement) {
        if (before) {
          before.after(element);
        } else {
          this.list.prepend(element);
        }
      }
      before = element;
    }
  }

  private onKey(event: KeyboardEvent): void {
    const { columns } = this.layout();
    const page = Math.max(1, Math.floor(innerHeight / (this.layout().height + GAP)) - 1) * columns;
    const steps: Record<string, number> = {
      ArrowDown: columns, ArrowUp: -columns, ArrowRight: 1, ArrowLeft: -1,
      PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    this.remember(this.order[Math.max(0, Math.min(this.order.length - 1, this.place + step))] ?? "");
    this.focusItem();
  }

  /** The breaker from whose page one comes back. */
  focusOn(name: string): void {
    if (this.order.includes(name)) {
      this.remember(name);
    }
    this.focusItem();
  }

  private focusItem(): void {
    const { columns, height } = this.layout();
    const step = height + GAP;
    const top = this.list.getBoundingClientRect().top + Math.floor(this.place / columns) * step;
    const head = 80;
    if (top < head) {
      scrollBy(0, top - head);
    } else if (top + step > innerHeight) {
      scrollBy(0, top + step - innerHeight);
    }
    this.render();
    const item = this.items.find((each) => each.key === this.focused);
    item?.link.focus({ preventScroll: true });
  }
}
