// One stream for all tabs: a browser has six connections to a host, and a stream takes one for good.
//
// A tab asks for each piece of news. One that does not ask, because it is frozen or busy, has
// nothing queued for it; when it asks again it gets all that is known by then. One that has not
// asked for long is taken for closed, until it asks.
import { now } from "./clock";
import { Feed, type News } from "./feed";

const GONE = 60_000;

interface Tab {
  port: MessagePort;
  waits: boolean;
  missed: boolean;
  askedAt: number;
}

const tabs = new Map<MessagePort, Tab>();
const feed = new Feed((news) => tabs.forEach((tab) => tell(tab, news)));

function tell(tab: Tab, news: News): void {
  if (tab.waits) {
    tab.waits = false;
    tab.port.postMessage(news);
  } else if (now() - tab.askedAt > GONE) {
    tabs.delete(tab.port);
  } else {
    tab.missed = true;
  }
}

/** The word is "more" for the next piece of news, "all" for everything, "bye" for the end. */
function hear(port: MessagePort, word: string): void {
  const known = tabs.get(port);
  if (word === "bye") {
    tabs.delete(port);
    return;
  }
  const tab = known ?? { port, waits: false, missed: true, askedAt: 0 };
  tabs.set(port, tab);
  tab.waits = true;
  tab.askedAt = now();
  if (word === "all" || tab.missed) {
    tab.missed = false;
    feed.hurry();
    tell(tab, feed.snapshot());
  }
}

addEventListener("connect", (event) => {
  const port = (event as MessageEvent).ports[0];
  if (port) {
    port.onmessage = (message: MessageEvent<string>) => hear(port, message.data);
  }
});
