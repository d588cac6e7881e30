// Lines over the last minutes, by uPlot.
import uPlot from "uplot";
import { h } from "./dom";

export interface Series {
  label: string;
  color: string;
  /** What tells lines apart besides their colours. */
  style?: keyof typeof STYLES;
  fill?: boolean;
}

const STYLES = {
  thick: { width: 3 },
  dotted: { width: 2, dash: [2, 4] },
  dashed: { width: 2, dash: [8, 5] },
};

/** Seconds that there is room for at least. */
const LEAST = 30;

/** In the size of the text around, which is larger on a wall. */
const HEIGHT = 10.5;

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Plot {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private data: uPlot.AlignedData = [[]];

  constructor(private readonly label: string, private readonly series: Series[], private readonly unit: string) {
    this.element = h("div", { class: "plot", role: "img", "aria-label": label });
  }

  show(data: (number | null)[][], summary: string): void {
    // What is not known is a gap, for which the word of uPlot is null.
    this.data = data.map((values) => values.map((value) => (Number.isNaN(value) ? null : value))) as uPlot.AlignedData;
    this.element.setAttribute("aria-label", `${this.label}: ${summary}`);
    const width = this.element.clientWidth;
    if (width === 0) {
      return;
    }
    if (!this.plot) {
      this.plot = new uPlot(this.options(width), this.data, this.element);
    } else {
      if (this.plot.width !== width) {
        this.plot.setSize({ width, height: HEIGHT * rem() });
      }
      this.plot.setData(this.data);
    }
  }

  /** For other colours. */
  forget(): void {
    this.plot?.destroy();
    this.plot = null;
  }

  private options(width: number): uPlot.Options {
    const size = rem();
    const axis = { stroke: css("--muted"), grid: { stroke: css("--line"), width: 1 }, ticks: { show: false }, font: `${0.75 * size}px system-ui` };
    return {
      width,
      height: HEIGHT * size,
      cursor: { show: false },
      legend: { show: false },
      scales: { x: { time: false, range: (_plot, low) => [Math.min(low ?? 0, -LEAST), 0] }, y: { range: (_plot, _low, high) => [0, Math.max(1, (high ?? 1) * 1.15)] } },
      axes: [
        { ...axis, size: 1.9 * size, space: 4 * size, incrs: [1, 5, 10, 15, 30, 60, 120], values: (_plot, values) => values.map((v) => (v === 0 ? "now" : `${v} s`)) },
        { ...axis, size: 3.9 * size, space: 2 * size, values: (_plot, values) => values.map((v) => `${v}${this.unit}`) },
      ],
      series: [
        {},
        ...this.series.map((one) => ({
          label: one.label,
          stroke: css(one.color),
          width: 2,
          ...(one.style ? STYLES[one.style] : {}),
          // A value between two gaps has no line to be seen by.
          points: { show: true, size: 5, filter: (plot: uPlot, index: number) => isolated(plot.data[index] ?? []) },
          ...(one.fill ? { fill: `${css(one.color)}22` } : {}),
        })),
      ],
    };
  }
}

function isolated(values: ArrayLike<number | null | undefined>): number[] {
  const known = (i: number) => values[i] !== null && values[i] !== undefined;
  return Array.from(values, (_, i) => i).filter((i) => known(i) && !known(i - 1) && !known(i + 1));
}

export function legend(series: Series[]): HTMLElement {
  return h("ul", { class: "legend" }, ...series.map((one) => {
    const swatch = h("span", { class: `swatch ${one.style ?? ""}` });
    swatch.style.setProperty("--swatch", `var(${one.color})`);
    return h("li", {}, swatch, one.label);
  }));
}
