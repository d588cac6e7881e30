// Says what moved, for who does not see it: collected, so that a storm of changes is one sentence.
import type { Row, State } from "./api";
import { byId, text } from "./dom";
import { word } from "./words";

const PAUSE = 4_000;
const NAMED = 3;

const moved = new Map<string, State>();
let timer = 0;

export function announce(row: Pick<Row, "name" | "state">): void {
  moved.set(row.name, row.state);
  if (!timer) {
    timer = window.setTimeout(tell, 300);
  }
}

/** Something that is no change of state. */
export function say(sentence: string): void {
  text(byId("news"), sentence);
}

function tell(): void {
  const byState = new Map<State, string[]>();
  for (const [name, state] of moved) {
    byState.set(state, [...(byState.get(state) ?? []), name]);
  }
  moved.clear();
  text(byId("news"), [...byState].map(([state, names]) => sentence(state, names)).join(" "));
  timer = window.setTimeout(() => {
    timer = 0;
    if (moved.size > 0) {
      tell();
    }
  }, PAUSE);
}

function sentence(state: State, names: string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return `${word(state)}: ${names.slice(0, NAMED).join(", ")}${more}.`;
}
