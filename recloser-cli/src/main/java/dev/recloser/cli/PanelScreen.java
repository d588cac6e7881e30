package dev.recloser.cli;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerSnapshot;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A small panel that is redrawn in place, with what stays above it: for terminals. */
final class PanelScreen implements DemoScreen {
  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final int BAR = 40;

  private static final String ESCAPE = "\u001b[";
  private static final String CLEAR_BELOW = ESCAPE + "J";

  /** Long lines are cut and not wrapped: a wrapped panel could not be redrawn in place. */
  private static final String NO_WRAP = ESCAPE + "?7l";

  private static final String WRAP = ESCAPE + "?7h";

  private final PrintWriter out;
  private final Palette palette;
  private Duration length = Duration.ZERO;
  private List<String> panel = List.of();

  PanelScreen(PrintWriter out, Palette palette) {
    this.out = out;
    this.palette = palette;
  }

  @Override
  public void print(List<String> lines) {
    redraw(lines, panel);
  }

  @Override
  public void tell(News news) {
    List<String> lines = new ArrayList<>();
    lines.add(palette.bold(news.headline()));
    lines.addAll(news.explanation());
    print(lines);
  }

  @Override
  public void begin(String run, DemoPlan plan, @Nullable CircuitBreakerConfig breaker) {
    length = plan.length();
    print(List.of("", palette.bold(run)));
  }

  @Override
  public void show(Moment moment) {
    redraw(List.of(), panelOf(moment));
  }

  /** Leaves the panel as it was last. */
  @Override
  public void end() {
    panel = List.of();
  }

  @Override
  public Duration interval() {
    return INTERVAL;
  }

  private void redraw(List<String> lines, List<String> newPanel) {
    var text = new StringBuilder();
    if (!panel.isEmpty()) {
      text.append(ESCAPE).append(panel.size()).append('A').append(CLEAR_BELOW);
    }
    lines.forEach(line -> text.append(line).append(System.lineSeparator()));
    text.append(newPanel.isEmpty() ? "" : NO_WRAP);
    newPanel.forEach(line -> text.append(line).append(System.lineSeparator()));
    text.append(newPanel.isEmpty() ? "" : WRAP);
    panel = newPanel;
    out.print(text);
    out.flush();
  }

  private List<String> panelOf(Moment moment) {
    return List.of(
        "",
        Text.format(
            "  %s of %s    inventory is %s",
            Text.seconds(moment.elapsed()), Text.seconds(length), palette.of(moment.phase())),
        "  breaker   " + breaker(moment.breaker()),
        "  workers   " + workers(moment),
        Text.format(
            "  orders    %3d/s in full   %3d/s to be confirmed   %3d/s turned away   pages %d/s",
            moment.perSecond(Count.ORDERS_IN_FULL),
            moment.perSecond(Count.ORDERS_TO_BE_CONFIRMED),
            moment.perSecond(Count.ORDERS_TURNED_AWAY) + moment.perSecond(Count.ORDERS_FAILED),
            moment.perSecond(Count.PAGES_ANSWERED)),
        Text.format(
            "  calls     %3d/s made      %3d/s failed            %3d/s refused",
            moment.callsPerSecond(),
            moment.perSecond(Count.CALLS_FAILED),
            moment.perSecond(Count.CALLS_REFUSED)));
  }

  private String breaker(@Nullable CircuitBreakerSnapshot breaker) {
    if (breaker == null) {
      return "none";
    }
    return Text.format(
        "%s   failed %4s (opens at %s)   slow %4s (opens at %s)",
        palette.of(breaker.state(), Text.format("%-14s", state(breaker))),
        Text.percent(breaker.window().failureRate()),
        Text.percent(breaker.window().failureRateThreshold()),
        Text.percent(breaker.window().slowCallRate()),
        Text.percent(breaker.window().slowCallRateThreshold()));
  }

  private static String state(CircuitBreakerSnapshot breaker) {
    Duration remaining = breaker.remaining();
    return breaker.state() == State.OPEN && remaining != null
        ? "OPEN for " + Text.seconds(remaining)
        : DemoBreaker.state(breaker);
  }

  private String workers(Moment moment) {
    String bar = Text.bar(moment.busy(), OrdersServer.WORKERS, BAR);
    return Text.format(
        "%s %d of %d busy, %d waiting",
        moment.busy() >= OrdersServer.WORKERS ? palette.bad(bar) : palette.good(bar),
        moment.busy(),
        OrdersServer.WORKERS,
        moment.waiting());
  }
}
