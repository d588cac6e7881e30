// Starts the page: the stream of events in, the view that the address names out.
import "uplot/dist/uPlot.min.css";
import "./console.css";
import { announce } from "./announce";
import { readConsole, takeToken, type Change, type Console } from "./api";
import { DetailView } from "./detail";
import { attribute, byId, text } from "./dom";
import { Overview } from "./overview";
import { PoliciesView } from "./policies";
import { forgetColors } from "./spark";
import { Store } from "./store";
import { duration } from "./words";

/** Longer than the heartbeat: silence for so long is a connection that is dead. */
const SILENCE = 12_000;
const RETRY = 2_000;

const store = new Store((row) => {
  announce(row);
  if (detail?.name === row.name) {
    void detail.refresh();
  }
});
const overview = new Overview(store);
let settings: Console = { title: "Recloser", instance: "", controls: false, token: false, user: null };
let detail: DetailView | null = null;
let policies: PoliciesView | null = null;
let source: EventSource | null = null;
let heardAt = performance.now();
let triedAt = performance.now();
let live = false;
let drawing = false;

function connect(): void {
  source?.close();
  triedAt = performance.now();
  source = new EventSource("api/events");
  const receive = (use: (change: Change) => void) => (event: MessageEvent<string>) => {
    heardAt = performance.now();
    const change: Change = JSON.parse(event.data);
    if (!live || change.instance !== settings.instance) {
      void readSettings();
    }
    live = true;
    use(change);
    draw();
  };
  source.addEventListener("snapshot", receive((change) => store.snapshot(change)));
  source.addEventListener("changes", receive((change) => store.change(change)));
  source.addEventListener("heartbeat", receive(() => {}));
  source.addEventListener("error", () => {
    live = false;
    showConnection();
    // The browser tries again by itself, but not after an answer that was no stream.
    if (source?.readyState === EventSource.CLOSED) {
      setTimeout(connect, RETRY);
    }
  });
}

async function readSettings(): Promise<void> {
  try {
    const before = settings;
    settings = await readConsole();
    text(byId("title"), settings.title);
    const changed = before.controls !== settings.controls || before.user !== settings.user;
    if (changed && detail) {
      route();
    }
    showTitle();
  } catch {
    // With the next event.
  }
}

/** However many changes come, the page is drawn once a frame. */
function draw(): void {
  if (drawing) {
    return;
  }
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    showConnection();
    if (detail) {
      detail.tick();
    } else if (!policies) {
      overview.update();
    }
  });
}

function showConnection(): void {
  const element = byId("connection");
  const age = performance.now() - heardAt;
  attribute(element, "data-live", String(live));
  attribute(document.body, "data-live", String(live));
  text(element, live ? "live" : `no connection, trying again; as of ${age < 10_000 ? "a moment" : duration(age - (age % 10_000))} ago`);
}

function showTitle(): void {
  const open = [...store.entries.values()].filter(({ row }) => row.state === "OPEN" || row.state === "FORCED_OPEN").length;
  document.title = `${open ? `(${open} open) ` : ""}${detail ? `${detail.name} · ` : ""}${settings.title}`;
}

function route(): void {
  takeToken();
  const hash = location.hash;
  const name = hash.startsWith("#/breaker/") ? safely(hash.slice("#/breaker/".length)) : null;
  const before = detail;
  detail = name === null ? null : new DetailView(name, store, settings);
  policies = hash === "#/policies" ? new PoliciesView() : null;
  const view = detail ?? policies ?? overview;
  byId("main").replaceChildren(view.element);
  attribute(byId("nav-breakers"), "aria-current", policies ? "false" : "page");
  attribute(byId("nav-policies"), "aria-current", policies ? "page" : "false");
  scrollTo(0, detail || policies ? 0 : overviewTop);
  showTitle();
  if (detail || policies) {
    void (detail ?? policies)?.refresh();
    if (routed) {
      (detail ?? policies)?.focus();
    }
  } else {
    overview.update();
    if (before) {
      overview.focusItem();
    }
  }
  routed = true;
}

function safely(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

let routed = false;
let overviewTop = 0;

addEventListener("hashchange", route);
addEventListener("scroll", () => {
  if (!detail && !policies) {
    overviewTop = scrollY;
    overview.render();
  }
}, { passive: true });
addEventListener("resize", () => (detail ? detail.tick() : overview.render()));
addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === "/" && !typing && !detail && !policies) {
    event.preventDefault();
    overview.focusSearch();
  } else if (event.key === "Escape" && !typing && (detail || policies) && !document.querySelector("dialog[open]")) {
    location.hash = "#/";
  }
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  forgetColors();
  (detail ?? overview).redraw();
});

setInterval(() => {
  const now = performance.now();
  if (now - Math.max(heardAt, triedAt) > SILENCE) {
    live = false;
    connect();
  }
  if (live) {
    store.tick();
  }
  void detail?.refresh();
  void policies?.refresh();
  showTitle();
  draw();
}, 1_000);

takeToken();
void readSettings().then(() => {
  route();
  connect();
});
