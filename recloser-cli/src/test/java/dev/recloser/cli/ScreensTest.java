package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Outcome;
import dev.recloser.test.FakeTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScreensTest {
  private static final String ESCAPE = "\u001b[";

  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text);
  private final DemoPlan plan = DemoPlan.ofRun(Duration.ofSeconds(20));
  private final CircuitBreaker breaker = CircuitBreaker.create("inventory", config());

  @Test
  void a_log_has_the_thresholds_above_the_rates_and_a_line_for_each_moment() {
    var screen = new LogScreen(out);
    breaker.acquire().record(Outcome.FAILURE);

    screen.begin("Run", plan, breaker.config());
    screen.show(moment(breaker));

    assertThat(text.toString())
        .isEqualToNormalizingNewlines(
            """

            Run

                               opens at    50%  100%                 orders/s                inventory calls/s
              sec  inventory  breaker   failed  slow  busy, of 40  full later lost pages/s  made failed refused
             12.0  sick       CLOSED      100%    0%  [###...] 24    10    50    2      40    12      3      48
            """);
  }

  @Test
  void a_log_of_a_run_without_a_breaker_has_no_rates() {
    assertThat(LogScreen.row(moment(null)))
        .isEqualTo(
            " 12.0  sick       none           -     -  [###...] 24    10    50    2      40    12      3       -");
  }

  @Test
  void a_panel_is_redrawn_over_the_one_before() {
    var screen = new PanelScreen(out, Palette.PLAIN);
    screen.begin("Run", plan, breaker.config());
    screen.show(moment(breaker));
    String first = text.toString();
    screen.show(moment(breaker));

    String second = text.toString().substring(first.length());

    assertThat(second).startsWith(ESCAPE + "6A" + ESCAPE + "J");
    assertThat(second.lines()).hasSize(7);
  }

  @Test
  void news_push_the_panel_down() {
    var screen = new PanelScreen(out, Palette.PLAIN);
    screen.show(moment(breaker));
    String before = text.toString();

    screen.tell(new News("headline", List.of("why")));

    assertThat(text.toString().substring(before.length()).lines())
        .startsWith(ESCAPE + "6A" + ESCAPE + "Jheadline", "why")
        .anyMatch(line -> line.contains("breaker   CLOSED"));
  }

  @Test
  void the_last_panel_of_a_run_stays() {
    var screen = new PanelScreen(out, Palette.PLAIN);
    screen.show(moment(breaker));
    screen.end();
    String before = text.toString();

    screen.print(List.of("report"));

    assertThat(text.toString().substring(before.length()).lines()).containsExactly("report");
  }

  @Test
  void a_panel_shows_how_long_the_breaker_stays_open() {
    breaker.transitionTo(State.OPEN);

    new PanelScreen(out, Palette.PLAIN).show(moment(breaker));

    assertThat(text.toString()).contains("breaker   OPEN for 2.0 s");
  }

  @Test
  void a_terminal_gets_colors_unless_it_wants_none() {
    Map<String, String> plain = Map.of("TERM", "xterm", "NO_COLOR", "1");

    DemoCommand.screen(out, true, Map.of("TERM", "xterm")).show(moment(breaker));
    String colored = text.toString();
    DemoCommand.screen(out, true, plain).show(moment(breaker));

    assertThat(colored).contains(ESCAPE + "32m");
    assertThat(text.toString().substring(colored.length()))
        .contains("CLOSED")
        .doesNotContain("32m");
  }

  @Test
  void what_is_no_terminal_or_a_dumb_one_gets_a_log() {
    assertThat(DemoCommand.screen(out, false, Map.of("TERM", "xterm")))
        .isInstanceOf(LogScreen.class);
    assertThat(DemoCommand.screen(out, true, Map.of("TERM", "dumb"))).isInstanceOf(LogScreen.class);
    assertThat(DemoCommand.screen(out, true, Map.of())).isInstanceOf(LogScreen.class);
  }

  private static Moment moment(CircuitBreaker breaker) {
    return new Moment(
        Duration.ofSeconds(12),
        Phase.SICK,
        breaker == null ? null : breaker.snapshot(),
        /* busy= */ 24,
        /* waiting= */ 3,
        new Counts(
            Map.of(
                Count.ORDERS_IN_FULL, 20L,
                Count.ORDERS_TO_BE_CONFIRMED, 100L,
                Count.ORDERS_TURNED_AWAY, 4L,
                Count.PAGES_ANSWERED, 80L,
                Count.CALLS_MADE, 24L,
                Count.CALLS_FAILED, 6L,
                Count.CALLS_REFUSED, 96L)),
        Duration.ofSeconds(2));
  }

  private static CircuitBreakerConfig config() {
    return CircuitBreakerConfig.of(
        config -> config.ticker(FakeTime.create()).waitDurationInOpenState(Duration.ofSeconds(2)));
  }
}
