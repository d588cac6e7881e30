package dev.recloser.cli;

import dev.recloser.CircuitBreaker;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Prints how smooth the page is with a thousand breakers that all change with every look. What it
 * prints depends on the machine, so nothing is asserted, and it runs only when it is asked for by
 * its name. The figures are in docs/console.md.
 */
final class ConsolePageFigures {
  private static final int BREAKERS = 1_000;
  private static final Duration LOOK = Duration.ofSeconds(10);

  /** Ten minutes at the default interval, ten times as fast. */
  private static final Duration FAST = Duration.ofMillis(50);

  private static final Duration TEN_MINUTES_FAST = Duration.ofMinutes(1);

  /** Counts frames, and the tasks that keep the page from one for more than 50 ms. */
  private static final String WATCH =
      """
      const [done, scroll] = [arguments[2], arguments[1]];
      const tasks = [];
      const observer = new PerformanceObserver(l => l.getEntries().forEach(e => tasks.push(e.duration)));
      observer.observe({entryTypes: ['longtask']});
      let frames = 0;
      const end = performance.now() + arguments[0];
      const step = () => {
        frames++;
        if (scroll) scrollTo(0, scrollY + 40 > document.body.scrollHeight - innerHeight ? 0 : scrollY + 40);
        if (performance.now() < end) requestAnimationFrame(step);
        else { observer.disconnect(); done(frames + ' frames, ' + tasks.length + ' long tasks'
          + (tasks.length ? ', the longest ' + Math.round(Math.max(...tasks)) + ' ms' : '')); }
      };
      requestAnimationFrame(step);
      """;

  @Test
  void figures() throws Exception {
    WatchedApplication application = new WatchedApplication();
    ScheduledExecutorService calls = Executors.newSingleThreadScheduledExecutor();
    try (Browser browser = Browser.start()) {
      AtomicLong looks = callAll(application, calls);
      URI page = application.start(s -> s.refreshInterval(Duration.ofMillis(500))).uri();
      open(browser, page);
      print("all rows change, 10 s: " + watch(browser, false));
      print("and it is scrolled, 10 s: " + watch(browser, true));
      URI fast = application.start(s -> s.refreshInterval(FAST)).uri();
      open(browser, fast);
      long before = browser.heapBytes();
      long from = looks.get();
      Thread.sleep(TEN_MINUTES_FAST.toMillis());
      long after = browser.heapBytes();
      print(
          "heap of the page: %.1f MB, after %s of looks every %s (%d rounds of calls): %.1f MB"
              .formatted(before / 1e6, TEN_MINUTES_FAST, FAST, looks.get() - from, after / 1e6));
    } finally {
      calls.shutdownNow();
      application.close();
    }
  }

  /** Each breaker gets a call in each round, and one of three fails. */
  private static AtomicLong callAll(
      WatchedApplication application, ScheduledExecutorService calls) {
    List<CircuitBreaker> breakers = new ArrayList<>();
    for (int i = 0; i < BREAKERS; i++) {
      breakers.add(application.breaker("partner-" + i, c -> c.failureRateThreshold(90)));
    }
    AtomicLong rounds = new AtomicLong();
    var unused =
        calls.scheduleAtFixedRate(
            () -> {
              boolean fails = rounds.incrementAndGet() % 3 == 0;
              for (CircuitBreaker breaker : breakers) {
                if (fails) {
                  WatchedApplication.fail(breaker, 1);
                } else {
                  WatchedApplication.succeed(breaker, 1);
                }
              }
            },
            0,
            50,
            TimeUnit.MILLISECONDS);
    return rounds;
  }

  private static void open(Browser browser, URI page) {
    browser.open(page);
    browser.waitForText(".shown", "1,000 breakers");
    browser.waitUntil("rows", () -> browser.all(".item").size() > 5);
  }

  private static String watch(Browser browser, boolean scroll) {
    return browser.await(WATCH, LOOK.toMillis(), scroll);
  }

  private static void print(String figure) {
    System.out.println("console page, " + BREAKERS + " breakers: " + figure);
  }
}
