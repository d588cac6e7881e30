package dev.recloser.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.test.FakeTime;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What many tell, added up, and how two moments of it differ. */
final class FleetSumsTest {
  private static final URI PANEL = URI.create("http://localhost:1/");

  private final InstanceRows one = new InstanceRows();
  private final InstanceRows two = new InstanceRows();

  @Test
  void only_those_count_that_are_live() {
    one.snapshot(event(row("a", State.OPEN, 0), row("b", State.CLOSED, 0)), 0);
    two.snapshot(event(row("a", State.HALF_OPEN, 0), row("c", State.FORCED_OPEN, 0)), 0);
    SortedMap<String, FleetSum> both = FleetSums.of(List.of(live("1", one), live("2", two)));
    assertThat(both.get("a")).satisfies(sum -> assertSum(sum, 2, 1, 1, 6));
    assertThat(both.get("b")).satisfies(sum -> assertSum(sum, 1, 0, 0, 3));
    SortedMap<String, FleetSum> first = FleetSums.of(List.of(live("1", one), stale("2", two)));
    assertThat(first.get("a")).satisfies(sum -> assertSum(sum, 1, 1, 0, 3));
    assertThat(first.get("c")).satisfies(sum -> assertSum(sum, 0, 0, 0, 0));
  }

  @Test
  void a_ramp_up_lets_some_through() {
    RemoteBreaker rising = new RemoteBreaker("a", State.CLOSED, 0, null, 40, 1, 3, 0, Counts.NONE);
    one.snapshot(event(rising), 0);
    assertThat(FleetSums.of(List.of(live("1", one))).get("a"))
        .satisfies(sum -> assertSum(sum, 1, 0, 1, 0));
  }

  @Test
  void calls_count_from_when_they_are_watched_and_once() {
    one.snapshot(event(row("a", State.CLOSED, 1_000)), 0);
    assertThat(one.takeCounted()).as("whatever was before").isEmpty();
    one.changes(event(row("a", State.CLOSED, 1_007), row("b", State.CLOSED, 5)), 0);
    one.changes(event(row("a", State.CLOSED, 1_010)), 0);
    assertThat(one.takeCounted())
        .isEqualTo(Map.of("a", new Counts(0, 10, 0), "b", new Counts(0, 5, 0)));
    assertThat(one.takeCounted()).isEmpty();
    one.changes(event(row("a", State.CLOSED, 3)), 0);
    assertThat(one.takeCounted()).as("one that has begun anew").isEmpty();
    one.snapshot(event(row("a", State.CLOSED, 90)), 0);
    assertThat(one.takeCounted()).as("what came in a gap may have taken hours").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 3_000_000_000L, Long.MIN_VALUE, -1})
  void rates_are_those_of_the_last_ten_seconds(long origin) {
    FakeTime time = FakeTime.startingAt(origin);
    FleetRates rates = new FleetRates();
    rates.mark(time.nanoTime(), Set.of("a"));
    assertThat(failed(rates, time)).as("not known yet").isNaN();
    for (int i = 0; i < 30; i++) {
      rates.add(Map.of("a", new Counts(0, 4, 0)));
      time.advance(Duration.ofMillis(500));
      rates.mark(time.nanoTime(), Set.of("a"));
    }
    assertThat(failed(rates, time)).isEqualTo(8.0);
    for (int i = 0; i < 5; i++) {
      time.advance(Duration.ofSeconds(1));
      rates.mark(time.nanoTime(), Set.of("a"));
    }
    assertThat(failed(rates, time)).isEqualTo(4.0);
    for (int i = 0; i < 6; i++) {
      time.advance(Duration.ofSeconds(1));
      rates.mark(time.nanoTime(), Set.of("a"));
    }
    assertThat(failed(rates, time)).isZero();
  }

  @Test
  void a_breaker_that_no_instance_has_is_forgotten() {
    FakeTime time = FakeTime.create();
    FleetRates rates = new FleetRates();
    rates.mark(time.nanoTime(), Set.of("a"));
    rates.add(Map.of("a", new Counts(0, 50, 0)));
    rates.mark(time.nanoTime(), Set.of());
    time.advance(Duration.ofSeconds(5));
    assertThat(failed(rates, time)).isZero();
  }

  @Test
  void calls_and_time_that_passes_are_no_change_of_a_cell() {
    one.snapshot(event(row("a", State.OPEN, 0, 0, 9_000), row("b", State.CLOSED, 0)), 0);
    FleetBoard before = board(live("1", one));
    one.changes(event(row("a", State.OPEN, 50, 2_000, 7_400)), 2_000_000_000L);
    assertThat(board(live("1", one)).since(before).columns()).isEmpty();
    one.changes(event(row("a", State.OPEN, 50, 3_000, 60_000)), 3_000_000_000L);
    assertThat(text(board(live("1", one)).since(before)))
        .as("another end")
        .contains("\"name\":\"a\",\"state\":\"OPEN\"")
        .doesNotContain("\"name\":\"b\"");
  }

  @Test
  void what_goes_and_comes_again_under_its_name_is_new() {
    one.snapshot(event(row("a", State.OPEN, 0)), 0);
    FleetBoard before = board(live("1", one), live("2", two));
    one.changes(new RemoteEvent("i", List.of(row("b", State.CLOSED, 0)), List.of("a")), 0);
    FleetBoard after = board(live("1", one));
    assertThat(text(after.since(before)))
        .contains("\"gone\":[\"a\"]", "\"goneInstances\":[\"2\"]", "\"goneBreakers\":[\"a\"]");
    one.clear();
    one.snapshot(event(row("b", State.CLOSED, 0)), 0);
    assertThat(board(live("1", one)).since(after).columns()).as("after a restart").hasSize(1);
    assertThat(after.since(after).isNothing()).isTrue();
  }

  @Test
  void an_instance_has_only_so_many_breakers() {
    List<RemoteBreaker> rows = new ArrayList<>();
    for (int i = 0; i <= InstanceRows.MOST; i++) {
      rows.add(row("b" + i, State.CLOSED, 0));
    }
    RemoteEvent event = new RemoteEvent("i", rows, List.of());
    assertThatThrownBy(() -> one.snapshot(event, 0))
        .isInstanceOf(FeedFault.class)
        .hasMessageContaining("at most 2000");
    assertThat(one.cells()).isEmpty();
    assertThatThrownBy(() -> one.changes(event, 0)).isInstanceOf(FeedFault.class);
  }

  private static void assertSum(
      FleetSum sum, int instances, int refusing, int probing, long callsInFlight) {
    assertThat(List.of(sum.instances(), sum.refusing(), sum.probing(), sum.callsInFlight()))
        .isEqualTo(List.of(instances, refusing, probing, callsInFlight));
  }

  private static double failed(FleetRates rates, FakeTime time) {
    return rates.of("a", time.nanoTime()).failed();
  }

  private static FleetBoard board(FleetColumn... columns) {
    TreeMap<String, FleetColumn> all = new TreeMap<>();
    for (FleetColumn column : columns) {
      all.put(column.name(), column);
    }
    return new FleetBoard(1, 0, all, FleetSums.of(all.values()));
  }

  private static FleetColumn live(String name, InstanceRows rows) {
    return new FleetColumn(
        new FleetColumn.Head(name, PANEL, /* live= */ true, null, name), rows.cells(), 0);
  }

  private static FleetColumn stale(String name, InstanceRows rows) {
    return new FleetColumn(
        new FleetColumn.Head(name, PANEL, /* live= */ false, "gone", name), rows.cells(), 0);
  }

  private static String text(FleetBoard.Change change) {
    return new String(Json.bytes(change::writeTo), StandardCharsets.UTF_8);
  }

  private static RemoteEvent event(RemoteBreaker... rows) {
    return new RemoteEvent("i", List.of(rows), List.of());
  }

  private static RemoteBreaker row(String name, State state, long failed) {
    return new RemoteBreaker(name, state, 0, null, 100, 0, 0, 3, new Counts(0, failed, 0));
  }

  private static RemoteBreaker row(
      String name, State state, long failed, long inStateFor, long remaining) {
    return new RemoteBreaker(
        name,
        state,
        inStateFor * 1_000_000,
        remaining * 1_000_000,
        0,
        1,
        1,
        3,
        new Counts(0, failed, 0));
  }
}
