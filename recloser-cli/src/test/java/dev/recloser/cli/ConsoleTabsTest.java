package dev.recloser.cli;

import static dev.recloser.cli.WatchedApplication.fail;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recloser.CircuitBreaker;
import dev.recloser.console.Console;
import dev.recloser.console.ConsoleHandler;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the page stays in touch: many tabs, tabs that sleep, servers that hang, go and come. */
final class ConsoleTabsTest extends InBrowser {
  /** A browser has six connections to a host, and a stream takes one for good. */
  private static final int TABS = 8;

  private final WatchedApplication application = new WatchedApplication();

  @AfterEach
  void closeAll() throws Exception {
    browser.oneTab();
    browser.open(URI.create("about:blank"));
    application.close();
  }

  @Test
  void more_tabs_than_a_browser_has_connections_share_one_stream() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    Console console = application.start(s -> s.maxStreams(1));
    URI page = console.uri().resolve("#/breaker/inventory");
    List<String> tabs = new ArrayList<>(List.of(browser.tab()));
    browser.open(page);
    while (tabs.size() < TABS) {
      tabs.add(browser.newTab());
      browser.open(page);
      browser.waitForText("#connection", "live");
      browser.waitForText(".detail .need", "0 of 5 calls needed");
    }

    browser.show(tabs.remove(0));
    browser.closeTab();
    browser.show(tabs.remove(3));
    browser.closeTab();
    fail(inventory, 5);

    for (String tab : tabs) {
      browser.show(tab);
      browser.waitForText(".detail .state-word", "Open");
      browser.waitForText(".detail .cause", "Too many calls failed");
      assertThat(browser.text("#connection")).startsWith("live");
    }
  }

  @Test
  void a_frozen_tab_holds_up_nobody_and_catches_up() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    URI page = application.start(s -> s.maxStreams(1)).uri();
    String frozen = browser.tab();
    browser.open(page);
    browser.waitUntil("the row", () -> browser.row("inventory").contains("Closed"));
    String other = browser.newTab();
    browser.open(page);
    browser.waitUntil("the row", () -> browser.row("inventory").contains("Closed"));
    browser.show(frozen);
    browser.freeze(true);

    browser.show(other);
    fail(inventory, 5);
    browser.waitUntil("open", () -> browser.row("inventory").contains("| Open |"));
    application.breaker("another", c -> {});
    browser.waitUntil("another", () -> !browser.row("another").isEmpty());
    application.policies.circuitBreakers().remove("another");
    browser.waitUntil("gone", () -> browser.row("another").isEmpty());

    browser.show(frozen);
    browser.freeze(false);
    browser.waitUntil("open", () -> browser.row("inventory").contains("| Open |"));
    assertThat(browser.row("another")).isEmpty();
    browser.waitForText(".shown", "1 breaker");
  }

  /** As in Chrome on Android, and where the worker was ended for want of memory. */
  @Test
  void a_tab_without_a_worker_that_answers_has_a_stream_of_its_own() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    Console console = application.start();
    for (String without :
        List.of(
            "delete window.SharedWorker",
            "window.SharedWorker = class extends EventTarget { port = new MessageChannel().port1 }")) {
      browser.newTab();
      browser.beforeLoading(without);
      browser.open(console.uri());
      browser.waitForText("#connection", "live");
      fail(inventory, 5);
      browser.waitUntil("open", () -> browser.row("inventory").contains("| Open |"));
      inventory.reset();
      browser.waitUntil("closed", () -> browser.row("inventory").contains("| Closed |"));
    }
  }

  @Test
  void without_a_server_what_is_shown_stands_still_is_grey_and_says_how_old_it_is()
      throws Exception {
    fail(
        application.breaker("inventory", c -> c.waitDurationInOpenState(Duration.ofMinutes(5))),
        100);
    Console console = application.start();
    browser.open(console.uri());
    browser.waitUntil("the row", () -> browser.row("inventory").contains("| Open |"));
    console.close();
    browser.waitForText("#connection", "no connection, trying again");
    String row = browser.row("inventory");
    assertThat(browser.script("return getComputedStyle(document.querySelector('main')).filter"))
        .isEqualTo("grayscale(1)");
    browser.waitForText("#connection-age", "as of ");
    String age = browser.text("#connection-age");
    browser.waitUntil("it to be older", () -> !browser.text("#connection-age").equals(age));
    assertThat(browser.text("#connection-age")).matches("· as of \\d+ s ago");
    assertThat(browser.row("inventory")).as("time stands still").isEqualTo(row);
    assertThat(browser.script("return document.title")).asString().contains("no connection");
    browser.screenshot("server-gone");
  }

  @Test
  void questions_that_are_not_answered_are_given_up_and_asked_again() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    AtomicReference<CountDownLatch> held = new AtomicReference<>(new CountDownLatch(0));
    browser.open(carried(held).resolve("/#/breaker/inventory"));
    browser.waitForText(".detail .need", "0 of 5 calls needed");
    CountDownLatch holding = new CountDownLatch(1);
    held.set(holding);
    browser.waitForText(".detail .as-of", "What follows is as of");
    browser.waitForText(".detail .problem", "No answer from the application");
    assertThat(browser.script("return getComputedStyle(document.querySelector('.body')).filter"))
        .isEqualTo("grayscale(1)");
    assertThat(browser.text("#connection")).as("the stream").startsWith("live");
    browser.screenshot("detail-old");
    fail(inventory, 5);
    browser.waitForText(".detail .state-word", "Open");
    held.set(new CountDownLatch(0)); // Those that are held stay so.
    browser.waitForText(".detail .cause", "Too many calls failed");
    browser.waitUntil("fresh", () -> browser.all(".as-of:not([hidden])").isEmpty());
    holding.countDown();
  }

  /** A server whose answers about one breaker can be held back. */
  private URI carried(AtomicReference<CountDownLatch> held) throws IOException {
    ConsoleHandler panel = ConsoleHandler.create(application.policies);
    HttpServer server = Loopback.server();
    ExecutorService threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.createContext("/", exchange -> carry(panel, exchange, held));
    server.start();
    application.closing(
        () -> {
          panel.close();
          server.stop(0);
          threads.shutdownNow();
        });
    return Loopback.uri(server);
  }

  private static void carry(
      ConsoleHandler panel, HttpExchange exchange, AtomicReference<CountDownLatch> held)
      throws IOException {
    try {
      if (exchange.getRequestURI().getPath().startsWith("/api/breaker")) {
        held.get().await();
      }
      WatchedApplication.carry(panel, exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void nothing_of_a_process_that_is_dead_stays() throws Exception {
    fail(application.small("inventory"), 5, "no stock");
    Console first = application.start();
    int port = first.uri().getPort();
    browser.open(first.uri().resolve("#/breaker/inventory"));
    browser.waitForText(".failures", "no stock");
    first.close();
    browser.waitForText("#connection", "no connection");
    WatchedApplication second = new WatchedApplication();
    application.closing(second::close);
    fail(second.small("inventory"), 5, "no power");
    second.start(s -> s.port(port));
    browser.waitForText(".failures", "no power");
    assertThat(browser.text(".failures")).doesNotContain("no stock");
    browser.waitForText("#connection", "application restarted at");
    browser.waitForText("#news", "The application was restarted.");
  }
}
