// The stream of events and what it has told so far. It lives in the worker that all tabs share, or
// in the page where a browser has no such worker.
import type { Change, Row } from "./api";
import { now } from "./clock";

/** What a tab is told. A snapshot has all breakers, a change those that have changed. */
export interface News extends Change {
  kind: "snapshot" | "changes" | "heartbeat" | "lost";
}

/** Longer than two heartbeats: silence for so long is a connection that is dead. */
export const SILENCE = 12_000;
const RETRY = 2_000;

export class Feed {
  private readonly rows = new Map<string, { row: Row; at: number }>();
  private source: EventSource | null = null;
  private instance = "";
  private live = false;
  private heardAt = 0;
  private triedAt = 0;

  constructor(private readonly tell: (news: News) => void) {
    this.connect();
    setInterval(() => this.watch(), 1_000);
  }

  /** All that is known now, with the time added that has passed since it was told. */
  snapshot(): News {
    const at = now();
    return this.live
      ? { kind: "snapshot", instance: this.instance, breakers: [...this.rows.values()].map((held) => aged(held.row, at - held.at)), gone: [] }
      : this.nothing("lost");
  }

  /** Somebody waits for it. */
  hurry(): void {
    if (!this.live && now() - this.triedAt > RETRY) {
      this.connect();
    }
  }

  private connect(): void {
    this.source?.close();
    this.triedAt = now();
    const source = new EventSource("api/events");
    this.source = source;
    for (const kind of ["snapshot", "changes", "heartbeat"] as const) {
      source.addEventListener(kind, (event: MessageEvent<string>) => this.receive(kind, JSON.parse(event.data)));
    }
    source.addEventListener("error", () => this.lose());
  }

  private receive(kind: "snapshot" | "changes" | "heartbeat", change: Change): void {
    const at = now();
    this.live = true;
    this.heardAt = at;
    this.instance = change.instance;
    if (kind === "snapshot") {
      this.rows.clear();
    }
    change.breakers.forEach((row) => this.rows.set(row.name, { row, at }));
    change.gone.forEach((name) => this.rows.delete(name));
    this.tell({ kind, ...change });
  }

  private lose(): void {
    if (this.live) {
      this.live = false;
      this.tell(this.nothing("lost"));
    }
  }

  /** The browser tries again by itself, but not after an answer that was no stream, nor in silence. */
  private watch(): void {
    const at = now();
    const dead = at - Math.max(this.heardAt, this.triedAt) > SILENCE;
    const refused = this.source?.readyState === EventSource.CLOSED && at - this.triedAt > RETRY;
    if (dead || refused) {
      this.lose();
      this.connect();
    }
  }

  private nothing(kind: "lost"): News {
    return { kind, instance: this.instance, breakers: [], gone: [] };
  }
}

function aged(row: Row, millis: number): Row {
  return {
    ...row,
    inStateForMillis: row.inStateForMillis + millis,
    remainingMillis: row.remainingMillis === null ? null : Math.max(0, row.remainingMillis - millis),
  };
}
