// Lines over the last minutes, by uPlot.
import uPlot from "uplot";
import { h } from "./dom";

export interface Series {
  label: string;
  color: string;
  dash?: number[];
  fill?: boolean;
}

/** Seconds that there is room for at least. */
const LEAST = 30;

const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Plot {
  readonly element: HTMLElement;
  private plot: uPlot | null = null;
  private data: uPlot.AlignedData = [[]];

  constructor(private readonly label: string, private readonly series: Series[], private readonly unit: string) {
    this.element = h("div", { class: "plot", role: "img", "aria-label": label });
  }

  show(data: (number | null)[][], summary: string): void {
    this.data = data as uPlot.AlignedData;
    this.element.setAttribute("aria-label", `${this.label}: ${summary}`);
    const width = this.element.clientWidth;
    if (width === 0) {
      return;
    }
    if (!this.plot) {
      this.plot = new uPlot(this.options(width), this.data, this.element);
    } else {
      if (this.plot.width !== width) {
        this.plot.setSize({ width, height: 170 });
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
    const axis = { stroke: css("--muted"), grid: { stroke: css("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" };
    return {
      width,
      height: 170,
      cursor: { show: false },
      legend: { show: false },
      scales: { x: { time: false, range: (_plot, low) => [Math.min(low ?? 0, -LEAST), 0] }, y: { range: (_plot, _low, high) => [0, Math.max(1, (high ?? 1) * 1.15)] } },
      axes: [
        { ...axis, incrs: [1, 5, 10, 15, 30, 60, 120], values: (_plot, values) => values.map((v) => (v === 0 ? "now" : `${v} s`)) },
        { ...axis, size: 62, values: (_plot, values) => values.map((v) => `${v}${this.unit}`) },
      ],
      series: [
        {},
        ...this.series.map((one) => ({
          label: one.label,
          stroke: css(one.color),
          width: 2,
          points: { show: false },
          ...(one.dash ? { dash: one.dash } : {}),
          ...(one.fill ? { fill: `${css(one.color)}22` } : {}),
        })),
      ],
    };
  }
}

export function legend(series: Series[]): HTMLElement {
  return h("ul", { class: "legend" }, ...series.map((one) => {
    const swatch = h("span", { class: one.dash ? "swatch dashed" : "swatch" });
    swatch.style.setProperty("--swatch", `var(${one.color})`);
    return h("li", {}, swatch, one.label);
  }));
}
