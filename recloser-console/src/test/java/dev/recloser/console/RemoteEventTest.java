package dev.recloser.console;

import static dev.recloser.console.Requests.breaker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.Policies;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class RemoteEventTest {
  @ParameterizedTest
  @EnumSource
  void what_a_panel_writes_is_read(State state) {
    Policies policies = Policies.create();
    Requests.succeed(breaker(policies, "grün \u2028 \"x\""), 2);
    Requests.fail(breaker(policies, "grün \u2028 \"x\""), 1);
    breaker(policies, "grün \u2028 \"x\"").transitionTo(state);
    ConsoleHandler panel = ConsoleHandler.create(policies);
    RemoteEvent event = parse(Requests.text(panel.answer(Requests.get("/api/breakers"))));
    assertThat(event.breakers())
        .singleElement()
        .satisfies(
            breaker -> {
              assertThat(breaker.name()).isEqualTo("grün \u2028 \"x\"");
              assertThat(breaker.state()).isEqualTo(state);
              assertThat(breaker.counts()).isEqualTo(new Counts(2, 1, 0));
              assertThat(breaker.admittedPercentage()).isBetween(0.0, 100.0);
              assertThat(breaker.transitions()).isEqualTo(state == State.CLOSED ? 0 : 1);
            });
    assertThat(event.instance()).hasSize(36);
  }

  @Test
  void what_later_versions_add_is_passed_over() {
    RemoteEvent event =
        parse(
            "{\"new\":{\"a\":[1,{}]},\"instance\":\"i\",\"breakers\":[{\"shape\":[1,2],"
                + "\"state\":\"OPEN\",\"remainingMillis\":1500.5,\"name\":\"a\"}],\"gone\":[\"b\"]}");
    assertThat(event.instance()).isEqualTo("i");
    assertThat(event.gone()).containsExactly("b");
    assertThat(event.breakers())
        .singleElement()
        .satisfies(
            breaker ->
                assertThat(breaker.remainingNanos())
                    .isEqualTo(Duration.ofNanos(1_500_500_000).toNanos()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          hello                                                            | not as documented
          []                                                               | no START_OBJECT at data
          {                                                                | not as documented
          {}                                                               | without instance
          {} {}                                                            | without instance
          {"instance":"i"} 1                                               | more than an object
          {"instance":1}                                                   | no VALUE_STRING at instance
          {"instance":"i","breakers":{}}                                   | no START_ARRAY at breakers
          {"instance":"i","breakers":[1]}                                  | no START_OBJECT at breakers
          {"instance":"i","breakers":[{"state":"OPEN"}]}                   | without name
          {"instance":"i","breakers":[{"name":"a"}]}                       | without state
          {"instance":"i","breakers":[{"name":"a","state":"AJAR"}]}        | the state "AJAR"
          {"instance":"i","breakers":[{"name":"a","state":"OPEN","failed":"many"}]} | not as documented
          {"instance":"i","breakers":[{"name":"a","state":"OPEN","failed":1e99}]}   | not as documented
          {"instance":"i","gone":[null]}                                   | no VALUE_STRING at gone
          {"instance":"i","x":[[[[[[[[[[[[[[]]]]]]]]]]]]]]}                | not as documented
          """)
  void anything_else_is_said_to_be_no_panel(String data, String words) {
    assertThatThrownBy(() -> parse(data))
        .isInstanceOf(FeedFault.class)
        .hasMessageStartingWith("not a panel of Recloser: ")
        .hasMessageContaining(words);
  }

  @Test
  void a_name_without_end_is_not_kept() {
    String name = "x".repeat(RemoteEvent.MOST_NAME + 1);
    assertThatThrownBy(() -> parse("{\"instance\":\"" + name + "\"}"))
        .isInstanceOf(FeedFault.class)
        .hasMessageContaining("not as documented");
  }

  @ParameterizedTest
  @CsvSource({"1e300", "-1e300", "-5", "9999999999999999999"})
  void times_that_cannot_be_are_cut(String millis) {
    RemoteEvent event =
        parse(
            "{\"instance\":\"i\",\"breakers\":[{\"name\":\"a\",\"state\":\"OPEN\",\"failed\":-3,"
                + "\"inStateForMillis\":"
                + millis
                + "}]}");
    assertThat(event.breakers().get(0).inStateForNanos())
        .isBetween(0L, Duration.ofDays(3_650).toNanos());
    assertThat(event.breakers().get(0).counts()).isEqualTo(Counts.NONE);
  }

  @Test
  void counts_that_cannot_be_are_cut_so_that_sums_are_none_either() {
    RemoteBreaker told =
        parse(
                "{\"instance\":\"i\",\"breakers\":[{\"name\":\"a\",\"state\":\"OPEN\","
                    + "\"callsInFlight\":9223372036854775807,\"failed\":9223372036854775807}]}")
            .breakers()
            .get(0);
    assertThat(told.callsInFlight() * Instances.MOST).isPositive();
    assertThat(told.counts().plus(told.counts()).failed()).isPositive();
  }

  private static RemoteEvent parse(String text) {
    return RemoteEvent.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
