// A row of the matrix: a breaker, its sums, and a cell for each instance.
import type { State } from "./api";
import { attribute, h, text } from "./dom";
import { age, inState, type Column, type FleetBreaker, type FleetCell, type Known } from "./fleet-store";
import { duration, icon, number, short, showIcon, toFragment, word } from "./words";

export const SUMS = ["Refusing", "In flight", "Calls/s", "Failed/s", "Refused/s"];

/** A letter beside the shape and the colour, for those who tell neither apart. */
const LETTERS: Record<State, string> = {
  CLOSED: "C", OPEN: "O", HALF_OPEN: "H", FORCED_OPEN: "F", DISABLED: "D", METRICS_ONLY: "M",
};

const isRampUp = (cell: FleetCell) => cell.state === "CLOSED" && cell.admittedPercentage < 100;

const perSecond = (value: number | null) =>
  value === null ? "–" : value > 0 && value < 10 ? value.toFixed(1) : short(Math.round(value));

const total = (sum: FleetBreaker) =>
  sum.succeededPerSecond === null ? null : sum.succeededPerSecond + (sum.failedPerSecond ?? 0);

/** Without an instance that is live nothing is known, not even that there are none. */
function figures(sum: FleetBreaker): string[] {
  if (sum.instances === 0) {
    return ["unknown", "–", "–", "–", "–"];
  }
  const refusing = `${number(sum.refusing)} of ${number(sum.instances)}`;
  return [refusing, short(sum.callsInFlight), perSecond(total(sum)), perSecond(sum.failedPerSecond), perSecond(sum.refusedPerSecond)];
}

class Cell {
  readonly element = h("td", { class: "at", tabindex: -1 });
  private readonly shape = icon();
  private readonly letter = h("span", { "aria-hidden": "true" });
  private readonly link = h("a", { class: "cell", rel: "noreferrer", tabindex: -1 }, this.shape, this.letter);

  show(name: string, known: Known | undefined, column: Column, index: number): void {
    attribute(this.element, "aria-colindex", String(index));
    if (!known) {
      this.link.remove();
      return;
    }
    const { cell } = known;
    const { head } = column;
    attribute(this.link, "href", `${head.uri}#/breaker/${toFragment(name)}`);
    attribute(this.link, "data-state", cell.state);
    attribute(this.link, "data-live", String(head.live));
    showIcon(this.shape, cell.state);
    text(this.letter, isRampUp(cell) ? "R" : LETTERS[cell.state]);
    const words = `${name} at ${head.name}: ${sentence(known, column)}`;
    attribute(this.link, "aria-label", words);
    attribute(this.link, "title", words);
    if (!this.link.isConnected) {
      this.element.append(this.link);
    }
  }
}

function sentence(known: Known, column: Column): string {
  const { cell } = known;
  const state = isRampUp(cell) ? `ramp-up, ${Math.round(cell.admittedPercentage)} % admitted` : word(cell.state).toLowerCase();
  // The most by far are closed, and stay so: they say no time, and so need not be drawn every second.
  const since = cell.state === "CLOSED" ? "" : ` for ${duration(inState(known, column))}`;
  const old = age(column);
  return `${state}${since}${old ? `, as of ${duration(old)} ago` : ""}`;
}

/** The columns in front of those of the instances. */
export const FIXED = 1 + SUMS.length;

/** Which instances are in sight: from the first, without the last. */
export interface Span {
  first: number;
  last: number;
}

export class Row {
  readonly element: HTMLTableRowElement;
  private readonly name = h("th", { scope: "row", class: "breaker", tabindex: -1, "aria-colindex": 1 });
  private readonly sums = SUMS.map((_, index) => h("td", { class: "sum", tabindex: -1, "aria-colindex": index + 2 }));
  private readonly left = h("td", { "aria-hidden": "true", class: "space" });
  private readonly right = h("td", { "aria-hidden": "true", class: "space" });
  private readonly cells: Cell[] = [];
  private first = 0;
  key = "";

  constructor(private readonly columns: Column[]) {
    this.element = h("tr", {}, this.name, ...this.sums, this.left, this.right);
  }

  show(name: string, sum: FleetBreaker, span: Span): void {
    this.key = name;
    text(this.name, name);
    attribute(this.name, "title", name);
    attribute(this.element, "data-refusing", String(sum.refusing > 0));
    this.sums.forEach((cell, index) => text(cell, figures(sum)[index] ?? ""));
    this.fit(span);
    this.cells.forEach((cell, index) => {
      const column = this.columns[span.first + index] as Column;
      cell.show(name, column.cells.get(name), column, FIXED + span.first + index + 1);
    });
  }

  private fit({ first, last }: Span): void {
    this.first = first;
    while (this.cells.length > last - first) {
      this.cells.pop()?.element.remove();
    }
    while (this.cells.length < last - first) {
      const cell = new Cell();
      this.cells.push(cell);
      this.right.before(cell.element);
    }
    fill(this.left, first);
    fill(this.right, this.columns.length - last);
  }

  /** What takes the focus at a column: the link if there is one. Null for what is not in sight. */
  at(column: number): HTMLElement | null {
    if (column < FIXED) {
      return this.element.children[column] as HTMLElement;
    }
    const element = this.cells[column - FIXED - this.first]?.element;
    return element ? ((element.firstElementChild as HTMLElement | null) ?? element) : null;
  }
}

/** Stands for cells that are out of sight. */
function fill(space: HTMLTableCellElement, columns: number): void {
  space.hidden = columns === 0;
  if (columns > 0 && space.colSpan !== columns) {
    space.colSpan = columns;
  }
}
