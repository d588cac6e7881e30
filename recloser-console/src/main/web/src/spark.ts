// A minute of traffic as small bars: successes up from the line, failures on top, refusals below it.
import { h } from "./dom";
import { type Entry, type Store } from "./store";

const BARS = 60;

let colors: { ok: string; failed: string; refused: string; line: string } | null = null;

export function forgetColors(): void {
  colors = null;
}

function palette() {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return (colors ??= { ok: read("--ok"), failed: read("--failed"), refused: read("--refused"), line: read("--muted") });
}

export function sparkCanvas(): HTMLCanvasElement {
  return h("canvas", { class: "spark", width: 2 * BARS * 2, height: 56, "aria-hidden": "true" });
}

export function drawSpark(canvas: HTMLCanvasElement, store: Store, entry: Entry): void {
  const context = canvas.getContext("2d");
  if (!context) {
    return;
  }
  const ok = store.last(entry.traffic.succeeded, BARS);
  const failed = store.last(entry.traffic.failed, BARS);
  const refused = store.last(entry.traffic.refused, BARS);
  const { width, height } = canvas;
  const base = Math.round(height * 0.68);
  const known = (values: number[]) => values.filter((value) => !Number.isNaN(value));
  const up = Math.max(1, ...known(ok.map((value, i) => value + (failed[i] ?? 0))));
  const down = Math.max(1, up / 2, ...known(refused));
  context.clearRect(0, 0, width, height);
  const bar = width / BARS;
  const first = BARS - ok.length;
  const { ok: okColor, failed: failedColor, refused: refusedColor, line } = palette();
  for (let i = 0; i < ok.length; i++) {
    if (Number.isNaN(ok[i])) {
      continue; // A gap in the line as well: nothing is known, which is not nothing.
    }
    const x = (first + i) * bar;
    const okHeight = ((ok[i] ?? 0) / up) * base;
    const failedHeight = ((failed[i] ?? 0) / up) * base;
    context.fillStyle = line;
    context.fillRect(x, base, bar, 1);
    context.fillStyle = okColor;
    context.fillRect(x, base - okHeight, bar - 1, okHeight);
    context.fillStyle = failedColor;
    context.fillRect(x, base - okHeight - failedHeight, bar - 1, failedHeight);
    context.fillStyle = refusedColor;
    context.fillRect(x, base + 1, bar - 1, ((refused[i] ?? 0) / down) * (height - base - 1));
  }
}
