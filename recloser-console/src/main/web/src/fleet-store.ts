// What is known of other instances: their breakers, and the sums that the server makes of them.
import type { State } from "./api";
import { now } from "./clock";
import { byName } from "./words";

export interface FleetCell {
  name: string;
  state: State;
  inStateForMillis: number;
  remainingMillis: number | null;
  admittedPercentage: number;
  openings: number;
}

export interface FleetInstance {
  name: string;
  uri: string;
  live: boolean;
  problem: string | null;
  instance: string | null;
  ageMillis: number | null;
  breakers: FleetCell[];
  gone: string[];
}

export interface FleetBreaker {
  name: string;
  instances: number;
  refusing: number;
  probing: number;
  callsInFlight: number;
  succeededPerSecond: number | null;
  failedPerSecond: number | null;
  refusedPerSecond: number | null;
}

export interface FleetChange {
  instance: string;
  instances: FleetInstance[];
  breakers: FleetBreaker[];
  goneInstances: string[];
  goneBreakers: string[];
}

/** A cell, and when it was received, by the clock of this page. */
export interface Known {
  cell: FleetCell;
  at: number;
}

export interface Column {
  head: FleetInstance;
  at: number;
  cells: Map<string, Known>;
}

export class FleetStore {
  readonly columns = new Map<string, Column>();
  readonly sums = new Map<string, FleetBreaker>();
  /** By name, orders-2 before orders-10; another array only if instances came or went. */
  order: Column[] = [];

  constructor(private readonly onMove: (sum: FleetBreaker, before: FleetBreaker | undefined) => void) {}

  snapshot(change: FleetChange): void {
    this.columns.clear();
    this.order = [];
    const present = new Set(change.breakers.map((sum) => sum.name));
    for (const name of [...this.sums.keys()].filter((each) => !present.has(each))) {
      this.sums.delete(name);
    }
    this.change(change);
  }

  change(change: FleetChange): void {
    const at = now();
    for (const head of change.instances) {
      const column = this.columns.get(head.name);
      if (column) {
        column.head = head;
        column.at = at;
      } else {
        this.columns.set(head.name, { head, at, cells: new Map() });
      }
      const { cells } = this.columns.get(head.name) as Column;
      head.gone.forEach((name) => cells.delete(name));
      head.breakers.forEach((cell) => cells.set(cell.name, { cell, at }));
    }
    change.goneInstances.forEach((name) => this.columns.delete(name));
    for (const sum of change.breakers) {
      const before = this.sums.get(sum.name);
      this.sums.set(sum.name, sum);
      this.onMove(sum, before);
    }
    change.goneBreakers.forEach((name) => this.sums.delete(name));
    this.arrange();
  }

  private arrange(): void {
    const sorted = [...this.columns.values()].sort((a, b) => byName(a.head.name, b.head.name));
    if (sorted.length !== this.order.length || sorted.some((column, index) => column !== this.order[index])) {
      this.order = sorted;
    }
  }
}

/** How old is what a column shows; null where nothing was ever told, 0 where it is as of now. */
export function age(column: Column): number | null {
  const { live, ageMillis } = column.head;
  if (ageMillis === null) {
    return null;
  }
  return live ? 0 : ageMillis + now() - column.at;
}

/** The time in a state goes on by itself, unless nobody knows whether it does. */
export function inState({ cell, at }: Known, column: Column): number {
  return cell.inStateForMillis + (column.head.live ? now() - at : 0);
}
