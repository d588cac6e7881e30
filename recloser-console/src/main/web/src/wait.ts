// How long a breaker stays open, and what that is made of.
import type { Detail } from "./api";
import { duration, exactly, ordinal } from "./words";

const UNITS: Record<string, number> = { ms: 1, s: 1_000, min: 60_000 };

/** A setting's duration, as the server writes it; null if it is anything else. */
function millisOf(setting: string | undefined): number | null {
  const match = /^(\d+) (ms|s|min)$/.exec(setting ?? "");
  return match ? Number(match[1]) * (UNITS[match[2] ?? ""] ?? NaN) : null;
}

/** The parts of the wait, in words; empty where there is none. */
export function waitOf(detail: Detail): string {
  const last = detail.history[detail.history.length - 1];
  if (detail.state !== "OPEN" || last?.to !== "OPEN" || last.waitMillis === null) {
    return "";
  }
  const row = detail.openings > 1 ? `, ${ordinal(detail.openings)} opening in a row` : "";
  return `wait ${exactly(last.waitMillis)}${row}${parts(detail, last.cause, last.waitMillis)}`;
}

function parts(detail: Detail, cause: string, wait: number): string {
  const { settings, openings } = detail;
  if (cause === "OPERATOR") {
    return ", opened by hand";
  }
  if (settings["waitIntervalFunctionInOpenState"]) {
    return ", by the wait function";
  }
  const base = millisOf(settings["waitDurationInOpenState"]);
  const most = millisOf(settings["exponentialMaxWaitDurationInOpenState"]) ?? Infinity;
  const multiplier = Number(settings["exponentialBackoffMultiplier"] ?? 1);
  const jitter = Number(settings["randomizedWaitFactor"] ?? 0);
  if (base === null) {
    return "";
  }
  const step = Math.min(most, base * Math.pow(multiplier, openings - 1));
  const longer = wait > Math.min(most, step * (1 + jitter)) + 1 ? ", made longer by Retry-After" : "";
  if (multiplier === 1 && jitter === 0) {
    return longer;
  }
  const spread = jitter > 0 ? ` ± ${Math.round(100 * jitter)} % jitter` : "";
  const cap = Number.isFinite(most) ? `, at most ${duration(most)}` : "";
  return `: ${exactly(step)}${spread}${cap}${longer}`;
}
