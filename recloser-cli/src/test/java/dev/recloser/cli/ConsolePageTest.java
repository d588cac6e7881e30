package dev.recloser.cli;

import static dev.recloser.cli.WatchedApplication.fail;
import static dev.recloser.cli.WatchedApplication.succeed;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import dev.recloser.Policies;
import dev.recloser.console.Console;
import dev.recloser.console.ConsoleHandler;
import dev.recloser.console.ConsoleSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The page of the console in a real browser, over real servers. */
final class ConsolePageTest extends InBrowser {
  private static final Pattern ADDRESS = Pattern.compile("The panel is at (\\S+)");

  private final WatchedApplication application = new WatchedApplication();

  @AfterEach
  void closeAll() throws Exception {
    List<String> complaints = browser.complaints();
    browser.open(URI.create("about:blank"));
    browser.size(1_400, 900);
    browser.scheme("light");
    application.close();
    assertThat(complaints).as("what the browser complained about").isEmpty();
  }

  @Test
  void every_state_is_told_by_its_word_and_its_shape_and_the_worst_come_first() throws Exception {
    application.makeOneOfEachState();
    browser.open(application.start().uri());
    browser.waitUntil("all rows", () -> browser.all(".item").size() == State.values().length + 1);

    Map<String, String> words =
        Map.of(
            "closed", "Closed",
            "open", "Open",
            "half_open", "Half-open",
            "forced_open", "Forced open",
            "disabled", "Disabled",
            "metrics_only", "Metrics only",
            "new", "Closed");
    words.forEach(
        (name, word) -> assertThat(browser.row(name)).as(name).contains("| " + word + " |"));
    assertThat(browser.row("open")).contains("next probe in", "100 of 50 %");
    assertThat(browser.row("half_open")).contains("1 probe out, 9 left");
    assertThat(browser.row("forced_open")).contains("min left");
    assertThat(browser.row("new")).contains("no calls", "0 of 100 calls needed");
    assertThat(browser.text(".item .name").lines().toList())
        .startsWith("open", "forced_open", "half_open");
    Object shapes =
        browser.script(
            "return new Set([...document.querySelectorAll('.item .icon path')]"
                + ".map(p => p.getAttribute('d'))).size");
    assertThat(shapes).isEqualTo((long) State.values().length);
    browser.screenshot("overview-light");
    browser.scheme("dark");
    browser.screenshot("overview-dark");
  }

  @Test
  void a_breaker_shows_why_it_is_open_and_what_comes_next() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    browser.open(application.start().uri().resolve("#/breaker/inventory"));
    browser.waitForText(".detail h1", "inventory");
    browser.waitForText(".detail .need", "0 of 5 calls needed");
    succeed(inventory, 3);
    browser.waitForText(".detail .need", "3 of 5 calls needed before a rate is believed.");
    browser.waitUntil("the window", () -> browser.all(".slice").size() == 3);
    fail(inventory, 3);
    browser.waitForText(".detail .state-word", "Open");
    browser.waitForText(".detail .cause", "Closed → Open: Too many calls failed");
    browser.waitForText(".window .hint", "6 calls that it had when it opened");
    assertThat(browser.all(".slice .part.failed")).as("what opened it").hasSize(3);
    assertThat(browser.find(".detail .plot[aria-label^='Latency']").isDisplayed()).isTrue();
    assertThat(browser.text(".failures")).contains("IllegalStateException no stock");
    assertThat(browser.text(".detail .head .since")).contains("next probe in");
    assertThat(browser.text(".detail .explain")).startsWith("inventory is OPEN for");
    browser.waitUntil("the ribbon", () -> browser.all(".segment:not(.unknown)").size() == 2);
    assertThat(inventory.tryAcquire()).isNull();
    browser.waitForText(".counts", "1 (open 1)");
    assertThat(browser.text(".detail .trouble")).as("that is all said above").isEmpty();
    browser.screenshot("detail-light");
    browser.scheme("dark");
    browser.screenshot("detail-dark");
  }

  @Test
  void since_when_it_is_not_closed_is_told_however_often_it_has_opened_since() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    fail(inventory, 5);
    Console console = application.start();
    for (int more = 0; more < 30; more++) {
      inventory.transitionTo(State.HALF_OPEN);
      inventory.transitionTo(State.OPEN);
    }
    browser.open(console.uri());
    browser.waitUntil("the row", () -> browser.row("inventory").contains("opened 31× in 1 h"));
    browser.open(console.uri().resolve("#/breaker/inventory"));
    browser.waitForText(".detail .trouble", "Not closed since");
    browser.waitForText(".detail .trouble", "ago: too many calls failed.");
    inventory.reset();
    browser.waitForText(".detail .state-word", "Closed");
    browser.waitUntil("no trouble", () -> browser.text(".detail .trouble").isEmpty());
  }

  @Test
  void a_password_in_the_address_does_no_harm() throws Exception {
    application.small("inventory");
    String address = application.start().uri().toString().replace("://", "://ann:secret@");
    browser.open(URI.create(address).resolve("#/breaker/inventory"));
    browser.waitForText(".detail .need", "0 of 5 calls needed");
  }

  @Test
  void calls_in_flight_past_the_limit_are_marked() throws Exception {
    CircuitBreaker slow =
        application.breaker("slow", c -> c.slowCallDurationThreshold(Duration.ofMillis(100)));
    browser.open(application.start().uri().resolve("#/breaker/slow"));
    try (Permit one = slow.acquire();
        Permit two = slow.acquire()) {
      browser.waitForText(".detail", "2 calls in flight, 2 of them past the limit.");
      assertThat(browser.all(".call.overdue")).hasSize(2);
      assertThat(browser.text(".detail .need"))
          .contains("2 calls in flight past the limit are counted as slow.");
      one.record(Outcome.SUCCESS);
      two.record(Outcome.SUCCESS);
    }
    browser.waitForText(".detail", "p99");
    browser.waitForText(".detail", "0 calls in flight.");
  }

  @Test
  void what_happens_is_seen_and_heard_at_once() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    browser.open(application.start().uri());
    browser.waitUntil("the row", () -> browser.row("inventory").contains("Closed"));
    fail(inventory, 5);
    browser.waitUntil("open", () -> browser.row("inventory").contains("| Open |"));
    browser.waitForText("#news", "Open: inventory.");
    inventory.transitionTo(State.HALF_OPEN);
    browser.waitUntil("half-open", () -> browser.row("inventory").contains("Half-open"));
    application.policies.circuitBreakers().remove("inventory");
    browser.waitForText(".empty", "No circuit breakers yet");
    application.breaker("another", c -> {});
    browser.waitUntil("the new one", () -> browser.row("another").contains("Closed"));
  }

  @Test
  void it_finds_back_after_the_application_was_restarted() throws Exception {
    application.breaker("before", c -> {});
    Console first = application.start();
    int port = first.uri().getPort();
    browser.open(first.uri());
    browser.waitForText("#connection", "live");
    browser.waitUntil("the row", () -> !browser.row("before").isEmpty());
    first.close();
    browser.waitForText("#connection", "no connection, trying again");
    browser.screenshot("disconnected");
    Policies fresh = Policies.create();
    fresh.circuitBreakers().circuitBreaker("after").transitionTo(State.OPEN);
    application.closing(Console.start(fresh, s -> s.port(port).title("Second life")));
    browser.waitUntil("the new row", () -> browser.row("after").contains("Open"));
    assertThat(browser.row("before")).isEmpty();
    browser.waitForText("#connection", "live");
    browser.waitForText("#title", "Second life");
  }

  @Test
  void a_thousand_breakers_stay_smooth() throws Exception {
    application.closing(Showcase.start(application.policies, 1_000));
    browser.open(application.start().uri());
    browser.waitForText(".shown", "1,000 breakers");
    browser.waitUntil("rows", () -> browser.all(".item").size() > 5);
    assertThat(browser.all(".item")).hasSizeLessThan(60);
    assertThat(browser.find(".list > li").getDomAttribute("aria-setsize")).isEqualTo("1000");
    assertThat(framesWhileScrolling()).as("frames in 2 s of scrolling").isGreaterThan(20);
    browser.screenshot("thousand");
    browser.script("scrollTo(0, document.body.scrollHeight)");
    browser.waitUntil("the last", () -> !browser.all("[aria-posinset='1000']").isEmpty());
    browser.type("#search", "partner-0777");
    browser.waitForText(".shown", "1 of 1,000 breakers");
    assertThat(browser.row("partner-0777")).isNotEmpty();
    browser.type("#search", "nobody");
    browser.waitForText(".empty", "No circuit breaker has that name and state.");
  }

  private long framesWhileScrolling() {
    browser.script(
        "window.frames_ = 0; const end = performance.now() + 2000;"
            + "const step = () => { scrollBy(0, 300); window.frames_++;"
            + " if (performance.now() < end) requestAnimationFrame(step); else window.done_ = 1; };"
            + "requestAnimationFrame(step)");
    browser.waitUntil("two seconds", () -> browser.script("return window.done_") != null);
    return (Long) browser.script("return window.frames_");
  }

  @Test
  void all_is_reached_by_keyboard() throws Exception {
    application.makeOneOfEachState();
    browser.open(application.start().uri());
    browser.waitUntil("rows", () -> browser.all(".item").size() == 7);
    browser.press("/");
    assertThat(browser.focused()).isEqualTo("search");
    browser.press("o", "p", "e", "n");
    browser.waitForText(".shown", "3 of 7 breakers");
    browser.press(Keys.TAB, 3);
    assertThat(browser.focused()).isEqualTo("open");
    browser.press(Keys.ARROW_DOWN);
    assertThat(browser.focused()).isEqualTo("forced_open");
    browser.press(Keys.END);
    assertThat(browser.focused()).isEqualTo("half_open");
    browser.press(Keys.HOME);
    browser.press(Keys.ENTER);
    browser.waitForText(".detail h1", "open");
    assertThat(browser.focused()).isEqualTo("open");
    browser.press(Keys.ESCAPE);
    browser.waitUntil("the list", () -> browser.all(".item").size() == 3);
    assertThat(browser.focused()).as("where one has been").isEqualTo("open");
  }

  @Test
  void another_server_carries_it_at_a_path_of_its_own() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    ConsoleHandler panel =
        ConsoleHandler.create(application.policies, s -> s.controls(request -> "alice"));
    HttpServer server = Loopback.server();
    ExecutorService threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.createContext("/ops/panel", exchange -> WatchedApplication.carry(panel, exchange));
    server.start();
    application.closing(
        () -> {
          panel.close();
          server.stop(0);
          threads.shutdownNow();
        });
    browser.open(Loopback.uri(server).resolve("/ops/panel/#/breaker/inventory"));
    browser.click("[data-action='disable']");
    browser.press("drill");
    browser.press(Keys.ENTER);
    browser.waitForText(".detail .state-word", "Disabled");
    assertThat(inventory.state()).isEqualTo(State.DISABLED);
    browser.waitForText(".detail", "alice, disable for 15 min: drill");
  }

  @Test
  void without_controls_there_are_none() throws Exception {
    application.small("inventory");
    browser.open(application.start().uri().resolve("#/breaker/inventory"));
    browser.waitForText(".detail .need", "calls needed");
    assertThat(browser.text(".detail h2")).doesNotContain("Controls");
  }

  @Test
  void who_has_no_token_is_asked_for_it() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    Console console = application.start(ConsoleSettings::controls);
    browser.open(console.uri().resolve("#/breaker/inventory"));
    browser.waitUntil("the field", () -> !browser.all("#token").isEmpty());
    assertThat(browser.all("[data-action]")).isEmpty();
    browser.type("#token", "wrong");
    browser.click(".fields button");
    browser.waitForText(".controls", "That is not the token of this application.");
    enterToken(console);
    assertThat(inventory.state()).isEqualTo(State.CLOSED);
  }

  private static void enterToken(Console console) {
    browser.waitUntil("the field", () -> !browser.all("#token").isEmpty());
    browser.type("#token", console.token().orElseThrow());
    browser.click(".fields button");
    browser.waitUntil("controls", () -> browser.all("[data-action]").size() == 5);
  }

  @Test
  void a_token_is_kept_for_the_tab_until_it_is_forgotten() throws Exception {
    application.small("inventory");
    application.small("payments");
    Console console = application.start(ConsoleSettings::controls);
    browser.open(console.uri().resolve("#/breaker/inventory"));
    enterToken(console);
    browser.script("location.hash = '#/breaker/payments'");
    browser.waitForText(".detail h1", "payments");
    assertThat(browser.all("[data-action]")).as("with the next breaker").hasSize(5);
    browser.script("location.reload()");
    browser.waitUntil("controls", () -> browser.all("[data-action]").size() == 5);
    browser.click("#forget");
    browser.waitForText(".controls", "The token is forgotten.");
    assertThat(browser.focused()).isEqualTo("token");
    browser.script("location.hash = '#/breaker/inventory'");
    browser.waitForText(".detail h1", "inventory");
    assertThat(browser.all("[data-action]")).isEmpty();
    browser.type("#token", "wrong");
    browser.click(".fields button");
    browser.waitForText(".controls", "That is not the token of this application.");
    assertThat(browser.script("return sessionStorage.length")).as("what is kept").isEqualTo(0L);
  }

  @Test
  void the_order_waits_for_pointer_and_focus_and_says_so() throws Exception {
    for (String name : List.of("a", "b", "c", "d")) {
      application.small(name);
    }
    CircuitBreaker c = application.small("c");
    browser.open(application.start().uri());
    browser.waitUntil("rows", () -> browser.all(".item").size() == 4);
    assertThat(browser.text(".paused:not([hidden])")).isEmpty();
    browser.press(Keys.TAB, 1);
    browser.script("document.querySelector('.item').focus()");
    browser.press(Keys.ARROW_DOWN);
    assertThat(browser.focused()).isEqualTo("b");
    fail(c, 5);
    browser.waitUntil("open", () -> browser.row("c").contains("| Open |"));
    browser.waitForText(".paused", "Order paused while the focus is in the list.");
    application.small("aa");
    application.policies.circuitBreakers().remove("a");
    browser.waitUntil("the new one", () -> !browser.row("aa").isEmpty());
    assertThat(order()).as("no row moves past another").containsExactly("b", "c", "d", "aa");
    assertThat(browser.focused()).isEqualTo("b");
    application.policies.circuitBreakers().remove("b");
    browser.waitUntil("gone", () -> browser.row("b").isEmpty());
    assertThat(browser.focused()).as("the neighbour").isEqualTo("c");

    browser.script("document.activeElement.blur()");
    browser.waitUntil("the order", () -> order().equals(List.of("c", "aa", "d")));
    browser.point("[aria-posinset='3']");
    browser.waitForText(".paused", "Order paused while the pointer is in the list.");
    c.reset();
    browser.waitUntil("closed", () -> browser.row("c").contains("| Closed |"));
    assertThat(order()).containsExactly("c", "aa", "d");
    browser.screenshot("paused");
    browser.point("#search");
    browser.waitUntil("the order", () -> order().equals(List.of("aa", "c", "d")));
    assertThat(browser.all(".paused:not([hidden])")).isEmpty();
  }

  private static List<String> order() {
    return browser.text(".item .name").lines().toList();
  }

  @Test
  void all_that_is_known_can_be_taken_along() throws Exception {
    fail(application.small("inventory"), 5);
    browser.open(application.start().uri());
    browser.waitUntil("the row", () -> !browser.row("inventory").isEmpty());
    assertThat(browser.text("#export")).isEqualTo("Export");
    String file =
        browser.await(
            "const done = arguments[0]; fetch(document.querySelector('#export').href)"
                + ".then(async r => done([r.status, r.headers.get('content-disposition'),"
                + " await r.text()].join(' ')))");
    assertThat(file).startsWith("200 attachment").contains("\"inventory\"", "no stock");
  }

  @Test
  void a_breaker_may_have_any_name() throws Exception {
    for (String name :
        List.of("..", "GET a/b?c=d&e#f+g %u0041", "\uD83D half a pair", "<b>&amp;")) {
      application.small(name);
    }
    browser.open(application.start().uri());
    browser.waitUntil("rows", () -> browser.all(".item").size() == 4);
    for (int i = 1; i <= 4; i++) {
      String row = "[aria-posinset='" + i + "'] ";
      browser.script(
          "window.name_ = document.querySelector(arguments[0]).textContent", row + ".name");
      browser.click(row + ".item");
      browser.waitForText(".detail .need", "0 of 5 calls needed");
      assertThat(browser.script("return document.querySelector('h1').textContent === window.name_"))
          .isEqualTo(true);
      browser.script("history.back()");
      browser.waitUntil("the list", () -> browser.all(".item").size() == 4);
    }
  }

  @Test
  void the_first_key_skips_to_the_content_of_any_view() throws Exception {
    application.small("inventory");
    browser.open(application.start().uri().resolve("#/breaker/inventory"));
    browser.waitForText(".detail .need", "calls needed");
    browser.press(Keys.TAB);
    assertThat(browser.focused()).isEqualTo("skip");
    browser.press(Keys.ENTER);
    assertThat(browser.focused()).isEqualTo("main");
    assertThat(browser.text(".detail h1")).as("the same view").isEqualTo("inventory");
    assertThat(browser.script("return location.hash")).isEqualTo("#/breaker/inventory");
  }

  @Test
  void who_has_the_token_controls_by_keyboard_with_a_reason_and_an_end() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    Console console = application.start(ConsoleSettings::controls);
    browser.open(console.controlUri());
    browser.waitUntil("the row", () -> !browser.row("inventory").isEmpty());
    assertThat(browser.script("return location.href")).asString().doesNotContain("token");
    browser.click(".item");
    browser.click("[data-action='force-open']");
    assertThat(browser.focused()).isEqualTo("reason");
    assertThat(browser.violations()).isEmpty();
    browser.screenshot("confirm");
    browser.press("drill");
    browser.press(Keys.TAB);
    assertThat(browser.script("return document.activeElement.value"))
        .as("seconds until it ends, unless somebody says otherwise")
        .isEqualTo("900");
    browser.press("5"); // As one picks from a list by keyboard.
    browser.press(Keys.TAB);
    browser.press(Keys.ENTER);
    browser.waitForText(".controls", "Done: force open.");
    assertThat(inventory.state()).isEqualTo(State.FORCED_OPEN);
    assertThat(inventory.snapshot().remaining())
        .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    browser.waitForText(".detail .state-word", "Forced open");
    browser.waitForText(".detail", "token, force-open for 5 min: drill");
    browser.waitForText(".detail .cause + p", "token: drill");
    browser.screenshot("forced-open");
    browser.click("[data-action='reset']");
    browser.press("over");
    browser.press(Keys.ENTER);
    browser.waitForText(".detail .state-word", "Closed");
    browser.click("[data-action='probe']");
    browser.waitForText(".controls", "only an open breaker can be probed");
    assertThat(inventory.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void axe_finds_nothing_wrong_in_light_and_dark() throws Exception {
    application.makeOneOfEachState();
    Showcase showcase = Showcase.start(application.policies, 3);
    application.closing(showcase);
    Console console = application.start(s -> s.controls().pipeline(showcase.pipeline()));
    for (String scheme : List.of("light", "dark")) {
      browser.scheme(scheme);
      for (String view : List.of("#/", "#/breaker/open", "#/breaker/inventory", "#/policies")) {
        browser.open(console.uri().resolve(view));
        browser.waitForText("#connection", "live");
        browser.waitUntil("content", () -> !browser.all(".item, .card dd").isEmpty());
        assertThat(browser.violations()).as(view + ", " + scheme).isEmpty();
      }
    }
  }

  @Test
  void it_fits_a_phone_and_a_wall() throws Exception {
    application.makeOneOfEachState();
    Console console = application.start();
    for (int[] size : new int[][] {{360, 740}, {820, 1_100}, {2_560, 1_440}}) {
      browser.size(size[0], size[1]);
      browser.open(console.uri());
      browser.waitUntil("rows", () -> browser.all(".item").size() > 2);
      assertThat(browser.overflows()).as("overview " + size[0]).isFalse();
      assertThat(overlapping()).as("overview " + size[0]).isEqualTo(0L);
      browser.screenshot("overview-" + size[0]);
      browser.open(console.uri().resolve("#/breaker/open"));
      browser.waitForText(".detail", "Too many calls failed");
      assertThat(browser.overflows()).as("detail " + size[0]).isFalse();
      browser.screenshot("detail-" + size[0]);
    }
    browser.size(1_400, 900);
    browser.open(console.uri());
    browser.waitUntil("rows", () -> browser.all(".item").size() == 7);
    browser.click(".tools button");
    assertThat(browser.overflows()).isFalse();
    assertThat(overlapping()).isEqualTo(0L);
    browser.screenshot("tiles");
  }

  @Test
  void hundreds_of_tiles_fit_a_wall_and_are_told_in_full_to_a_reader() throws Exception {
    for (int i = 0; i < 300; i++) {
      application.small("partner-" + i);
    }
    fail(application.small("partner-299"), 5);
    browser.size(2_560, 1_440);
    browser.open(application.start().uri());
    browser.click(".tools button");
    browser.waitUntil(
        "the open one first", () -> browser.text(".item .name").startsWith("partner-299\n"));
    assertThat((Long) browser.script(IN_SIGHT)).isGreaterThan(140);
    assertThat(browser.text(".brief").lines().findFirst().orElseThrow())
        .startsWith("Open · probe in ");
    assertThat(String.valueOf(browser.script("return document.querySelector('.item').innerText")))
        .contains("Open", "Failed", "100 of 50 %", "Slow", "0 of 100 %", "in flight");
    assertThat(overlapping()).isEqualTo(0L);
    browser.screenshot("tiles-2560");

    browser.script("location.reload()");
    browser.waitUntil("rows", () -> !browser.all(".item").isEmpty());
    assertThat(browser.find(".tools button").getDomAttribute("aria-pressed")).isEqualTo("true");
  }

  private static final String IN_SIGHT =
      "return [...document.querySelectorAll('.item')]"
          + ".filter(i => i.getBoundingClientRect().bottom <= innerHeight).length";

  @Test
  void a_half_open_breaker_shows_its_probes_and_one_that_opens_again_too() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    inventory.transitionTo(State.HALF_OPEN);
    browser.open(application.start().uri().resolve("#/breaker/inventory"));
    browser.waitForText(".window .hint", "0 of 10 probes have reported");
    double top = top(".window");
    fail(inventory, 1);
    browser.waitForText(".window .hint", "1 of 10 probes have reported");
    assertThat(browser.all(".slice .part.failed")).hasSize(1);
    fail(inventory, 4);
    browser.waitForText(".detail .cause", "Half-open → Open: The probes failed");
    browser.waitForText(".window .hint", "5 probes that had reported when it opened");
    browser.waitForText(".detail .need", "of the 5 probes that had reported, of 10.");
    assertThat(browser.text(".detail .failed .meter-value")).isEqualTo("100 of 50 %");
    assertThat(browser.all(".slice .part.failed")).hasSize(5);
    assertThat(top(".window")).as("nothing has moved").isEqualTo(top);
  }

  private static double top(String selector) {
    Object top =
        browser.script(
            "return document.querySelector(arguments[0]).getBoundingClientRect().top", selector);
    return ((Number) top).doubleValue();
  }

  @Test
  void of_equally_bad_ones_those_come_first_that_refuse_the_most_now() throws Exception {
    fail(application.small("a-quiet"), 5);
    CircuitBreaker busy = application.small("z-busy");
    fail(busy, 5);
    browser.open(application.start().uri());
    browser.waitUntil("rows", () -> browser.all(".item").size() == 2);
    browser.waitUntil(
        "the busy one first",
        () -> {
          for (int i = 0; i < 20; i++) {
            assertThat(busy.tryAcquire()).isNull();
          }
          return order().equals(List.of("z-busy", "a-quiet"));
        });
    assertThat(browser.row("z-busy")).contains("/s refused");
  }

  @Test
  void names_come_by_their_numbers_and_what_is_looked_for_outlives_a_reload() throws Exception {
    for (int number : List.of(10, 2, 9, 100)) {
      application.small("partner-" + number);
    }
    application.small("partner-1").transitionTo(State.DISABLED);
    browser.open(application.start().uri());
    browser.waitUntil(
        "the order",
        () ->
            order()
                .equals(
                    List.of("partner-1", "partner-2", "partner-9", "partner-10", "partner-100")));
    browser.type("#search", "-1");
    browser.click(".chip[data-state='CLOSED']");
    List<String> wanted = List.of("partner-10", "partner-100");
    browser.waitUntil("what is wanted", () -> order().equals(wanted));
    browser.script("location.reload()");
    browser.waitUntil("what is wanted", () -> order().equals(wanted));
    assertThat(browser.script("return document.querySelector('#search').value")).isEqualTo("-1");
    assertThat(browser.all(".chip[aria-pressed='true'][data-state='CLOSED']")).hasSize(1);
  }

  @Test
  void on_paper_no_row_is_left_out() throws Exception {
    for (int i = 0; i < 60; i++) {
      application.small("partner-" + i);
    }
    browser.open(application.start().uri());
    browser.waitUntil("rows", () -> !browser.all(".item").isEmpty());
    assertThat(browser.all(".item")).hasSizeLessThan(60);
    browser.script("dispatchEvent(new Event('beforeprint'))");
    assertThat(browser.all(".item")).hasSize(60);
    browser.script("dispatchEvent(new Event('afterprint'))");
    assertThat(browser.all(".item")).hasSizeLessThan(60);
  }

  @Test
  void the_colours_of_the_system_leave_all_to_be_told_apart() throws Exception {
    application.makeOneOfEachState();
    Console console = application.start();
    browser.forcedColors();
    browser.open(console.uri());
    browser.waitUntil("rows", () -> browser.all(".item").size() == 7);
    assertThat(kinds(".chip", "backgroundColor")).as("the one that is pressed").isEqualTo(2L);
    assertThat(kinds(".meter-track", "borderTopWidth")).isEqualTo(1L);
    assertThat(browser.find(".meter-track").getCssValue("border-top-width")).isEqualTo("1px");
    browser.screenshot("forced-colors");
    browser.open(console.uri().resolve("#/breaker/open"));
    browser.waitForText(".detail", "Too many calls failed");
    assertThat(kinds(".legend .part", "background")).as("patterns").isEqualTo(4L);
    browser.screenshot("forced-colors-detail");
  }

  private static Object kinds(String selector, String property) {
    return browser.script(
        "return new Set([...document.querySelectorAll(arguments[0])]"
            + ".map(e => getComputedStyle(e)[arguments[1]])).size",
        selector,
        property);
  }

  @Test
  void a_token_that_is_none_any_more_is_asked_for_again() throws Exception {
    application.small("inventory");
    Console console = application.start(ConsoleSettings::controls);
    browser.open(console.uri().resolve("#/breaker/inventory"));
    enterToken(console);
    browser.script("sessionStorage.setItem('recloser-token', 'of-a-former-process')");
    browser.click("[data-action='reset']");
    browser.type("#reason", "all is well");
    browser.click("dialog .danger");
    browser.waitForText(
        ".controls", "Not done: the token is not that of this application any more.");
    assertThat(browser.all("[data-action]")).isEmpty();
    assertThat(browser.focused()).isEqualTo("token");
    assertThat(browser.script("return sessionStorage.length")).as("what is kept").isEqualTo(0L);
    assertThat(browser.complaints()).as("the browser's own").allMatch(line -> line.contains("401"));
  }

  /** Rows have a height that is set: none may need more. */
  private static Object overlapping() {
    return browser.script(
        "return [...document.querySelectorAll('.item')]"
            + ".filter(i => i.scrollHeight > i.clientHeight + 1).length");
  }

  @Test
  void the_demo_is_watched_live_in_both_of_its_runs() throws Exception {
    StringWriter output = new StringWriter();
    Thread demo =
        new Thread(
            () ->
                Main.commandLine()
                    .setOut(new PrintWriter(output, true))
                    .execute("demo", "--seconds", "16", "--console"));
    demo.start();
    try {
      browser.waitUntil("the address", () -> ADDRESS.matcher(output.toString()).find());
      Matcher address = ADDRESS.matcher(output.toString());
      assertThat(address.find()).isTrue();
      browser.open(URI.create(address.group(1)));
      browser.waitUntil("run 1", () -> browser.row(DemoBreaker.ONLOOKER).contains("Metrics only"));
      browser.waitUntil("run 2", () -> browser.row(DemoBreaker.NAME).contains("| Open |"));
      browser.screenshot("demo");
      // The ramp-up may be over between two looks.
      browser.waitUntil(
          "recovery",
          () -> browser.row(DemoBreaker.NAME).matches("(?s).*(Ramp-up|\\| Closed \\|).*"));
    } finally {
      demo.interrupt();
      demo.join();
    }
  }
}
