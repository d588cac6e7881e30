// Where the page gets its news from: the worker that all its tabs share. Where there is none, or
// none that answers, it has a stream of its own.
import { now } from "./clock";
import { Feed, SILENCE, type News } from "./feed";

/** How long the worker may take to answer a question. */
const PATIENCE = 5_000;

/** Of the worker's source: an older page of this address may have another one. */
declare const WORKER_VERSION: string;

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): string };
}

export class Link {
  private port: MessagePort | null = null;
  private feed: Feed | null = null;
  private heardAt = now();
  private askedAt: number | null = null;

  constructor(private readonly receive: (news: News) => void) {
    try {
      this.share();
    } catch {
      this.alone();
    }
  }

  /** Once a second: asks a worker that is silent, and gives up one that does not answer. */
  watch(): void {
    const at = now();
    if (!this.port) {
      return;
    }
    if (this.askedAt === null && at - this.heardAt > SILENCE) {
      this.ask("all");
      this.askedAt = at;
    } else if (this.askedAt !== null && at - this.askedAt > PATIENCE) {
      this.alone();
    }
  }

  private share(): void {
    const worker = new SharedWorker(workerUrl(), { name: WORKER_VERSION });
    worker.addEventListener("error", () => this.alone());
    this.port = worker.port;
    this.port.onmessage = (message: MessageEvent<News>) => {
      this.heardAt = now();
      this.askedAt = null;
      this.receive(message.data);
      this.ask("more");
    };
    this.askedAt = now();
    this.ask("all");
    addEventListener("pagehide", () => this.ask("bye"));
    addEventListener("pageshow", (event) => event.persisted && this.ask("all"));
    document.addEventListener("resume", () => this.ask("all"));
  }

  private ask(word: "all" | "more" | "bye"): void {
    this.port?.postMessage(word);
  }

  private alone(): void {
    this.ask("bye");
    this.port?.close();
    this.port = null;
    this.feed ??= new Feed(this.receive);
  }
}

/** The content security policy wants every address of code to be vouched for. */
function workerUrl(): string {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  return types ? types.createPolicy("recloser", { createScriptURL: () => "worker.js" }).createScriptURL("") : "worker.js";
}
