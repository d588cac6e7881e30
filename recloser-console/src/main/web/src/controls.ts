// What an operator can do, for those who may.
import { Problem, forgetToken, hasToken, readConsole, tryToken, type Console, type State } from "./api";
import { attribute, h, text } from "./dom";
import { word } from "./words";

type Run = (action: string, reason: string, expirySeconds: number | null) => Promise<void>;

const ACTIONS: [string, string, string, boolean][] = [
  ["force-open", "Force open", "Refuses all calls.", true],
  ["disable", "Disable", "Lets all calls through, and judges none.", true],
  ["metrics-only", "Metrics only", "Lets all calls through, and says when it would have opened.", true],
  ["probe", "Probe now", "Sends probes without waiting any longer.", false],
  ["reset", "Reset", "Closes it with an empty window.", false],
];

const EXPIRIES: [string, string][] = [
  ["", "until changed"], ["300", "5 minutes"], ["900", "15 minutes"], ["3600", "1 hour"], ["14400", "4 hours"], ["86400", "1 day"],
];

export class Controls {
  readonly element = h("div", { class: "controls" });
  private readonly reason = h("input", { id: "reason", type: "text", maxlength: 200, required: true, autocomplete: "off" });
  private readonly expiry = h("select", { id: "expiry" }, ...EXPIRIES.map(([value, label]) => h("option", { value }, label)));
  private readonly result = h("p", { role: "status" });
  private readonly dialog = h("dialog", { "aria-labelledby": "confirm" });
  private readonly buttons = new Map<string, HTMLButtonElement>();

  private state: State | null = null;

  /** Whoever becomes known, or is no longer, is so for the whole page. */
  constructor(
    private readonly name: string, console: Console, private readonly run: Run,
    private readonly onUser: (console: Console) => void,
  ) {
    this.ask(console);
  }

  private ask(console: Console): void {
    if (console.user === null) {
      this.askForToken(console);
    } else {
      this.offer(console.user);
    }
  }

  show(state: State): void {
    this.state = state;
    const probe = this.buttons.get("probe");
    if (probe) {
      const can = state === "OPEN" || state === "FORCED_OPEN";
      attribute(probe, "aria-disabled", String(!can));
      attribute(probe, "title", can ? "" : `It is ${word(state).toLowerCase()}; only an open breaker can be probed.`);
    }
  }

  private askForToken(console: Console): void {
    this.element.replaceChildren(h("p", {}, console.token
      ? "To control breakers, open the page by the address that the application prints, or enter the token that is in it."
      : "The application does not let you control breakers."));
    if (!console.token) {
      return;
    }
    const token = h("input", { id: "token", type: "password", autocomplete: "off", required: true });
    const form = h("form", { class: "fields" }, h("label", { for: "token" }, "Token"), token, h("button", {}, "Use it"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.use(token.value.trim());
    });
    this.element.append(form, this.result);
  }

  private async use(token: string): Promise<void> {
    try {
      const console = await tryToken(token);
      if (console.user === null) {
        text(this.result, "That is not the token of this application.");
        return;
      }
      text(this.result, "");
      this.onUser(console);
      this.offer(console.user);
      this.buttons.get("force-open")?.focus();
    } catch {
      text(this.result, "No answer from the application.");
    }
  }

  private async forget(why = "The token is forgotten."): Promise<void> {
    forgetToken();
    try {
      const console = await readConsole();
      this.onUser(console);
      this.ask(console);
      text(this.result, why);
      document.getElementById("token")?.focus();
    } catch {
      text(this.result, `${why.slice(0, -1)}; no answer from the application.`);
    }
  }

  private offer(user: string): void {
    const buttons = ACTIONS.map(([action, label, what, lasts]) => {
      const button = h("button", { type: "button", "data-action": action, "aria-describedby": `what-${action}` }, label);
      button.addEventListener("click", () => {
        if (button.getAttribute("aria-disabled") !== "true") {
          this.confirm(action, label, what, lasts);
        } else {
          text(this.result, button.title);
        }
      });
      this.buttons.set(action, button);
      return h("div", { class: "action" }, button, h("span", { id: `what-${action}`, class: "hint" }, what));
    });
    const as = h("p", { class: "hint" }, `As ${user}. All of it goes to the log of the application.`);
    this.element.replaceChildren(as, ...buttons, this.result, this.dialog);
    if (hasToken()) {
      const forget = h("button", { type: "button", class: "quiet", id: "forget" }, "Forget token");
      forget.addEventListener("click", () => void this.forget());
      this.element.append(h("div", { class: "action" }, forget, h("span", { class: "hint" }, "This tab keeps it until it is closed.")));
    }
    if (this.state) {
      this.show(this.state);
    }
  }

  private confirm(action: string, label: string, what: string, lasts: boolean): void {
    const cancel = h("button", { type: "button", class: "quiet" }, "Cancel");
    const form = h("form", { method: "dialog" },
      h("h2", { id: "confirm" }, `${label}: ${this.name}`), h("p", {}, what),
      h("label", { for: "reason" }, "Reason, for the log"), this.reason,
      lasts && h("label", { for: "expiry" }, "For"), lasts && this.expiry,
      h("div", { class: "buttons" }, h("button", { class: "danger" }, label), cancel));
    this.dialog.replaceChildren(form);
    cancel.addEventListener("click", () => this.dialog.close());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.dialog.close();
      void this.perform(action, label, lasts);
    });
    this.dialog.showModal();
    this.reason.focus();
  }

  private async perform(action: string, label: string, lasts: boolean): Promise<void> {
    try {
      const seconds = lasts && this.expiry.value ? Number(this.expiry.value) : null;
      await this.run(action, this.reason.value, seconds);
      text(this.result, `Done: ${label.toLowerCase()}.`);
      this.reason.value = "";
    } catch (e) {
      if (e instanceof Problem && e.status === 401 && hasToken()) {
        await this.forget("Not done: the token is not that of this application any more.");
        return;
      }
      text(this.result, e instanceof Problem ? `Not done. ${e.message}` : "No answer from the application; it may be done or not.");
    }
  }
}
