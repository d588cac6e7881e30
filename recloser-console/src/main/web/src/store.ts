// What is known of all breakers, with the last minutes of their traffic.
import type { Change, Row, State } from "./api";
import { believed } from "./words";

/** Seconds of traffic that are kept. */
export const SECONDS = 300;

export class Traffic {
  readonly ok = new Float32Array(SECONDS);
  readonly failed = new Float32Array(SECONDS);
  readonly refused = new Float32Array(SECONDS);
  private before: Row;

  constructor(row: Row) {
    this.before = row;
  }

  /** The second at which the ring stands is shared by all, so that they can be drawn side by side. */
  tick(at: number, row: Row): void {
    const restarted = row.succeeded < this.before.succeeded;
    const difference = (name: "succeeded" | "failed" | "refused") =>
      restarted ? 0 : Math.max(0, row[name] - this.before[name]);
    this.ok[at] = difference("succeeded");
    this.failed[at] = difference("failed");
    this.refused[at] = difference("refused");
    this.before = row;
  }
}

export interface Entry {
  row: Row;
  /** When it was received, by the clock of this page. */
  at: number;
  traffic: Traffic;
}

export class Store {
  readonly entries = new Map<string, Entry>();
  instance = "";
  /** The seconds that have been counted. */
  seconds = 0;
  private readonly onMove: (row: Row, from: State) => void;

  constructor(onMove: (row: Row, from: State) => void) {
    this.onMove = onMove;
  }

  snapshot(change: Change): void {
    const restarted = this.instance !== "" && this.instance !== change.instance;
    this.instance = change.instance;
    const present = new Set(change.breakers.map((row) => row.name));
    for (const name of this.entries.keys()) {
      if (!present.has(name) || restarted) {
        this.entries.delete(name);
      }
    }
    this.change(change);
  }

  change(change: Change): void {
    const at = performance.now();
    for (const row of change.breakers) {
      const entry = this.entries.get(row.name);
      if (!entry) {
        this.entries.set(row.name, { row, at, traffic: new Traffic(row) });
        continue;
      }
      const from = entry.row.state;
      entry.row = row;
      entry.at = at;
      if (from !== row.state) {
        this.onMove(row, from);
      }
    }
    for (const name of change.gone) {
      this.entries.delete(name);
    }
  }

  tick(): void {
    const at = this.seconds % SECONDS;
    for (const { row, traffic } of this.entries.values()) {
      traffic.tick(at, row);
    }
    this.seconds++;
  }

  /** The last seconds of a ring, oldest first. */
  last(ring: Float32Array, seconds: number): number[] {
    const values: number[] = [];
    for (let age = Math.min(seconds, this.seconds, SECONDS); age >= 1; age--) {
      values.push(ring[(this.seconds - age) % SECONDS] ?? 0);
    }
    return values;
  }
}

export const inState = (entry: Entry) => entry.row.inStateForMillis + performance.now() - entry.at;

export const remaining = (entry: Entry) =>
  entry.row.remainingMillis === null ? null : entry.row.remainingMillis - (performance.now() - entry.at);

/** The worse, the larger: refusing calls, then on the way, then how near a rate is to its threshold. */
export function badness(row: Row): number {
  const near = believed(row)
    ? Math.max(
        (row.window.failureRate ?? 0) / row.window.failureRateThreshold,
        (row.window.slowCallRate ?? 0) / row.window.slowCallRateThreshold,
      )
    : 0;
  const rank: Record<State, number> = { OPEN: 60, FORCED_OPEN: 50, HALF_OPEN: 40, METRICS_ONLY: 10, DISABLED: 10, CLOSED: 0 };
  const rampUp = row.state === "CLOSED" && row.admittedPercentage < 100 ? 30 : 0;
  return rank[row.state] + rampUp + Math.min(9, near);
}
