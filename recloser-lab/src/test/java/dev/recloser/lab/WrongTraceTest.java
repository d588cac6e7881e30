package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each wrong trace is told. */
class WrongTraceTest {
  private static final String COLUMNS =
      " (expected: one %s, in a header with at, duration and outcome, separated by commas)";
  private static final String AT =
      " (expected: milliseconds from the start, zero or more and at most 36,500 days)";
  private static final String FIRST_AT =
      " (expected: milliseconds from the start, zero or more and at most 36,500 days, or an"
          + " ISO-8601 instant such as 2026-01-31T12:00:00.5Z)";
  private static final String INSTANT =
      " (expected: an ISO-8601 instant as in the first row, no earlier and at most 36,500 days"
          + " later)";
  private static final String DURATION =
      " (expected: milliseconds, zero or more and at most 36,500 days)";
  private static final String OUTCOME =
      " (expected: ok, timeout, cancelled, an HTTP status from 100 to 599, or the class name of an"
          + " exception)";

  static Stream<Arguments> wrongHeaders() {
    return Stream.of(
        arguments("", "1: nothing (expected: a header with at, duration and outcome)"),
        arguments("\r\n \n", "2: nothing (expected: a header with at, duration and outcome)"),
        arguments("\uFEFF", "1: nothing (expected: a header with at, duration and outcome)"),
        arguments("0,10,ok\n", "1: columns: 0, 10, ok" + COLUMNS.formatted("at")),
        arguments("\nat,outcome\n", "2: columns: at, outcome" + COLUMNS.formatted("duration")),
        arguments("at,duration\n", "1: columns: at, duration" + COLUMNS.formatted("outcome")),
        arguments(
            "at;duration;outcome\n", "1: columns: at;duration;outcome" + COLUMNS.formatted("at")),
        arguments(
            "at\tduration\toutcome\n", "1: columns: at?duration?outcome" + COLUMNS.formatted("at")),
        arguments(
            "at,duration,At,outcome\n",
            "1: columns: at, duration, at, outcome" + COLUMNS.formatted("at")),
        arguments(
            "\"at,duration,outcome\n",
            "1: a quote is not closed (expected: \" at the end of the field)"));
  }

  static Stream<Arguments> wrongRows() {
    return Stream.of(
        arguments("1,2", "2: fields: 2 (expected: 3, as in the header)"),
        arguments("1,2,ok,more", "2: fields: 4 (expected: 3, as in the header)"),
        arguments("1,2,ok,", "2: fields: 4 (expected: 3, as in the header)"),
        arguments("one", "2: fields: 1 (expected: 3, as in the header)"),
        arguments(",2,ok", "2: at: nothing" + FIRST_AT),
        arguments("-1,2,ok", "2: at: -1" + FIRST_AT),
        arguments("NaN,2,ok", "2: at: NaN" + FIRST_AT),
        arguments("0x10,2,ok", "2: at: 0x10" + FIRST_AT),
        arguments("5ms,2,ok", "2: at: 5ms" + FIRST_AT),
        arguments("3153600000000.1,2,ok", "2: at: 3153600000000.1" + FIRST_AT),
        arguments("1e999999999,2,ok", "2: at: 1e999999999" + FIRST_AT),
        arguments("2026-01-31T12:00:00,2,ok", "2: at: 2026-01-31T12:00:00" + FIRST_AT),
        arguments("2026-01-31,2,ok", "2: at: 2026-01-31" + FIRST_AT),
        arguments("1,2,ok\n.,2,ok", "3: at: ." + AT),
        arguments("1,2,ok\n2026-01-31T12:00:00Z,2,ok", "3: at: 2026-01-31T12:00:00Z" + AT),
        arguments("2026-01-31T12:00:00Z,2,ok\n5,2,ok", "3: at: 5" + INSTANT),
        arguments(
            "2026-01-31T12:00:00Z,2,ok\n2026-01-31T11:59:59.9Z,2,ok",
            "3: at: 2026-01-31T11:59:59.9Z" + INSTANT),
        arguments(
            "2026-01-31T12:00:00Z,2,ok\n2226-01-31T12:00:00Z,2,ok",
            "3: at: 2226-01-31T12:00:00Z" + INSTANT),
        arguments(
            "1,2,ok\n\n5,2,ok\n4.999,2,ok",
            "5: at: 4.999 (expected: 5 or more, as in the row before)"),
        arguments("1,,ok", "2: duration: nothing" + DURATION),
        arguments("1,-0.5,ok", "2: duration: -0.5" + DURATION),
        arguments("1,Infinity,ok", "2: duration: Infinity" + DURATION),
        arguments("1,\"1,000\",ok", "2: duration: 1,000" + DURATION),
        arguments("1,3153600000001,ok", "2: duration: 3153600000001" + DURATION),
        arguments("1,200ms,ok", "2: duration: 200ms" + DURATION),
        arguments("1,1.2.3,ok", "2: duration: 1.2.3" + DURATION),
        arguments("1,2,", "2: outcome: nothing" + OUTCOME),
        arguments("1,2,OK", "2: outcome: OK" + OUTCOME),
        arguments("1,2,Timeout", "2: outcome: Timeout" + OUTCOME),
        arguments("1,2,success", "2: outcome: success" + OUTCOME),
        arguments("1,2,FAILURE", "2: outcome: FAILURE" + OUTCOME),
        arguments("1,2,20", "2: outcome: 20" + OUTCOME),
        arguments("1,2,099", "2: outcome: 099" + OUTCOME),
        arguments("1,2,600", "2: outcome: 600" + OUTCOME),
        arguments("1,2,2000", "2: outcome: 2000" + OUTCOME),
        arguments("1,2,java..IOException", "2: outcome: java..IOException" + OUTCOME),
        arguments("1,2,java.io.", "2: outcome: java.io." + OUTCOME),
        arguments("1,2,not found", "2: outcome: not found" + OUTCOME),
        arguments("1,2,\"a\nb\"", "2: outcome: a?b" + OUTCOME),
        arguments("1,2," + "x".repeat(99), "2: outcome: " + "x".repeat(60) + "..." + OUTCOME),
        arguments("1,2,\"ok", "2: a quote is not closed (expected: \" at the end of the field)"),
        arguments(
            "1,2,\"ok\"x",
            "2: a closing quote is followed by x (expected: a comma, or \"\" for a quote)"));
  }

  @ParameterizedTest
  @MethodSource("wrongHeaders")
  void aWrongHeaderIsToldWhatIsWrongWithIt(String text, String message) {
    InvalidTraceException e =
        catchThrowableOfType(InvalidTraceException.class, () -> Traces.callsOf(text));
    assertThat(e).hasMessage("calls.csv:" + message);
  }

  @ParameterizedTest
  @MethodSource("wrongRows")
  void aWrongRowIsToldWhatIsWrongWithIt(String rows, String message) {
    InvalidTraceException e =
        catchThrowableOfType(
            InvalidTraceException.class,
            () -> Traces.callsOf("at,duration,outcome\n" + rows + "\n"));
    assertThat(e).hasMessage("calls.csv:" + message);
    assertThat(message).startsWith(e.line() + ": ");
  }
}
