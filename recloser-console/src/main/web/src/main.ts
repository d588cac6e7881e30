// Starts the page: the news of all breakers in, the view that the address names out.
import "uplot/dist/uPlot.min.css";
import "./console.css";
import { announce, say } from "./announce";
import { readConsole, takeToken, type Console } from "./api";
import { now } from "./clock";
import { DetailView } from "./detail";
import { attribute, byId, text } from "./dom";
import { SILENCE, type News } from "./feed";
import { FleetView } from "./fleet";
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
const fleetView = new FleetView();
let settings: Console = { title: "Recloser", instance: "", refreshIntervalMillis: 500, controls: false, token: false, user: null, fleet: false };
let detail: DetailView | null = null;
let policies: PoliciesView | null = null;
let fleet: FleetView | null = null;
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
  showViews();
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
    if ((detail && (before.controls !== settings.controls || before.user !== settings.user)) || before.fleet !== settings.fleet) {
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
  showViews();
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
    } else if (!policies && !fleet) {
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

/** Who has no breakers of its own but a fleet is there for the fleet. */
function showViews(): void {
  const only = settings.fleet && store.entries.size === 0;
  byId("nav-fleet").hidden = !settings.fleet;
  byId("nav-breakers").hidden = byId("nav-policies").hidden = byId("export").hidden = only;
  if (only && store.live && (location.hash === "" || location.hash === "#/")) {
    location.replace("#/fleet");
  }
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
  fleet?.close();
  fleet = hash === "#/fleet" && settings.fleet ? fleetView : null;
  fleet?.open();
  const other = detail ?? policies ?? fleet;
  byId("main").replaceChildren((other ?? overview).element);
  attribute(byId("nav-breakers"), "aria-current", policies || fleet ? "false" : "page");
  attribute(byId("nav-policies"), "aria-current", policies ? "page" : "false");
  attribute(byId("nav-fleet"), "aria-current", fleet ? "page" : "false");
  scrollTo(0, other ? 0 : overviewTop);
  showTitle();
  if (other) {
    void other.refresh();
    if (routed) {
      other.focus();
    }
  } else {
    overview.update();
    if (before) {
      overview.focusOn(before.name);
    }
  }
  routed = true;
  showViews();
}

addEventListener("hashchange", route);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // The fragment is the view.
  byId("main").focus();
});
addEventListener("scroll", () => {
  if (!detail && !policies && !fleet) {
    overviewTop = scrollY;
    overview.scrolled();
  }
}, { passive: true });
addEventListener("resize", () => (detail ? detail.tick() : (fleet ?? overview).render()));
addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === "/" && !typing && !detail && !policies) {
    event.preventDefault();
    (fleet ?? overview).focusSearch();
  } else if (event.key === "Escape" && !typing && (detail || policies || fleet) && !document.querySelector("dialog[open]")) {
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
    fleet?.refresh();
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
