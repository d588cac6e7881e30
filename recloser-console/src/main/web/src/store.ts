// What is known of all breakers, with the last minutes of their traffic.
import type { Row, State } from "./api";
import { now } from "./clock";
import type { News } from "./feed";
import { believed } from "./words";

/** Ticks of traffic that are kept. */
export const KEPT = 300;

/** The least time between two ticks. */
const TICK = 1_000;
/** A tick that is so late has missed something: the page was asleep, or throttled. */
const LATE = 3;

/** Ticks that what is told per second is the mean of: steady enough to be read. */
const RECENT = 10;

type Counted = "succeeded" | "failed" | "refused";

/** Calls per second at each tick; NaN where that is not known. */
export class Traffic {
  readonly succeeded = new Float32Array(KEPT).fill(NaN);
  readonly failed = new Float32Array(KEPT).fill(NaN);
  readonly refused = new Float32Array(KEPT).fill(NaN);
  private before: Row | null = null;

  constructor(row: Row) {
    this.before = row;
  }

  tick(at: number, row: Row, seconds: number): void {
    const before = this.before;
    const rate = (name: Counted) => (before ? Math.max(0, row[name] - before[name]) / seconds : NaN);
    this.set(at, rate("succeeded"), rate("failed"), rate("refused"));
    this.before = row;
  }

  /** Nothing is known of this tick, so what the next one counts from is not either. */
  gap(at: number): void {
    this.set(at, NaN, NaN, NaN);
    this.before = null;
  }

  private set(at: number, succeeded: number, failed: number, refused: number): void {
    this.succeeded[at] = succeeded;
    this.failed[at] = failed;
    this.refused[at] = refused;
  }
}

export interface Entry {
  row: Row;
  /** When it was received. */
  at: number;
  traffic: Traffic;
}

export class Store {
  readonly entries = new Map<string, Entry>();
  instance = "";
  /** Changes when a breaker comes or goes. */
  members = 0;
  live = false;
  heardAt = -Infinity;
  /** How many ticks there were. */
  ticks = 0;
  /** How often the server looks; between two looks there is nothing to tell. */
  interval = 500;
  private readonly times = new Float64Array(KEPT);
  private tickedAt = NaN;
  private seenAt = NaN;
  private broken = false;

  constructor(private readonly onMove: (row: Row) => void) {}

  /** True if they are news of another process than before: nothing of the former one is kept. */
  receive(news: News): boolean {
    if (news.kind === "lost") {
      this.lose();
      return false;
    }
    const restarted = this.instance !== "" && this.instance !== news.instance;
    this.instance = news.instance;
    this.live = true;
    this.heardAt = now();
    if (restarted) {
      this.clear();
    }
    if (news.kind === "snapshot") {
      const present = new Set(news.breakers.map((row) => row.name));
      [...this.entries.keys()].filter((name) => !present.has(name)).forEach((name) => this.remove(name));
    }
    news.breakers.forEach((row) => this.put(row));
    news.gone.forEach((name) => this.remove(name));
    return restarted;
  }

  lose(): void {
    this.live = false;
    this.broken = true;
  }

  /** The moment that is shown: without a connection time stands still where it was lost. */
  asOf(): number {
    return this.live ? now() : this.heardAt;
  }

  /** Counts what came since the last tick, if it is time for one. */
  tick(): void {
    const at = now();
    const period = Math.max(TICK, this.interval);
    const elapsed = at - this.tickedAt;
    if (elapsed < 0.9 * period) {
      return;
    }
    const late = elapsed > LATE * period;
    if (late || this.broken || !this.live) {
      this.skip(at, period, Math.min(KEPT, late ? Math.floor(elapsed / period) : 1));
    } else {
      this.count(at);
    }
    this.tickedAt = at;
    this.broken = !this.live;
  }

  /** The kept values of a ring, oldest first. */
  last(ring: ArrayLike<number>, most: number): number[] {
    const values: number[] = [];
    for (let back = Math.min(most, this.ticks, KEPT); back >= 1; back--) {
      values.push(ring[(this.ticks - back) % KEPT] ?? NaN);
    }
    return values;
  }

  /** When the kept ticks were. */
  lastTimes(most: number): number[] {
    return this.last(this.times, most);
  }

  private put(row: Row): void {
    const entry = this.entries.get(row.name);
    if (!entry) {
      this.members++;
      this.entries.set(row.name, { row, at: this.heardAt, traffic: new Traffic(row) });
      return;
    }
    const from = entry.row.state;
    entry.row = row;
    entry.at = this.heardAt;
    if (from !== row.state) {
      this.onMove(row);
    }
  }

  private remove(name: string): void {
    if (this.entries.delete(name)) {
      this.members++;
    }
  }

  private clear(): void {
    this.entries.clear();
    this.members++;
    this.ticks = 0;
    this.tickedAt = NaN;
    this.seenAt = NaN;
  }

  /**
   * Counts are as of the last news. A tick without any was one in which nothing happened, up to the
   * look of the server that must have been since.
   */
  private count(at: number): void {
    const seenAt = this.heardAt > this.tickedAt ? this.heardAt : at - this.interval;
    const seconds = Math.max(TICK / 4, seenAt - this.seenAt) / 1_000;
    this.seenAt = seenAt;
    const slot = this.slot(at);
    for (const { row, traffic } of this.entries.values()) {
      traffic.tick(slot, row, seconds);
    }
  }

  private skip(at: number, period: number, missed: number): void {
    for (let back = missed - 1; back >= 0; back--) {
      const slot = this.slot(at - back * period);
      for (const { traffic } of this.entries.values()) {
        traffic.gap(slot);
      }
    }
    if (this.live) {
      this.seenAt = this.heardAt;
      for (const { row, traffic } of this.entries.values()) {
        traffic.tick((this.ticks - 1) % KEPT, row, 1);
      }
    }
  }

  /** The slot is shared by all breakers, so that they can be drawn side by side. */
  private slot(at: number): number {
    const slot = this.ticks++ % KEPT;
    this.times[slot] = at;
    return slot;
  }
}

/** Per second, as the mean of the last ticks that are known; null if none is. */
export function recently(store: Store, ring: ArrayLike<number>): number | null {
  const known = store.last(ring, RECENT).filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** What it costs now: calls a second that were refused or failed, in powers of four, which change seldom. */
export function harm(store: Store, { traffic }: Entry): number {
  const lost = (recently(store, traffic.refused) ?? 0) + (recently(store, traffic.failed) ?? 0);
  return Math.max(0, Math.ceil(Math.log2(Math.max(0.25, lost)) / 2));
}

export const inState = (entry: Entry, asOf: number) => entry.row.inStateForMillis + Math.max(0, asOf - entry.at);

export const remaining = (entry: Entry, asOf: number) =>
  entry.row.remainingMillis === null ? null : entry.row.remainingMillis - Math.max(0, asOf - entry.at);

/**
 * The worse, the larger: refusing calls, then on the way, then how near a rate is to its threshold,
 * in quarters of it: rows that change places with every call cannot be read.
 */
export function badness(row: Row): number {
  const near = believed(row)
    ? Math.max(
        (row.window.failureRate ?? 0) / row.window.failureRateThreshold,
        (row.window.slowCallRate ?? 0) / row.window.slowCallRateThreshold,
      )
    : 0;
  const rank: Record<State, number> = { OPEN: 60, FORCED_OPEN: 50, HALF_OPEN: 40, METRICS_ONLY: 10, DISABLED: 10, CLOSED: 0 };
  const rampUp = row.state === "CLOSED" && row.admittedPercentage < 100 ? 30 : 0;
  return rank[row.state] + rampUp + Math.min(9, Math.floor(4 * near));
}
