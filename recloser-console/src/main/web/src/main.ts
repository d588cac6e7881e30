// Starts the page: the news of all breakers in, the view that the address names out.
import "uplot/dist/uPlot.min.css";
import "./console.css";
import { announce, say } from "./announce";
import { readConsole, takeToken, type Console } from "./api";
import { now } from "./clock";
import { DetailView } from "./detail";
import { attribute, byId, text } from "./dom";
import { SILENCE, type News } from "./feed";
import { Link } from "./link";
import { Overview } from "./overview";
import { PoliciesView } from "./policies";
import { forgetColors } from "./spark";
import { Store } from "./store";
import { clockTime, duration, fromFragment } from "./words";

/** Longer than a heartbeat: what is older is said to be. */
const FRESH = 6_000;

const store = new Store((row) => {
  announce(row);
  if (detail?.name === row.name) {
    void detail.refresh();
  }
});
const overview = new Overview(store);
let settings: Console = { title: "Recloser", instance: "", refreshIntervalMillis: 500, controls: false, token: false, user: null };
let detail: DetailView | null = null;
let policies: PoliciesView | null = null;
let link: Link | null = null;
let asking = false;
let drawing = false;
let routed = false;
let overviewTop = 0;
let restartedAt: string | null = null;

function receive(news: News): void {
  const had = store.live;
  if (store.receive(news)) {
    restart();
  }
  if (store.live && (!had || news.instance !== settings.instance)) {
    void readSettings();
  }
  store.tick();
  draw();
}

/** The application is another process: nothing that was known of the former one holds. */
function restart(): void {
  restartedAt = clockTime(0);
  say("The application was restarted.");
  const focus = detail?.element.contains(document.activeElement);
  route();
  if (focus) {
    detail?.focus();
  }
}

async function readSettings(): Promise<void> {
  if (asking) {
    return;
  }
  asking = true;
  try {
    const before = settings;
    const read = await readConsole();
    if (settings !== before) {
      return; // Somebody has used or forgotten a token meanwhile.
    }
    useSettings(read);
    if (detail && (before.controls !== settings.controls || before.user !== settings.user)) {
      route();
    }
  } catch {
    // With the next news.
  } finally {
    asking = false;
  }
}

function useSettings(read: Console): void {
  settings = read;
  store.interval = read.refreshIntervalMillis;
  text(byId("title"), read.title);
  showTitle();
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

/** The word is read out when it changes; the age beside it is only seen. */
function showConnection(): void {
  const age = now() - store.heardAt;
  const known = Number.isFinite(age);
  const live = String(store.live || !known);
  attribute(byId("connection"), "data-live", String(store.live));
  attribute(document.body, "data-live", live);
  text(byId("connection-word"), store.live ? "live" : known ? "no connection, trying again" : "connecting");
  const restarted = store.live && restartedAt ? `· application restarted at ${restartedAt}` : "";
  text(byId("connection-age"), known && age > FRESH ? `· as of ${duration(age)} ago` : restarted);
}

function showTitle(): void {
  const open = [...store.entries.values()].filter(({ row }) => row.state === "OPEN" || row.state === "FORCED_OPEN").length;
  document.title = `${store.live || !routed ? "" : "(no connection) "}${open ? `(${open} open) ` : ""}${detail ? `${detail.name} · ` : ""}${settings.title}`;
}

function route(): void {
  takeToken();
  const hash = location.hash;
  const name = hash.startsWith("#/breaker/") ? fromFragment(hash.slice("#/breaker/".length)) : null;
  const before = detail;
  detail = name === null ? null : new DetailView(name, store, settings, useSettings);
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
      overview.focusOn(before.name);
    }
  }
  routed = true;
}

addEventListener("hashchange", route);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // The fragment is the view.
  byId("main").focus();
});
addEventListener("scroll", () => {
  if (!detail && !policies) {
    overviewTop = scrollY;
    overview.scrolled();
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
document.addEventListener("visibilitychange", second);

function second(): void {
  link?.watch();
  if (store.live && now() - store.heardAt > SILENCE) {
    store.lose();
  }
  store.tick();
  if (!document.hidden) {
    void detail?.refresh();
    void policies?.refresh();
  }
  showTitle();
  draw();
}

takeToken();
void readSettings().then(() => {
  route();
  link = new Link(receive);
  setInterval(second, 1_000);
});
