package dev.recloser.cli;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The whole demo: a warm-up, a run without a breaker, one with, and both side by side. */
final class Demo {
  /** The first requests of a JVM are slow, and would be held against the first run. */
  private static final Duration WARM_UP = Duration.ofMillis(700);

  private final DemoPlan plan;
  private final DemoScreen screen;
  private final @Nullable CircuitBreakerRegistry breakers;

  Demo(DemoPlan plan, DemoScreen screen) {
    this(plan, screen, /* breakers= */ null);
  }

  /**
   * A demo that is watched.
   *
   * @param breakers where its breakers are found while it runs; null if nobody watches
   */
  Demo(DemoPlan plan, DemoScreen screen, @Nullable CircuitBreakerRegistry breakers) {
    this.plan = plan;
    this.screen = screen;
    this.breakers = breakers;
  }

  /**
   * Runs it.
   *
   * @throws InterruptedException if the thread was interrupted; nothing is left running
   */
  Results run() throws IOException, InterruptedException {
    CircuitBreaker breaker = breaker(DemoBreaker.NAME);
    screen.print(introduction(breaker));
    DemoPlan warmUp = DemoPlan.healthy(WARM_UP);
    DemoRun.of(warmUp, DemoBreaker.of(warmUp), DemoScreen.NONE);

    screen.begin("Run 1 of 2: without a breaker", plan, /* breaker= */ null);
    DemoResult without = breakers == null ? DemoRun.of(plan, null, screen) : watchedRun();
    screen.begin("Run 2 of 2: with a breaker, all else the same", plan, breaker.config());
    DemoResult with = DemoRun.of(plan, breaker, screen);
    screen.print(DemoReport.of(without, with));
    return new Results(without, with);
  }

  /** Under a breaker that only measures: it is there for who watches, and refuses nothing. */
  private DemoResult watchedRun() throws IOException, InterruptedException {
    CircuitBreaker onlooker = breaker(DemoBreaker.ONLOOKER);
    onlooker.transitionTo(CircuitBreaker.State.METRICS_ONLY);
    return DemoRun.watched(plan, onlooker, screen);
  }

  private CircuitBreaker breaker(String name) {
    CircuitBreaker breaker = DemoBreaker.of(plan);
    return breakers == null ? breaker : breakers.circuitBreaker(name, breaker.config());
  }

  private List<String> introduction(CircuitBreaker breaker) {
    return List.of(
        "An orders service calls an inventory service, which turns slow and failing and recovers.",
        "Real servers and real calls, all on this machine; every figure is measured.",
        "",
        Text.format(
            "  customers   send %d orders/s, which need inventory,"
                + " and want %d catalog pages/s, which do not",
            Load.ORDERS_PER_SECOND, Load.PAGES_PER_SECOND),
        Text.format(
            "  orders      has %d workers and a queue of %d; who finds both full is turned away",
            OrdersServer.WORKERS, OrdersServer.QUEUE),
        Text.format(
            "              waits at most %s for inventory; without an answer it still takes the"
                + " order,",
            Text.millis(HttpInventory.TIMEOUT)),
        "              saying \"stock to be confirmed\" (in the columns below: later)",
        Text.format(
            "  inventory   is healthy for %s, sick for %s, then healthy again",
            Text.seconds(plan.sickFrom()), Text.seconds(plan.sickFor())),
        "  breaker     " + DemoBreaker.describe(breaker.config()));
  }

  /** Both runs. */
  record Results(DemoResult without, DemoResult with) {}
}
