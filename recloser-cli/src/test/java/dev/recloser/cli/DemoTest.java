package dev.recloser.cli;

import static dev.recloser.cli.Count.CALLS_FAILED;
import static dev.recloser.cli.Count.CALLS_MADE;
import static dev.recloser.cli.Count.CALLS_REFUSED;
import static dev.recloser.cli.Count.CALLS_TIMED_OUT;
import static dev.recloser.cli.Count.ORDERS_FAILED;
import static dev.recloser.cli.Count.ORDERS_IN_FULL;
import static dev.recloser.cli.Count.ORDERS_IN_TIME;
import static dev.recloser.cli.Count.ORDERS_SENT;
import static dev.recloser.cli.Count.ORDERS_TO_BE_CONFIRMED;
import static dev.recloser.cli.Count.ORDERS_TURNED_AWAY;
import static dev.recloser.cli.Count.PAGES_ANSWERED;
import static dev.recloser.cli.Count.PAGES_FAILED;
import static dev.recloser.cli.Count.PAGES_SENT;
import static dev.recloser.cli.Count.PAGES_TURNED_AWAY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.cli.DemoResult.BreakerStory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The demo itself, once, on real servers: what must hold on any machine, however slow. It is the
 * one test here that takes real time.
 */
class DemoTest {
  private static final StringWriter OUTPUT = new StringWriter();
  private static DemoResult without;
  private static DemoResult with;

  @BeforeAll
  static void runTheDemo() throws Exception {
    var screen = new LogScreen(new PrintWriter(OUTPUT));
    Demo.Results results = new Demo(DemoPlan.ofRun(Duration.ofSeconds(5)), screen).run();
    without = results.without();
    with = results.with();
  }

  @Test
  void every_order_ends_in_exactly_one_way() {
    assertThat(without.counts().of(ORDERS_SENT)).isPositive().isEqualTo(endedOrders(without));
    assertThat(with.counts().of(ORDERS_SENT)).isPositive().isEqualTo(endedOrders(with));
  }

  @Test
  void every_page_ends_in_exactly_one_way() {
    assertThat(without.counts().of(PAGES_SENT)).isPositive().isEqualTo(endedPages(without));
    assertThat(with.counts().of(PAGES_SENT)).isPositive().isEqualTo(endedPages(with));
  }

  @Test
  void both_runs_get_the_same_requests() {
    assertThat(with.counts().of(ORDERS_SENT)).isEqualTo(without.counts().of(ORDERS_SENT));
    assertThat(with.counts().of(PAGES_SENT)).isEqualTo(without.counts().of(PAGES_SENT));
  }

  @Test
  void no_more_orders_are_answered_in_time_than_are_answered() {
    assertThat(with.counts().of(ORDERS_IN_TIME))
        .isLessThanOrEqualTo(answered(with))
        .isLessThanOrEqualTo(with.counts().of(ORDERS_SENT));
  }

  @Test
  void inventory_fails_and_times_out_without_a_breaker() {
    assertThat(without.counts().of(CALLS_TIMED_OUT)).isPositive();
    assertThat(without.counts().of(CALLS_FAILED))
        .isGreaterThan(without.counts().of(CALLS_TIMED_OUT));
    assertThat(without.counts().of(CALLS_REFUSED)).isZero();
    assertThat(without.breaker()).isNull();
  }

  @Test
  void the_breaker_opens_while_inventory_is_sick_and_closes_again() {
    BreakerStory story = with.breaker();

    assertThat(story.openings()).isPositive();
    assertThat(story.closings()).isPositive();
    assertThat(story.openedAfter()).isPositive();
    assertThat(story.timeOpen()).isPositive();
  }

  @Test
  void what_the_breaker_refused_is_what_inventory_was_spared() {
    long orders = answered(with);

    assertThat(with.breaker().refused()).isEqualTo(with.counts().of(CALLS_REFUSED)).isPositive();
    assertThat(with.counts().of(CALLS_MADE) + with.counts().of(CALLS_REFUSED))
        .isGreaterThanOrEqualTo(orders);
  }

  @Test
  void no_worker_beyond_the_pool_is_ever_busy() {
    assertThat(without.worstBusy()).isBetween(1, OrdersServer.WORKERS);
    assertThat(with.worstBusy()).isBetween(1, OrdersServer.WORKERS);
  }

  @Test
  void nothing_is_left_running() {
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith(DemoThreads.PREFIX))
        .noneMatch(name -> name.startsWith("HTTP-Dispatcher"));
  }

  @Test
  void the_log_shows_both_runs_with_every_transition_explained() {
    assertThat(OUTPUT.toString())
        .contains("Run 1 of 2", "Run 2 of 2", "inventory turns sick", "inventory has recovered")
        .contains("CLOSED -> OPEN", "inventory is OPEN for")
        .contains("HALF_OPEN -> CLOSED  PROBES_SUCCEEDED", "inventory is CLOSED")
        .contains("Side by side");
  }

  @Test
  void the_log_fits_into_100_columns_of_ascii() {
    assertThat(OUTPUT.toString().lines())
        .allMatch(line -> line.length() <= Text.WIDTH)
        .allMatch(line -> line.chars().allMatch(c -> c >= ' ' && c < 127));
  }

  private static long answered(DemoResult result) {
    return result.counts().of(ORDERS_IN_FULL) + result.counts().of(ORDERS_TO_BE_CONFIRMED);
  }

  private static long endedOrders(DemoResult result) {
    return answered(result)
        + result.counts().of(ORDERS_TURNED_AWAY)
        + result.counts().of(ORDERS_FAILED);
  }

  private static long endedPages(DemoResult result) {
    return result.counts().of(PAGES_ANSWERED)
        + result.counts().of(PAGES_TURNED_AWAY)
        + result.counts().of(PAGES_FAILED);
  }
}
