package dev.recloser.cli;

import static dev.recloser.cli.WatchedApplication.fail;
import static dev.recloser.cli.WatchedApplication.succeed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import dev.recloser.test.FakeTime;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a breaker's page says of time: its states, its waits, its window, its calls per second. */
final class ConsoleTimesTest extends InBrowser {
  private static final Pattern MOST = Pattern.compile("at most ([\\d.]+) succeeded");

  private final WatchedApplication application = new WatchedApplication();
  private final FakeTime time = FakeTime.create();

  @AfterEach
  void closeAll() throws Exception {
    browser.open(URI.create("about:blank"));
    application.close();
  }

  @Test
  void the_ribbon_tells_what_is_known_what_is_not_and_what_was_done_by_hand() throws Exception {
    CircuitBreaker inventory = timed(c -> {});
    URI page = application.start().uri().resolve("#/breaker/inventory");
    for (int i = 0; i < 7; i++) {
      inventory.transitionTo(State.OPEN);
      time.advance(Duration.ofMinutes(5));
      inventory.reset();
      time.advance(Duration.ofMinutes(i == 3 ? 90 : 1));
    }
    inventory.transitionTo(State.FORCED_OPEN);
    time.advance(Duration.ofMinutes(3));
    browser.open(page);

    browser.waitForText(".openings", "Opened 3 times in the last hour, 7 in the last day");
    assertThat(ribbon()).startsWith("The last 15 min: ").contains("forced open for 3 min");
    assertThat(ribbon()).doesNotContain("not known");
    assertThat(browser.all(".segment.unknown")).isEmpty();
    assertThat(browser.all(".mark")).as("by hand").hasSize(4);
    assertThat(browser.text(".times")).contains("▼ By hand: forced open at ");

    browser.click(".spans button:last-child");
    browser.waitUntil("a day", () -> ribbon().startsWith("The last 24 h: "));
    assertThat(browser.text(".segment.unknown")).startsWith("not known before ");
    assertThat(ribbon()).contains("; not known before ");
    assertThat(browser.all(".spans [aria-pressed='true']")).hasSize(1);
    assertThat(browser.violations()).isEmpty();
    browser.screenshot("ribbon");
  }

  private static String ribbon() {
    return String.valueOf(browser.find(".ribbon").getDomAttribute("aria-label"));
  }

  @Test
  void the_wait_is_told_with_what_it_is_made_of() throws Exception {
    CircuitBreaker inventory =
        timed(
            c ->
                c.waitDurationInOpenState(Duration.ofSeconds(30))
                    .exponentialBackoffMultiplier(2)
                    .exponentialMaxWaitDurationInOpenState(Duration.ofMinutes(5))
                    .randomizedWaitFactor(0.2)
                    .permittedNumberOfCallsInHalfOpenState(1));
    fail(inventory, 5);
    browser.open(application.start().uri().resolve("#/breaker/inventory"));
    browser.waitForText(".head .since", ": 30 s ± 20 % jitter, at most 5 min)");
    time.advance(Duration.ofMinutes(1));
    fail(inventory, 1);
    browser.waitForText(
        ".head .since", "2nd opening in a row: 1 min ± 20 % jitter, at most 5 min)");
    assertThat(browser.text(".head .since"))
        .matches("For .*, next probe in .* \\(wait [\\d.]+ (s|min.*), 2nd opening .*\\)");
  }

  @Test
  void a_wait_that_is_nothing_but_itself_is_told_as_that() throws Exception {
    fail(timed(c -> c.waitDurationInOpenState(Duration.ofSeconds(90))), 5);
    browser.open(application.start().uri().resolve("#/breaker/inventory"));
    browser.waitForText(".head .since", "(wait 1 min 30 s)");
  }

  @Test
  void slow_and_failed_calls_are_four_kinds_and_each_looks_its_own_way() throws Exception {
    CircuitBreaker inventory =
        timed(
            c ->
                c.slowCallDurationThreshold(Duration.ofMillis(100))
                    .slidingWindowSize(20)
                    .minimumNumberOfCalls(20));
    succeed(inventory, 4);
    fail(inventory, 1);
    slow(inventory, 3, false);
    slow(inventory, 2, true);
    browser.open(application.start().uri().resolve("#/breaker/inventory"));
    browser.waitForText(".window .legend", "1 failed2 slow and failed3 slow4 fine");
    assertThat(browser.find(".strip").getDomAttribute("aria-label"))
        .isEqualTo("10 calls, oldest first: 1 failed, 2 slow and failed, 3 slow, 4 fine");
    assertThat(browser.all(".strip .part.ok")).hasSize(4);
    assertThat(browser.all(".strip .part.slow")).hasSize(3);
    assertThat(
            browser.script(
                "const look = p => getComputedStyle(p).backgroundImage + getComputedStyle(p).boxShadow;"
                    + "return new Set([...document.querySelectorAll('.strip .part')]"
                    + ".map(p => look(p).replace(/(rgba?|color)\\([^)]*\\)/g, ''))).size"))
        .as("patterns, whatever the colours")
        .isEqualTo(4L);
    browser.screenshot("window");
  }

  private void slow(CircuitBreaker breaker, int times, boolean failed) {
    for (int i = 0; i < times; i++) {
      try (Permit permit = breaker.acquire()) {
        time.advance(Duration.ofMillis(200));
        if (failed) {
          permit.fail(new IllegalStateException("late and wrong"));
        } else {
          permit.record(Outcome.SUCCESS);
        }
      }
    }
  }

  /** Real time: a page that was busy for long has a gap, and no peak after it. */
  @Test
  void calls_per_second_are_a_rate_with_gaps_where_nothing_was_heard() throws Exception {
    CircuitBreaker inventory = application.small("inventory");
    ScheduledExecutorService calls = Executors.newSingleThreadScheduledExecutor();
    application.closing(calls::shutdownNow);
    var unused =
        calls.scheduleAtFixedRate(() -> succeed(inventory, 2), 0, 100, TimeUnit.MILLISECONDS);
    browser.open(application.start().uri().resolve("#/breaker/inventory"));
    browser.waitUntil("a rate", () -> most() > 5);
    assertThat(traffic()).doesNotContain("gap");
    browser.script("const end = performance.now() + 6000; while (performance.now() < end);");
    browser.waitUntil("a gap", () -> traffic().contains("a gap"));
    assertThat(most()).as("20 calls a second, and 120 while the page was busy").isLessThan(60);
    browser.screenshot("gap");
  }

  /** The plot of calls per second, in words. */
  private static String traffic() {
    return String.valueOf(browser.script("return document.querySelector('.plot')?.ariaLabel"));
  }

  private static double most() {
    Matcher most = MOST.matcher(traffic());
    return most.find() ? Double.parseDouble(most.group(1)) : 0;
  }

  private CircuitBreaker timed(Consumer<CircuitBreakerConfig.Builder> settings) {
    return application.breaker(
        "inventory",
        c -> {
          c.slidingWindowSize(10).minimumNumberOfCalls(5).ticker(time);
          settings.accept(c);
        });
  }
}
