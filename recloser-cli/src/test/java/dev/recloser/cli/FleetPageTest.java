package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Permit;
import dev.recloser.Policies;
import dev.recloser.console.Console;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The page of a fleet in a real browser, over the panels of real servers. */
final class FleetPageTest extends InBrowser {
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Map<String, URI> instances = new TreeMap<>();

  @AfterEach
  void closeAll() throws Exception {
    List<String> complaints = browser.complaints();
    browser.open(URI.create("about:blank"));
    browser.size(1_400, 900);
    browser.scheme("light");
    for (AutoCloseable each : open) {
      each.close();
    }
    assertThat(complaints).as("what the browser complained about").isEmpty();
  }

  @Test
  void breakers_are_seen_by_instance_and_added_up_the_worst_first() throws Exception {
    makeThree();
    browser.open(fleet().uri());
    browser.waitUntil(
        "all cells", () -> browser.all(".cell").size() == 3 * State.values().length + 1);
    assertThat(browser.script("return location.hash")).isEqualTo("#/fleet");
    assertThat(browser.find("#nav-breakers").isDisplayed()).as("of its own it has none").isFalse();
    browser.waitForText(".shown", "7 breakers, 3 instances");
    assertThat(browser.text("tbody th").lines().toList())
        .startsWith("forced_open", "open", "half_open", "closed");
    browser.waitUntil("the sum", () -> row("open").contains("3 of 3"));
    assertThat(row("closed")).contains("0 of 3");
    assertThat(row("only-here")).contains("0 of 1");
    assertThat(cell("open", "orders-2")).isEqualTo("open at orders-2: open for");
    assertThat(cell("closed", "orders-10")).isEqualTo("closed at orders-10: closed");
    assertThat(cell("only-here", "orders-10")).isEqualTo("none");
    assertThat(browser.text("thead .instance a").lines().toList())
        .as("by number")
        .containsExactly("orders-1", "orders-2", "orders-10");
    Object shapes =
        browser.script(
            "return new Set([...document.querySelectorAll('.cell')].map(c =>"
                + " c.querySelector('path').getAttribute('d') + c.textContent)).size");
    assertThat(shapes).as("shapes and letters").isEqualTo((long) State.values().length);
    browser.screenshot("fleet-light");
    assertThat(browser.violations()).isEmpty();
    browser.scheme("dark");
    browser.screenshot("fleet-dark");
    assertThat(browser.violations()).isEmpty();
    browser.script("location.hash = '#/'");
    browser.waitUntil("home again", () -> "#/fleet".equals(browser.script("return location.hash")));
    browser.waitUntil("its cells", () -> !browser.all(".cell").isEmpty());
  }

  @Test
  void calls_of_all_are_added_up_and_what_opens_is_told() throws Exception {
    Policies one = instance("a", "inventory");
    Policies two = instance("b", "inventory");
    browser.open(fleet().uri().resolve("#/fleet"));
    browser.waitUntil("both", () -> row("inventory").contains("0 of 2"));
    Permit first = one.circuitBreakers().circuitBreaker("inventory").acquire();
    Permit second = two.circuitBreakers().circuitBreaker("inventory").acquire();
    browser.waitUntil("calls in flight", () -> row("inventory").contains("0 of 2|2|"));
    first.fail(new IOException("no stock"));
    second.fail(new IOException("no stock"));
    browser.waitUntil(
        "a rate", () -> row("inventory").matches("0 of 2\\|0\\|0\\.\\d\\|0\\.\\d\\|0\\|.*"));
    two.circuitBreakers().circuitBreaker("inventory").transitionTo(State.OPEN);
    browser.waitForText("#news", "Open: inventory at 1 of 2.");
    browser.waitUntil("the sum", () -> row("inventory").contains("1 of 2"));
  }

  @Test
  void one_that_is_gone_is_grey_with_its_age_and_comes_back_anew() throws Exception {
    instance("a", "inventory");
    Policies there = policies("inventory", "old");
    there.circuitBreakers().circuitBreaker("inventory").transitionTo(State.OPEN);
    Console mortal = console(there, 0);
    instances.put("b", mortal.uri());
    HttpServer other = Loopback.server();
    other.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(401, -1);
          exchange.close();
        });
    other.start();
    open.add(() -> other.stop(0));
    instances.put("c", Loopback.uri(other));
    browser.open(fleet().uri());
    browser.waitUntil("both", () -> row("inventory").contains("1 of 2"));
    browser.waitForText(".troubles", "c answers 401");
    browser.waitForText(".troubles", "nothing is known of it");
    mortal.close();
    browser.waitUntil("the sum without it", () -> row("inventory").contains("0 of 1"));
    browser.waitForText(".troubles", "2 of 3 instances not counted");
    browser.waitUntil("an age", () -> cell("inventory", "b").contains("as of"));
    browser.screenshot("fleet-stale");
    assertThat(browser.violations()).isEmpty();
    browser.scheme("dark");
    assertThat(browser.violations()).isEmpty();
    console(policies("inventory", "new"), mortal.uri().getPort());
    browser.waitUntil("its return", () -> row("inventory").contains("0 of 2"));
    assertThat(browser.text("tbody th")).contains("new").doesNotContain("old");
  }

  @Test
  void what_is_wrong_with_many_does_not_push_the_states_out_of_sight() throws Exception {
    instance("a", "inventory");
    for (int i = 0; i < 20; i++) {
      instances.put("gone-" + i, URI.create("http://127.0.0.1:1/" + i + "/"));
    }
    browser.open(fleet().uri());
    browser.waitForText(".troubles", "20 of 21 instances not counted");
    browser.waitUntil("the row", () -> row("inventory").contains("0 of 1"));
    Object top =
        browser.script("return document.querySelector('.matrix').getBoundingClientRect().top");
    assertThat(((Number) top).doubleValue()).isLessThan(450);
    assertThat(browser.violations()).isEmpty();
  }

  @Test
  void the_order_waits_for_a_pointer_and_says_so_and_a_pointer_left_behind_is_none()
      throws Exception {
    instance("a", "b-quiet", "c-bad");
    Policies policies = instance("b", "b-quiet", "c-bad");
    // One that a minute passes for when the test says so.
    browser.beforeLoading(
        "const real = performance.now.bind(performance); window.later = 0;"
            + "performance.now = () => real() + window.later;");
    browser.open(fleet().uri());
    browser.waitUntil("rows", () -> browser.all("tbody th").size() == 2);
    browser.point("tbody th");
    browser.waitForText(
        ".paused:not([hidden])", "Order paused while the pointer is in the matrix.");
    policies.circuitBreakers().circuitBreaker("c-bad").transitionTo(State.OPEN);
    browser.waitUntil("open", () -> row("c-bad").contains("1 of 2"));
    assertThat(browser.text("tbody th")).startsWith("b-quiet");
    browser.script("window.later = 61_000");
    browser.waitUntil("the order", () -> browser.text("tbody th").startsWith("c-bad"));
    assertThat(browser.all(".paused:not([hidden])")).isEmpty();
  }

  @Test
  void on_paper_no_row_is_left_out() throws Exception {
    String[] many = IntStream.range(0, 80).mapToObj(i -> "p-" + i).toArray(String[]::new);
    instance("a", many);
    browser.open(fleet().uri());
    browser.waitUntil("rows", () -> !browser.all("tbody th").isEmpty());
    assertThat(browser.all("tbody th")).hasSizeLessThan(80);
    browser.script("dispatchEvent(new Event('beforeprint'))");
    assertThat(browser.all("tbody th")).hasSize(80);
    browser.script("dispatchEvent(new Event('afterprint'))");
    assertThat(browser.all("tbody th")).hasSizeLessThan(80);
  }

  @Test
  void all_is_reached_by_keyboard_and_leads_to_the_breaker_of_the_instance() throws Exception {
    makeThree();
    browser.open(fleet().uri());
    browser.waitUntil("rows", () -> browser.all("tbody th").size() == 7);
    browser.press("/");
    assertThat(browser.focused()).isEqualTo("fleet-search");
    browser.press("o", "p", "e", "n");
    browser.waitForText(".shown", "3 of 7 breakers");
    browser.press(Keys.TAB, 2);
    assertThat(browser.focused()).isEqualTo("forced_open");
    browser.press(Keys.ARROW_DOWN);
    assertThat(browser.focused()).isEqualTo("open");
    browser.press(Keys.ARROW_RIGHT);
    assertThat(browser.focused()).isEqualTo("3 of 3");
    browser.press(Keys.END);
    assertThat(focusedLabel()).startsWith("open at orders-10: open");
    browser.press(Keys.ARROW_DOWN);
    assertThat(focusedLabel()).startsWith("half_open at orders-10");
    browser.press(Keys.ARROW_UP, 5);
    assertThat(browser.focused()).as("the head").isEqualTo("orders-10");
    browser.press(Keys.ARROW_DOWN);
    browser.press(Keys.ENTER);
    browser.waitForText(".detail h1", "forced_open");
    browser.waitForText("#title", "orders-10");
    assertThat(browser.script("return location.origin + '/'"))
        .isEqualTo(String.valueOf(instances.get("orders-10")));
  }

  @Test
  void the_arrows_go_from_one_instance_to_the_next() throws Exception {
    makeThree();
    browser.open(fleet().uri());
    browser.waitUntil("rows", () -> browser.all("tbody th").size() == 7);
    browser.press("/");
    browser.press("o", "p", "e", "n");
    browser.waitForText(".shown", "3 of 7 breakers");
    browser.press(Keys.TAB, 2);
    browser.press(Keys.ARROW_DOWN);
    browser.press(Keys.END);
    assertThat(focusedLabel()).startsWith("open at orders-10");
    browser.press(Keys.ARROW_LEFT);
    assertThat(focusedLabel()).startsWith("open at orders-2");
    browser.press(Keys.ARROW_LEFT);
    assertThat(focusedLabel()).startsWith("open at orders-1:");
    browser.press(Keys.ARROW_RIGHT);
    assertThat(focusedLabel()).startsWith("open at orders-2");
  }

  @Test
  void states_are_filtered() throws Exception {
    makeThree();
    browser.open(fleet().uri());
    browser.waitUntil("rows", () -> browser.all("tbody th").size() == 7);
    browser.click(".chip[data-state='HALF_OPEN']");
    browser.waitForText(".shown", "1 of 7 breakers");
    assertThat(browser.text("tbody th")).isEqualTo("half_open");
    browser.type("#fleet-search", "nobody");
    browser.waitForText(".empty", "No circuit breaker has that name and state.");
  }

  @Test
  void fifty_instances_of_two_hundred_breakers_stay_smooth() throws Exception {
    String[] names = new String[200];
    for (int i = 0; i < names.length; i++) {
      names[i] = String.format("partner-%03d", i);
    }
    for (int i = 0; i < 50; i++) {
      Policies policies = instance("orders-" + i, names);
      if (i % 3 == 0) {
        policies.circuitBreakers().circuitBreaker("partner-123").transitionTo(State.OPEN);
      }
    }
    browser.open(fleet().uri());
    browser.waitUntil("the worst", () -> row("partner-123").contains("17 of 50"));
    assertThat(browser.text("tbody th").lines().findFirst()).hasValue("partner-123");
    assertThat(browser.all("tbody tr")).hasSizeLessThan(60);
    assertThat(browser.find("table").getDomAttribute("aria-rowcount")).isEqualTo("201");
    browser.script(
        "window.frames_ = 0; const end = performance.now() + 2000;"
            + "const matrix = document.querySelector('.matrix');"
            + "const step = () => { matrix.scrollBy(60, 100); window.frames_++;"
            + " if (performance.now() < end) requestAnimationFrame(step); else window.done_ = 1; };"
            + "requestAnimationFrame(step)");
    browser.waitUntil("two seconds", () -> browser.script("return window.done_") != null);
    assertThat(browser.all(".cell")).as("of 10,000").hasSizeLessThan(600);
    // On a machine that has much else to do, as this one with its fifty servers.
    assertThat((Long) browser.script("return window.frames_"))
        .as("frames in 2 s of scrolling")
        .isGreaterThan(5);
    browser.screenshot("fleet-large");
    browser.script("document.querySelector('.matrix').scrollTo(0, 1e6)");
    browser.waitUntil("the last", () -> !row("partner-199").isEmpty());
  }

  @Test
  void on_a_phone_it_scrolls_sideways_and_the_names_stay() throws Exception {
    makeThree();
    Console fleet = fleet();
    for (int[] size : new int[][] {{360, 740}, {820, 1_100}, {2_560, 1_440}}) {
      browser.size(size[0], size[1]);
      browser.open(fleet.uri());
      browser.waitUntil("rows", () -> browser.all("tbody th").size() == 7);
      assertThat(browser.overflows()).as("page " + size[0]).isFalse();
      Object left = leftOfNames();
      browser.script("document.querySelector('.matrix').scrollTo(1e6, 0)");
      assertThat(leftOfNames()).as("names " + size[0]).isEqualTo(left);
      browser.screenshot("fleet-" + size[0]);
    }
  }

  private static Object leftOfNames() {
    return browser.script(
        "return Math.round(document.querySelector('tbody th').getBoundingClientRect().left)");
  }

  /** The figures and cells of a row, with bars between them; empty if it is not in sight. */
  private static String row(String breaker) {
    return String.valueOf(
        browser.script(
            "const th = [...document.querySelectorAll('tbody th')]"
                + ".find(t => t.textContent === arguments[0]);"
                + "return th ? [...th.parentElement.querySelectorAll('td')]"
                + ".map(t => t.textContent).join('|') + '|' : ''",
            breaker));
  }

  /** What is read out of a cell, without how long it has been so; a word for an empty one. */
  private static String cell(String breaker, String instance) {
    return String.valueOf(
            browser.script(
                "const a = [...document.querySelectorAll('.cell')].find(c =>"
                    + " c.getAttribute('aria-label').startsWith(arguments[0]));"
                    + "return a ? a.getAttribute('aria-label') : 'none'",
                breaker + " at " + instance + ":"))
        .replaceAll("(?<=for) \\d+ s", "");
  }

  private static String focusedLabel() {
    return String.valueOf(
        browser.script("return document.activeElement.getAttribute('aria-label')"));
  }

  private void makeThree() throws IOException {
    for (String name : List.of("orders-1", "orders-2", "orders-10")) {
      Policies policies = Policies.create();
      for (State state : State.values()) {
        policies
            .circuitBreakers()
            .circuitBreaker(state.name().toLowerCase(java.util.Locale.ROOT))
            .transitionTo(state);
      }
      if (name.equals("orders-1")) {
        policies.circuitBreakers().circuitBreaker("only-here");
      }
      Console console =
          Console.start(policies, s -> s.title(name).refreshInterval(Duration.ofMillis(200)));
      open.add(console);
      instances.put(name, console.uri());
    }
  }

  private Policies instance(String name, String... breakers) throws IOException {
    Policies policies = policies(breakers);
    instances.put(name, console(policies, 0).uri());
    return policies;
  }

  private static Policies policies(String... breakers) {
    Policies policies = Policies.create();
    for (String breaker : breakers) {
      policies.circuitBreakers().circuitBreaker(breaker, CircuitBreakerConfig.of(c -> {}));
    }
    return policies;
  }

  private Console console(Policies policies, int port) throws IOException {
    Console console = Console.start(policies, s -> s.port(port));
    open.add(console);
    return console;
  }

  private Console fleet() throws IOException {
    Console console =
        Console.start(
            Policies.create(), s -> s.refreshInterval(Duration.ofMillis(200)).instances(instances));
    open.add(0, console);
    return console;
  }
}
