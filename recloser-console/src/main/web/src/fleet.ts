// Many instances side by side: a row a breaker, a column an instance. Only rows in sight have elements.
import { announce } from "./announce";
import type { State } from "./api";
import { Busy } from "./busy";
import { attribute, h, text } from "./dom";
import { FIXED, Row, SUMS, type Span } from "./fleet-row";
import { FleetStore, age, type Column, type FleetBreaker, type FleetChange } from "./fleet-store";
import { STATES, count, duration, icon, number, showIcon, word } from "./words";

type Sort = "worst" | "name" | "failed" | "refused" | "flight";

const SORTS: Record<Sort, [string, (a: FleetBreaker, b: FleetBreaker) => number]> = {
  worst: ["Worst first", (a, b) =>
    b.refusing - a.refusing || b.probing - a.probing || (b.failedPerSecond ?? 0) - (a.failedPerSecond ?? 0)],
  name: ["Name", () => 0],
  failed: ["Failed calls", (a, b) => (b.failedPerSecond ?? 0) - (a.failedPerSecond ?? 0)],
  refused: ["Refused calls", (a, b) => (b.refusedPerSecond ?? 0) - (a.refusedPerSecond ?? 0)],
  flight: ["Calls in flight", (a, b) => b.callsInFlight - a.callsInFlight],
};

/** Rows and columns beyond the edges, so that scrolling finds them there. */
const SPARE = 3;
/** Longer than two heartbeats: silence for so long is a connection that is dead. */
const SILENCE = 12_000;
const RETRY = 2_000;

class Head {
  readonly element: HTMLTableCellElement;
  private readonly link = h("a", { rel: "noreferrer", tabindex: -1 });
  private readonly state = h("span", { class: "age" });

  constructor(readonly column: Column, index: number) {
    const { name, uri } = column.head;
    text(this.link, name);
    attribute(this.link, "href", uri);
    attribute(this.link, "title", name);
    this.element = h("th", { scope: "col", class: "instance", "aria-colindex": index + FIXED + 1 }, this.link, this.state);
  }

  show(): void {
    const { live } = this.column.head;
    const old = age(this.column);
    attribute(this.element, "data-live", String(live));
    text(this.state, live ? "live" : old === null ? "no data" : `${duration(old)} old`);
  }
}

export class FleetView {
  readonly element: HTMLElement;
  private readonly heading = h("h1", { class: "visually-hidden", tabindex: -1 }, "Fleet");
  private readonly search = h("input", { id: "fleet-search", type: "search", placeholder: "Name", autocomplete: "off", spellcheck: "false" });
  private readonly sort = h("select", { id: "fleet-sort" });
  private readonly chips = new Map<State | "", HTMLButtonElement>();
  private readonly shown = h("span", { role: "status" });
  private readonly paused = h("span", { class: "paused", hidden: true });
  private readonly empty = h("p", { class: "empty", hidden: true });
  private readonly troubles = h("details", { class: "card troubles", open: true, hidden: true }, h("summary", {}), h("ul", { tabindex: 0 }));
  private readonly headRow = h("tr", {});
  private readonly body = h("tbody", {});
  private readonly above = spacer();
  private readonly below = spacer();
  private readonly table = h("table", { role: "grid", class: "fleet", "aria-label": "Breakers by instance" }, h("thead", {}, this.headRow), this.body);
  private readonly busy = new Busy(this.table);
  private readonly matrix = h("div", { class: "matrix", tabindex: -1 }, this.table);
  private readonly store = new FleetStore((now, before) => this.tell(now, before));
  private source: EventSource | null = null;
  private heardAt = 0;
  private drawing = false;
  private known = false;
  private columns: Column[] = [];
  private heads: Head[] = [];
  private rows: Row[] = [];
  private order: string[] = [];
  private orderedAt = -Infinity;
  private state: State | "" = "";
  /** Where the focus is or was: row 0 is the head. */
  private row = 1;
  private cell = 0;
  private pointed: HTMLElement | null = null;
  private scrolling = false;
  /** On paper nothing is out of sight. */
  private all = false;
  private inSight: Span = { first: 0, last: 0 };

  constructor() {
    for (const [value, [label]] of Object.entries(SORTS)) {
      this.sort.append(h("option", { value }, label));
    }
    const tools = h("div", { class: "tools" },
      h("label", { for: "fleet-search" }, "Search"), this.search, h("label", { for: "fleet-sort" }, "Order"), this.sort);
    this.element = h("section", { class: "fleet-view" }, this.heading, h("div", { class: "choices" }, this.makeChips(), tools), this.troubles, h("p", { class: "shown" }, this.shown, this.paused), this.empty, this.matrix);
    this.body.append(this.above, this.below);
    this.search.addEventListener("input", () => this.reorder());
    this.sort.addEventListener("change", () => this.reorder());
    this.matrix.addEventListener("scroll", () => {
      // Only rows that come into sight are others than they were.
      this.scrolling = true;
      this.render();
      this.scrolling = false;
    }, { passive: true });
    for (const [printing, all] of [["beforeprint", true], ["afterprint", false]] as const) {
      addEventListener(printing, () => {
        this.all = all;
        this.render();
      });
    }
    this.matrix.addEventListener("keydown", (event) => this.onKey(event));
    this.table.addEventListener("focusin", (event) => this.onFocus(event.target as HTMLElement));
  }

  private makeChips(): HTMLElement {
    const chips = h("div", { class: "chips", role: "group", "aria-label": "Only breakers that are somewhere" });
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
    return chips;
  }

  /** Instances are asked while somebody watches, so this does only while it is shown. */
  open(): void {
    this.source?.close();
    this.heardAt = performance.now();
    const source = new EventSource("api/fleet/events");
    this.source = source;
    const receive = (use: (change: FleetChange) => void) => (event: MessageEvent<string>) => {
      this.heardAt = performance.now();
      this.known = true;
      use(JSON.parse(event.data) as FleetChange);
      this.draw();
    };
    source.addEventListener("snapshot", receive((change) => this.store.snapshot(change)));
    source.addEventListener("changes", receive((change) => this.store.change(change)));
    source.addEventListener("heartbeat", receive(() => {}));
    source.addEventListener("error", () => {
      // The browser tries again by itself, but not after an answer that was no stream.
      if (source.readyState === EventSource.CLOSED && this.source === source) {
        setTimeout(() => this.source === source && this.open(), RETRY);
      }
    });
  }

  close(): void {
    this.source?.close();
    this.source = null;
  }

  focus(): void {
    this.heading.focus();
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  /** A second has passed. */
  refresh(): void {
    if (this.source && performance.now() - this.heardAt > SILENCE) {
      this.open();
    }
    this.draw();
  }

  /** However many changes come, it is drawn once a frame. */
  private draw(): void {
    if (!this.drawing) {
      this.drawing = true;
      requestAnimationFrame(() => {
        this.drawing = false;
        this.update();
      });
    }
  }

  private update(): void {
    if (!this.element.isConnected) {
      return;
    }
    if (this.columns !== this.store.order) {
      this.rebuild();
    }
    this.heads.forEach((head) => head.show());
    this.showTroubles();
    this.countStates();
    const busy = this.busy.with();
    this.paused.hidden = busy === "";
    text(this.paused, `Order paused while ${busy} is in the matrix.`);
    const due = performance.now() - this.orderedAt >= 2_000;
    const other = this.total !== this.store.sums.size || this.order.some((name) => !this.store.sums.has(name));
    if (other || (due && !busy)) {
      this.reorder();
    } else {
      this.render();
    }
  }

  /** Instances came or went. */
  private rebuild(): void {
    this.columns = this.store.order;
    this.heads = this.columns.map((column, index) => new Head(column, index));
    const fixed = ["Breaker", ...SUMS].map((label, index) => h("th", { scope: "col", class: index ? "sum" : "breaker", tabindex: -1, "aria-colindex": index + 1 }, label));
    this.headRow.replaceChildren(...fixed, ...this.heads.map((head) => head.element));
    attribute(this.table, "aria-colcount", String(this.headRow.children.length));
    attribute(this.headRow, "aria-rowindex", "1");
    this.table.style.setProperty("--instances", String(this.columns.length));
    this.rows.forEach((row) => row.element.remove());
    this.rows = [];
    for (const space of [this.above, this.below]) {
      attribute(space.firstElementChild as Element, "colspan", String(this.headRow.children.length));
    }
  }

  private showTroubles(): void {
    const wrong = this.columns.filter(({ head }) => !head.live && head.problem !== null);
    const [summary, list] = this.troubles.children as unknown as [HTMLElement, HTMLElement];
    this.troubles.hidden = wrong.length === 0;
    text(summary, `${number(wrong.length)} of ${count(this.columns.length, "instance")} not counted`);
    while (list.children.length > wrong.length) {
      list.lastElementChild?.remove();
    }
    wrong.forEach((column, index) => {
      const item = list.children[index] ?? list.appendChild(h("li", {}));
      const old = age(column);
      text(item, `${column.head.name} ${column.head.problem}; ${old === null ? "nothing is known of it" : `as of ${duration(old)} ago`}.`);
    });
  }

  private filter(state: State | ""): void {
    this.state = this.state === state ? "" : state;
    for (const [each, chip] of this.chips) {
      attribute(chip, "aria-pressed", String(each === this.state));
    }
    this.reorder();
  }

  private total = -1;

  private reorder(): void {
    this.orderedAt = performance.now();
    this.total = this.store.sums.size;
    const wanted = this.search.value.trim().toLowerCase();
    const [, compare] = SORTS[this.sort.value as Sort];
    const focused = this.order[this.row - 1];
    this.order = [...this.store.sums.values()]
      .filter((sum) => sum.name.toLowerCase().includes(wanted) && this.isSomewhere(sum.name, this.state))
      .sort((a, b) => compare(a, b) || (a.name < b.name ? -1 : 1))
      .map((sum) => sum.name);
    if (focused !== undefined && this.order.includes(focused)) {
      this.row = this.order.indexOf(focused) + 1;
    }
    this.row = Math.min(this.row, Math.max(1, this.order.length));
    this.say();
    this.render();
  }

  private say(): void {
    const { size } = this.store.sums;
    const breakers = this.order.length === size ? count(size, "breaker") : `${number(this.order.length)} of ${count(size, "breaker")}`;
    text(this.shown, this.known ? `${breakers}, ${count(this.columns.length, "instance")}` : "Asking the instances.");
    this.empty.hidden = !this.known || this.order.length > 0;
    this.matrix.hidden = this.columns.length === 0;
    text(this.empty, size > 0
      ? "No circuit breaker has that name and state."
      : this.columns.length > 0 ? "No instance has told of a circuit breaker yet." : "There are no instances.");
  }

  private isSomewhere(name: string, state: State | ""): boolean {
    return !state || this.columns.some(({ cells }) => cells.get(name)?.cell.state === state);
  }

  private countStates(): void {
    const names = new Map<State, Set<string>>();
    for (const { cells } of this.columns) {
      for (const { cell } of cells.values()) {
        const found = names.get(cell.state) ?? new Set<string>();
        names.set(cell.state, found.add(cell.name));
      }
    }
    for (const [state, chip] of this.chips) {
      const count = state ? (names.get(state)?.size ?? 0) : this.store.sums.size;
      text(chip.lastElementChild as Element, number(count));
      attribute(chip, "data-any", String(count > 0));
    }
  }

  private rowHeight(): number {
    return 2.5 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  /** Puts the rows in sight in place. Above and below is only their height. */
  render(): void {
    if (!this.element.isConnected || !this.heads[0]) {
      return;
    }
    const focused = this.table.contains(document.activeElement);
    const height = this.rowHeight();
    const top = this.matrix.scrollTop;
    const first = this.all ? 0 : Math.max(0, Math.min(this.order.length, Math.floor(top / height)) - SPARE);
    const last = this.all ? this.order.length : Math.min(this.order.length, Math.ceil((top + this.matrix.clientHeight) / height) + SPARE);
    attribute(this.table, "aria-rowcount", String(this.order.length + 1));
    this.above.style.height = `${first * height}px`;
    this.below.style.height = `${(this.order.length - last) * height}px`;
    this.place(this.order.slice(first, last), first, this.span(this.heads[0].element));
    this.point();
    // What had the focus may be out of sight, and its element another's: a key brings it back.
    if (focused && document.activeElement !== this.target()) {
      (this.target() ?? this.matrix).focus({ preventScroll: true });
    }
  }

  private span(head: HTMLElement): Span {
    const names = (this.headRow.children[0] as HTMLElement).offsetWidth;
    const left = this.matrix.scrollLeft + names - head.offsetLeft;
    const right = this.matrix.scrollLeft + this.matrix.clientWidth - head.offsetLeft;
    const within = (column: number) => Math.max(0, Math.min(this.columns.length, column));
    return {
      first: within(Math.floor(left / head.offsetWidth) - SPARE),
      last: within(Math.ceil(right / head.offsetWidth) + SPARE),
    };
  }

  private place(names: string[], first: number, span: Span): void {
    const moved = span.first !== this.inSight.first || span.last !== this.inSight.last;
    this.inSight = span;
    const wanted = new Set(names);
    const byKey = new Map(this.rows.map((row) => [row.key, row]));
    const free = this.rows.filter((row) => !wanted.has(row.key));
    let before: Element = this.above;
    this.rows = names.map((name, index) => {
      const row = byKey.get(name) ?? free.pop() ?? new Row(this.columns);
      if (row.key !== name || moved || !this.scrolling) {
        row.show(name, this.store.sums.get(name) as FleetBreaker, span);
      }
      attribute(row.element, "aria-rowindex", String(first + index + 2));
      if (before.nextElementSibling !== row.element) {
        before.after(row.element);
      }
      before = row.element;
      return row;
    });
    free.forEach((row) => row.element.remove());
  }

  /** One stop for the tab key, which is where the focus was. */
  private point(): void {
    const there = this.target() ?? this.targetAt(0, 0);
    if (this.pointed !== there) {
      this.pointed?.setAttribute("tabindex", "-1");
      this.pointed = there;
    }
    there?.setAttribute("tabindex", "0");
  }

  private target(): HTMLElement | null {
    return this.targetAt(this.row, this.cell);
  }

  private targetAt(row: number, cell: number): HTMLElement | null {
    if (row === 0) {
      const head = this.headRow.children[cell] as HTMLElement | undefined;
      return (head?.querySelector("a") ?? head) || null;
    }
    return this.rows.find((each) => each.key === this.order[row - 1])?.at(cell) ?? null;
  }

  private onFocus(target: HTMLElement): void {
    const element = target.closest("th, td");
    const line = element?.parentElement;
    if (!element || !line) {
      return;
    }
    // Not its place among the elements, which those stand among that fill in for what is out of sight.
    this.cell = Number(element.getAttribute("aria-colindex")) - 1;
    this.row = line === this.headRow ? 0 : this.order.indexOf(this.rows.find((row) => row.element === line)?.key ?? "") + 1;
    this.point();
  }

  private onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.matrix.clientHeight / this.rowHeight()) - 2);
    const all = event.ctrlKey ? Infinity : 0;
    const steps: Record<string, [number, number]> = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1],
      PageDown: [page, 0], PageUp: [-page, 0], Home: [-all || 0, -Infinity], End: [all, Infinity],
    };
    const step = steps[event.key];
    if (!step || event.altKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    this.row = Math.max(0, Math.min(this.order.length, this.row + step[0]));
    this.cell = Math.max(0, Math.min(this.headRow.children.length - 1, this.cell + step[1]));
    this.reveal();
    this.target()?.focus({ preventScroll: true });
  }

  /** Scrolls so that what has the focus is in sight, and neither under the head nor under the names. */
  private reveal(): void {
    const height = this.rowHeight();
    const head = this.headRow.getBoundingClientRect().height;
    const top = (this.row - 1) * height;
    if (this.row > 0 && top < this.matrix.scrollTop) {
      this.matrix.scrollTop = top;
    } else if (this.row > 0 && top + height + head > this.matrix.scrollTop + this.matrix.clientHeight) {
      this.matrix.scrollTop = top + height + head - this.matrix.clientHeight + 16;
    }
    const cell = this.headRow.children[this.cell] as HTMLElement;
    const names = (this.headRow.children[0] as HTMLElement).offsetWidth;
    if (this.cell > 0 && cell.offsetLeft - names < this.matrix.scrollLeft) {
      this.matrix.scrollLeft = cell.offsetLeft - names;
    } else if (cell.offsetLeft + cell.offsetWidth > this.matrix.scrollLeft + this.matrix.clientWidth) {
      this.matrix.scrollLeft = cell.offsetLeft + cell.offsetWidth - this.matrix.clientWidth;
    }
    this.render();
  }

  private tell(now: FleetBreaker, before: FleetBreaker | undefined): void {
    if (before && before.refusing === 0 && now.refusing > 0) {
      announce({ name: `${now.name} at ${number(now.refusing)} of ${number(now.instances)}`, state: "OPEN" });
    } else if (before && before.refusing > 0 && now.refusing === 0 && now.instances > 0) {
      announce({ name: `${now.name} at no instance any longer`, state: "OPEN" });
    }
  }
}

function spacer(): HTMLTableRowElement {
  return h("tr", { "aria-hidden": "true", class: "space" }, h("td", {}));
}
