// What the server tells, as its OpenAPI document says.

export type State = "CLOSED" | "OPEN" | "HALF_OPEN" | "FORCED_OPEN" | "DISABLED" | "METRICS_ONLY";

export interface Window {
  calls: number;
  failed: number;
  slow: number;
  /** What is in both. */
  slowFailed: number;
  slowInFlight: number;
  minimumNumberOfCalls: number;
  callsNeeded: number;
  failureRate: number | null;
  failureRateThreshold: number;
  slowCallRate: number | null;
  slowCallRateThreshold: number;
}

export interface Row {
  name: string;
  state: State;
  inStateForMillis: number;
  remainingMillis: number | null;
  admittedPercentage: number;
  openings: number;
  openedLastHour: number;
  openedLastDay: number;
  window: Window;
  probesOut: number;
  probesLeft: number;
  callsInFlight: number;
  succeeded: number;
  failed: number;
  slow: number;
  late: number;
  refused: number;
  transitions: number;
}

export interface Transition {
  sequence: number;
  ageMillis: number;
  from: State;
  to: State;
  cause: string;
  reason: string;
  window: Window;
  failures: { type: string; message: string | null; durationMillis: number | null }[];
  slowestCallMillis: number | null;
  waitMillis: number | null;
  openings: number;
}

/** A stretch of the window; what was slow and failed is in both of these, and once more apart. */
export interface Slice {
  calls: number;
  failed: number;
  slow: number;
  slowFailed: number;
}

/** What states there were, oldest first. Nothing is known of the time before it begins. */
export interface Timeline {
  sinceMillis: number;
  state: State;
  changes: { ageMillis: number; to: State; cause: string; byHand: boolean }[];
}

export interface Policy {
  kind: string;
  name: string;
  explain: string;
  now: Record<string, number>;
  counts: Record<string, number>;
}

export interface Pipeline {
  pipeline: string;
  describe: string;
  fallbacks: Record<string, number>[];
}

export interface Detail extends Row {
  explain: string;
  strip: {
    type: string;
    size: number | null;
    durationMillis: number | null;
    slices: Slice[];
  };
  permittedNumberOfCallsInHalfOpenState: number;
  slowCallDurationThresholdMillis: number | null;
  counts: Record<string, number> & {
    refused: Record<string, number>;
    probes: Record<string, number>;
  };
  timeInStateMillis: Record<string, number>;
  history: Transition[];
  timeline: Timeline;
  settings: Record<string, string>;
  latency: { calls: number; p50Millis: number; p95Millis: number; p99Millis: number; maxMillis: number } | null;
  actions: { ageMillis: number; user: string; action: string; reason: string; expiryMillis: number | null }[];
  policies: Policy[];
  pipelines: Pipeline[];
}

export interface Console {
  title: string;
  instance: string;
  refreshIntervalMillis: number;
  controls: boolean;
  token: boolean;
  user: string | null;
  /** Whether it shows other instances too. */
  fleet: boolean;
}

export interface Change {
  instance: string;
  breakers: Row[];
  gone: string[];
}

const TOKEN = "recloser-token";

/** A token in the address is kept for this tab and taken out of sight. */
export function takeToken(): void {
  const match = /^#token=([\w-]+)$/.exec(location.hash);
  if (match?.[1]) {
    sessionStorage.setItem(TOKEN, match[1]);
    history.replaceState(null, "", "#/");
  }
}

export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;
export const forgetToken = () => sessionStorage.removeItem(TOKEN);

/** Keeps a token for this tab if it is the right one. */
export async function tryToken(token: string): Promise<Console> {
  const console = await ask<Console>("api/console", { headers: bearer(token) });
  if (console.user !== null) {
    sessionStorage.setItem(TOKEN, token);
  }
  return console;
}

function bearer(token: string | null): Record<string, string> {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** An answer that is a problem document. */
export class Problem extends Error {
  constructor(readonly status: number, detail: string) {
    super(detail);
  }
}

/** A connection that is stuck is given up; the next question may have a better one. */
const PATIENCE = 5_000;

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const headers = { ...bearer(sessionStorage.getItem(TOKEN)), ...init.headers };
  const answer = await fetch(path, { ...init, headers, signal: AbortSignal.timeout(PATIENCE) });
  const body = await answer.json();
  if (!answer.ok) {
    throw new Problem(answer.status, body.detail);
  }
  return body as T;
}

/** In UTF-8; half a surrogate pair, which encodeURIComponent refuses, as the bytes it would have. */
function encode(name: string): string {
  return Array.from(name, (c) => {
    const code = c.charCodeAt(0);
    const half = c.length === 1 && code >= 0xd800 && code <= 0xdfff;
    const byte = (value: number) => `%${value.toString(16).toUpperCase()}`;
    return half ? `%ED${byte(0x80 | ((code >> 6) & 0x3f))}${byte(0x80 | (code & 0x3f))}` : encodeURIComponent(c);
  }).join("");
}

const of = (name: string, what = "") => `api/breaker${what}?name=${encode(name)}`;

export const readConsole = () => ask<Console>("api/console");
export const readBreaker = (name: string) => ask<Detail>(of(name));
export const readPolicies = () => ask<{ policies: Policy[]; pipelines: Pipeline[] }>("api/policies");

export const control = (name: string, action: string, reason: string, expirySeconds: number | null) =>
  ask<Detail>(of(name, "/control"), {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Recloser-Console": "1" },
    body: JSON.stringify({ action, reason, expirySeconds }),
  });
