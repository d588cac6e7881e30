package dev.recloser.cli;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerSnapshot;
import dev.recloser.Ticker;
import dev.recloser.cli.DemoResult.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run: servers up, customers in, a look every few milliseconds, everything down again. */
final class DemoRun {
  private static final Duration BETWEEN_SAMPLES = Duration.ofMillis(50);

  private final DemoPlan plan;
  private final DemoScreen screen;
  private final RunView view;
  private final RunClock clock;
  private final @Nullable BreakerWatch watch;
  private final @Nullable CircuitBreaker onlooker;
  private final Tally tally = new Tally();
  private final List<Sample> samples = new ArrayList<>();

  private DemoRun(
      DemoPlan plan,
      @Nullable CircuitBreaker breaker,
      @Nullable CircuitBreaker onlooker,
      DemoScreen screen) {
    this.plan = plan;
    this.onlooker = onlooker;
    this.screen = screen;
    view = new RunView(plan, screen);
    clock = new RunClock(Ticker.system(), plan);
    watch = breaker == null ? null : new BreakerWatch(breaker, clock, plan);
  }

  /**
   * Makes a run and waits until it is over and nothing of it is left.
   *
   * @param breaker what guards the calls to inventory; null for nothing
   */
  static DemoResult of(DemoPlan plan, @Nullable CircuitBreaker breaker, DemoScreen screen)
      throws IOException, InterruptedException {
    return new DemoRun(plan, breaker, /* onlooker= */ null, screen).run();
  }

  /**
   * Makes a run without a breaker, but with one that shows what is going on to who watches.
   *
   * @param onlooker a breaker that refuses nothing
   */
  static DemoResult watched(DemoPlan plan, CircuitBreaker onlooker, DemoScreen screen)
      throws IOException, InterruptedException {
    return new DemoRun(plan, /* breaker= */ null, onlooker, screen).run();
  }

  private DemoResult run() throws IOException, InterruptedException {
    try (var server = new InventoryServer(clock::phase);
        var calls = new HttpInventory(Ticker.system(), clock::phase, tally, server.uri());
        var orders = new OrdersServer(guarded(calls), tally);
        var load = new Load(clock, tally, orders.uri())) {
      clock.start();
      load.start(plan.length());
      observe(orders, load);
      return result();
    } finally {
      screen.end();
      if (watch != null) {
        watch.close();
      }
    }
  }

  private Inventory guarded(Inventory inventory) {
    CircuitBreaker around = watch == null ? onlooker : watch.breaker();
    return around == null ? inventory : around.wrap(Inventory.class, inventory);
  }

  private void observe(OrdersServer orders, Load load) throws InterruptedException {
    for (int sample = 1; !load.isDone(); sample++) {
      clock.sleepUntil(BETWEEN_SAMPLES.multipliedBy(sample));
      observe(orders);
    }
  }

  private void observe(OrdersServer orders) {
    Duration elapsed = clock.elapsed();
    CircuitBreakerSnapshot breaker = watch == null ? null : watch.breaker().snapshot();
    int busy = orders.mostBusySinceAsked();
    samples.add(new Sample(elapsed, busy, breaker == null ? null : DemoBreaker.state(breaker)));
    view.announce(plan.phaseAt(elapsed));
    tellNews();
    view.update(elapsed, breaker, busy, orders.waiting(), tally.counts());
  }

  private void tellNews() {
    News news;
    while (watch != null && (news = watch.nextNews()) != null) {
      view.tell(news);
    }
  }

  private DemoResult result() {
    return new DemoResult(
        plan,
        tally.counts(),
        tally.orderTimes(),
        tally.pageTimes(),
        List.copyOf(samples),
        watch == null ? null : watch.story());
  }
}
