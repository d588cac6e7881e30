package dev.recloser.cli;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerSnapshot;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line for each tick of the run: for pipes and log files. */
final class LogScreen implements DemoScreen {
  private static final String ROW = "%5s  %-9s  %-9s %6s %5s  %s %2s  %4s %5s %4s %7s  %4s %6s %7s";

  private static final String COLUMNS =
      Text.format(
          ROW,
          "sec",
          "inventory",
          "breaker",
          "failed",
          "slow",
          "busy, of",
          OrdersServer.WORKERS,
          "full",
          "later",
          "lost",
          "pages/s",
          "made",
          "failed",
          "refused");

  private final PrintWriter out;
  private Duration interval = Duration.ofSeconds(1);

  LogScreen(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void print(List<String> lines) {
    lines.forEach(out::println);
    out.flush();
  }

  @Override
  public void tell(News news) {
    print(List.of(news.headline()));
    print(news.explanation());
  }

  @Override
  public void begin(String run, DemoPlan plan, @Nullable CircuitBreakerConfig breaker) {
    interval = plan.tick();
    print(List.of("", run, "", groups(breaker), COLUMNS));
  }

  @Override
  public void show(Moment moment) {
    print(List.of(row(moment)));
  }

  @Override
  public void end() {}

  @Override
  public Duration interval() {
    return interval;
  }

  static String row(Moment moment) {
    CircuitBreakerSnapshot breaker = moment.breaker();
    return Text.format(
        ROW,
        Text.format("%.1f", moment.elapsed().toNanos() / 1e9),
        moment.phase(),
        breaker == null ? "none" : DemoBreaker.state(breaker),
        breaker == null ? "-" : Text.percent(breaker.window().failureRate()),
        breaker == null ? "-" : Text.percent(breaker.window().slowCallRate()),
        Text.bar(moment.busy(), OrdersServer.WORKERS, 6),
        moment.busy(),
        moment.perSecond(Count.ORDERS_IN_FULL),
        moment.perSecond(Count.ORDERS_TO_BE_CONFIRMED),
        moment.perSecond(Count.ORDERS_TURNED_AWAY) + moment.perSecond(Count.ORDERS_FAILED),
        moment.perSecond(Count.PAGES_ANSWERED),
        moment.callsPerSecond(),
        moment.perSecond(Count.CALLS_FAILED),
        breaker == null ? "-" : moment.perSecond(Count.CALLS_REFUSED));
  }

  /** What the columns have in common, and where the rates open the breaker. */
  private static String groups(@Nullable CircuitBreakerConfig breaker) {
    return Text.format(
        "%27s %6s %5s%17s%-24s%s",
        breaker == null ? "" : "opens at",
        breaker == null ? "" : Text.percent(breaker.failureRateThreshold()),
        breaker == null ? "" : Text.percent(breaker.slowCallRateThreshold()),
        "",
        "orders/s",
        "inventory calls/s");
  }
}
