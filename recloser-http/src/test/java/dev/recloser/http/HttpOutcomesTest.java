package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallRefusedIoException;
import dev.recloser.CallRejectedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Outcome;
import dev.recloser.PolicyEvent.UserCodeFailed;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an answer says about the dependency, and how that is changed. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class HttpOutcomesTest {
  private static final class Rejection extends CallRejectedException {
    private static final long serialVersionUID = 1L;

    Rejection() {
      super("full", /* writableStackTrace= */ false);
    }

    @Override
    public String policy() {
      return "pool";
    }
  }

  @ParameterizedTest
  @CsvSource({
    "100, SUCCESS", "101, SUCCESS", "200, SUCCESS", "204, SUCCESS", "301, SUCCESS",
    "304, SUCCESS", "399, SUCCESS", "400, IGNORED", "401, IGNORED", "403, IGNORED",
    "404, SUCCESS", "405, IGNORED", "408, FAILURE", "409, SUCCESS", "410, SUCCESS",
    "411, IGNORED", "412, SUCCESS", "413, IGNORED", "422, IGNORED", "425, IGNORED",
    "429, FAILURE", "451, IGNORED", "499, IGNORED", "500, FAILURE", "501, IGNORED",
    "502, FAILURE", "503, FAILURE", "504, FAILURE", "599, FAILURE", "600, FAILURE",
    "999, FAILURE", "1000, FAILURE", "99, FAILURE", "0, FAILURE", "-1, FAILURE"
  })
  void by_default(int status, Outcome outcome) {
    assertThat(HttpOutcomes.defaults().ofStatus(status)).isEqualTo(outcome);
    assertThat(HttpOutcomes.defaults().of(answer(status))).isEqualTo(outcome);
    assertThat(HttpOutcomes.defaults().classify(answer(status), null)).isEqualTo(outcome);
  }

  @Test
  void by_default_every_status_of_a_range_means_the_same_but_for_those_that_are_named() {
    assertThat(statuses(400, 499, Outcome.SUCCESS)).containsExactly(404, 409, 410, 412);
    assertThat(statuses(400, 499, Outcome.FAILURE)).containsExactly(408, 429);
    assertThat(statuses(500, 599, Outcome.IGNORED)).containsExactly(501);
    assertThat(statuses(100, 399, Outcome.SUCCESS)).hasSize(300);
  }

  @Test
  void every_row_can_be_changed_and_the_last_word_counts() {
    HttpOutcomes table =
        HttpOutcomes.of(
            rows ->
                rows.statuses(400, 499, Outcome.FAILURE)
                    .status(404, Outcome.IGNORED)
                    .status(100, Outcome.FAILURE)
                    .status(999, Outcome.SUCCESS));

    assertThat(table.ofStatus(403)).isEqualTo(Outcome.FAILURE);
    assertThat(table.ofStatus(404)).isEqualTo(Outcome.IGNORED);
    assertThat(table.ofStatus(100)).isEqualTo(Outcome.FAILURE);
    assertThat(table.ofStatus(999)).isEqualTo(Outcome.SUCCESS);
    assertThat(table.with(rows -> rows.status(404, Outcome.SUCCESS)).ofStatus(404))
        .isEqualTo(Outcome.SUCCESS);
    assertThat(table.ofStatus(404)).as("the one it was made from").isEqualTo(Outcome.IGNORED);
    assertThat(HttpOutcomes.defaults().ofStatus(403)).as("the defaults").isEqualTo(Outcome.IGNORED);
  }

  @Test
  void a_header_comes_before_the_status_and_the_last_written_before_others() {
    HttpOutcomes table =
        HttpOutcomes.of(
            rows ->
                rows.header("X-Degraded", value -> true, Outcome.FAILURE)
                    .header("x-degraded", value -> value.equals("a little"), Outcome.IGNORED));

    assertThat(table.of(answer(200))).isEqualTo(Outcome.SUCCESS);
    assertThat(table.of(answer(200, "X-Degraded", "very"))).isEqualTo(Outcome.FAILURE);
    assertThat(table.of(answer(503, "X-Degraded", "a little"))).isEqualTo(Outcome.IGNORED);
  }

  @Test
  void a_body_is_asked_where_the_head_is_a_success() {
    HttpOutcomes table =
        HttpOutcomes.of(
            rows ->
                rows.body(text -> text.contains("error"), Outcome.FAILURE)
                    .body(text -> text.contains("bad request"), Outcome.IGNORED));

    assertThat(table.of(answer(200), "fine")).isEqualTo(Outcome.SUCCESS);
    assertThat(table.of(answer(200), "an error")).isEqualTo(Outcome.FAILURE);
    assertThat(table.of(answer(200), "error: bad request")).isEqualTo(Outcome.IGNORED);
    assertThat(table.of(answer(400), "an error")).isEqualTo(Outcome.IGNORED);
    assertThat(table.of(answer(200), null)).as("unknown").isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void an_exception_has_the_row_that_was_written_last_for_it_or_none() {
    HttpOutcomes table =
        HttpOutcomes.of(
            rows ->
                rows.exception(IOException.class, Outcome.FAILURE)
                    .exception(ConnectException.class, Outcome.IGNORED));

    assertThat(table.classify(null, new ConnectException())).isEqualTo(Outcome.IGNORED);
    assertThat(table.classify(null, new HttpTimeoutException(""))).isEqualTo(Outcome.FAILURE);
    assertThat(table.classify(null, new IllegalStateException())).isNull();
    assertThat(HttpOutcomes.defaults().classify(null, new ConnectException())).isNull();
  }

  @Test
  void a_refusal_by_a_guard_inside_is_no_failure_of_the_network() {
    HttpGuard guard =
        HttpGuard.create(
            calls -> calls.outcomes(rows -> rows.exception(IOException.class, Outcome.FAILURE)));
    HttpCall call = HttpCall.of("GET", URI.create("http://inventory/"), name -> List.of());

    guard.acquire(call).fail(new CallRefusedIoException(new Rejection()));

    assertThat(guard.circuitBreaker(call).metrics().ignored()).isOne();
  }

  @Test
  void cancellations_and_refusals_are_meant_only_by_name() {
    HttpOutcomes all = HttpOutcomes.of(rows -> rows.exception(Throwable.class, Outcome.FAILURE));
    HttpOutcomes named =
        HttpOutcomes.of(
            rows ->
                rows.exception(CancellationException.class, Outcome.FAILURE)
                    .exception(InterruptedException.class, Outcome.IGNORED)
                    .exception(CallRejectedException.class, Outcome.SUCCESS));

    for (Throwable special :
        List.of(new CancellationException(), new InterruptedException(), new Rejection())) {
      assertThat(all.classify(null, special)).as(special.toString()).isNull();
      assertThat(named.classify(null, special)).as(special.toString()).isNotNull();
    }
    assertThat(all.classify(null, new Error())).isEqualTo(Outcome.FAILURE);
  }

  @Test
  void it_has_no_opinion_on_other_results() {
    assertThat(HttpOutcomes.defaults().classify("text", null)).isNull();
    assertThat(HttpOutcomes.defaults().classify(null, null)).isNull();
    assertThat(HttpOutcomes.defaults().isFailure("text")).isFalse();
    assertThat(HttpOutcomes.defaults().isFailure(answer(503))).isTrue();
    assertThat(HttpOutcomes.defaults().retryAfter("text", null)).isNull();
    assertThat(HttpOutcomes.defaults().retryAfter(null, new IOException())).isNull();
  }

  @Test
  void it_is_a_classifier_for_a_breaker_of_ones_own() {
    HttpOutcomes table = HttpOutcomes.defaults();
    CircuitBreaker breaker =
        CircuitBreaker.create(
            "inventory",
            config -> config.slidingWindowSize(1).classifier(table).retryAfter(table::retryAfter));

    breaker.acquire().complete(answer(503, "Retry-After", "120"));

    assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.OPEN);
    assertThat(breaker.snapshot().remaining()).isGreaterThan(Duration.ofSeconds(100));
  }

  @Test
  void a_row_that_throws_is_a_failure_and_is_told() {
    HttpGuard guard =
        HttpGuard.create(
            calls ->
                calls.outcomes(
                    rows ->
                        rows.header(
                            "X-Load",
                            value -> {
                              throw new IllegalStateException("row");
                            },
                            Outcome.IGNORED)));
    HttpCall call = HttpCallTest.call("GET", "http://inventory/stock");
    CircuitBreaker breaker = guard.circuitBreaker(call);
    RecordingListener events = RecordingListener.on(breaker);

    guard.acquire(call).answered(answer(200, "X-Load", "9"));

    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(events.of(UserCodeFailed.class))
        .singleElement()
        .satisfies(event -> assertThat(event.thrown()).hasMessage("row"));
  }

  @Test
  void all_wrong_rows_are_told_at_once() {
    assertThatThrownBy(
            () ->
                HttpOutcomes.of(
                    rows ->
                        rows.status(99, Outcome.FAILURE)
                            .status(1000, Outcome.FAILURE)
                            .statuses(500, 400, Outcome.FAILURE)
                            .status(404, Outcome.CANCELLED)
                            .header(" ", value -> true, Outcome.FAILURE)
                            .header("bad header\n", value -> true, Outcome.FAILURE)
                            .header("X-A", value -> true, Outcome.CANCELLED)
                            .body(text -> true, Outcome.CANCELLED)
                            .bodyLimit(0)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            """
            The table of HTTP answers cannot be configured like this:
              - status: 99 (expected: 100 to 999)
              - status: 1000 (expected: 100 to 999)
              - statuses: 500 to 400 (expected: 100 to 999, the smaller one first)
              - status 404: CANCELLED (expected: SUCCESS, FAILURE or IGNORED; no answer cancels a call)
              - header: " " (expected: a token of RFC 9110, for example X-Degraded)
              - header: "bad header?" (expected: a token of RFC 9110, for example X-Degraded)
              - header X-A: CANCELLED (expected: SUCCESS, FAILURE or IGNORED; no answer cancels a call)
              - body: CANCELLED (expected: SUCCESS, FAILURE or IGNORED; no answer cancels a call)
              - bodyLimit: 0 (expected: 1 to 1048576 bytes)""");
  }

  static HttpAnswer answer(int status, String... headers) {
    return HttpAnswer.of(
        status,
        name ->
            IntStream.range(0, headers.length / 2)
                .filter(i -> headers[2 * i].equalsIgnoreCase(name))
                .mapToObj(i -> headers[2 * i + 1])
                .toList());
  }

  private static List<Integer> statuses(int first, int last, Outcome outcome) {
    return IntStream.rangeClosed(first, last)
        .filter(status -> HttpOutcomes.defaults().ofStatus(status) == outcome)
        .boxed()
        .toList();
  }
}
