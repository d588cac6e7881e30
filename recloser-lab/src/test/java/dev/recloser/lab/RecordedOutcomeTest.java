package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Outcome;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedOutcomeTest {
  private static final Set<Integer> HEALTHY_CLIENT_ERRORS = Set.of(404, 409, 410, 412);
  private static final Set<Integer> FAILURES_BELOW_500 = Set.of(408, 429);

  private final CircuitBreakerConfig config =
      CircuitBreakerConfig.of(
          builder ->
              builder
                  .recordExceptions(List.of("java.io.IOException", "com.shop.Broken", "503"))
                  .ignoreExceptions(
                      List.of("com.shop.Odd", "java.net.ProtocolException", "timeout", "500")));

  @ParameterizedTest
  @CsvSource({
    "ok, SUCCESS",
    "timeout, FAILURE",
    "cancelled, CANCELLED",
    "200, SUCCESS",
    "302, SUCCESS",
    "404, SUCCESS",
    "422, IGNORED",
    "429, FAILURE",
    "500, FAILURE",
    "501, IGNORED",
    "503, FAILURE"
  })
  void wordsAndStatusesMeanTheSameWhateverTheExceptionLists(String text, Outcome outcome) {
    assertThat(RecordedOutcome.parse(text).under(config)).isEqualTo(outcome);
    assertThat(RecordedOutcome.parse(text).under(CircuitBreakerConfig.defaults()))
        .isEqualTo(outcome);
  }

  @Test
  void everyStatusHasItsMeaning() {
    for (int status = 100; status < 600; status++) {
      Outcome expected;
      if (status < 400 || HEALTHY_CLIENT_ERRORS.contains(status)) {
        expected = Outcome.SUCCESS;
      } else if (FAILURES_BELOW_500.contains(status) || (status >= 500 && status != 501)) {
        expected = Outcome.FAILURE;
      } else {
        expected = Outcome.IGNORED;
      }
      assertThat(RecordedOutcome.parse("" + status).under(config))
          .as("status %d", status)
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "com.shop.Broken, FAILURE",
    "com.shop.Odd, IGNORED",
    "com.shop.Other, IGNORED",
    "java.io.IOException, FAILURE",
    "java.net.ConnectException, FAILURE",
    "java.net.ProtocolException, IGNORED",
    "java.lang.IllegalStateException, IGNORED",
    "java.util.concurrent.CancellationException, CANCELLED",
    "IOException, IGNORED"
  })
  void exceptionsAreJudgedByTheListsAndJdkClassesByTheirHierarchy(String text, Outcome outcome) {
    assertThat(RecordedOutcome.parse(text).under(config)).isEqualTo(outcome);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a.b", "com.shop.Outer$Inner", "Boom", "IOException", "_x.$y", "a.Ünicode"})
  void aClassNameIsAnException(String text) {
    RecordedOutcome outcome = RecordedOutcome.parse(text);
    assertThat(outcome.isException()).isTrue();
    assertThat(outcome.under(CircuitBreakerConfig.defaults())).isEqualTo(Outcome.FAILURE);
    assertThat(outcome).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Ok", "Cancelled", "error", "ERROR", "-1", "٢٠٠", "a-b.C", ".a", "1a.b"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> RecordedOutcome.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("outcome: %s (expected: %s)", text, RecordedOutcome.EXPECTED);
  }
}
