package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "at,duration,outcome\n1.5,20,ok\n",
        "outcome,at,duration\nok,1.5,20\n",
        "method,at,path,duration,outcome,id\nGET,1.5,/a,20,ok,\n",
        " At , DURATION,\tOutcome\n 1.5 , 20 ,\tok\n",
        "\uFEFFat,duration,outcome\r\n1.5,20,ok\r\n\r\n\r\n",
        "\n\n\"at\",\"duration\",\"outcome\"\n\"1.5\",\"20\",\"ok\"",
        "at,duration,outcome,path\n01.50,20.0,ok,\"/a,b\"\"\n\"",
        "at,duration,outcome\n+1.5,2e1,ok\n"
      })
  void theSameCallCanBeWrittenInManyWays(String text) throws IOException {
    assertThat(Traces.callsOf(text))
        .singleElement()
        .satisfies(
            call -> {
              assertThat(call.row()).isEqualTo(1);
              assertThat(call.atNanos()).isEqualTo(1_500_000);
              assertThat(call.durationNanos()).isEqualTo(20_000_000);
              assertThat(call.outcome().text()).isEqualTo("ok");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "1, 1000000",
    "1., 1000000",
    ".25, 250000",
    "0.000001, 1",
    "0.0000019, 1",
    "0.0000009, 0",
    "1e-9, 0",
    "1E3, 1000000000",
    "123456789.123456, 123456789123456",
    "1234567890123.456789, 1234567890123456789",
    "0000000000000001, 1000000",
    "3153600000000, 3153600000000000000"
  })
  void aTimeInMillisecondsIsExactToTheNanosecondAndCutThere(String text, long nanos)
      throws IOException {
    assertThat(Traces.callsOf("at,duration,outcome\n0," + text + ",ok"))
        .extracting(RecordedCall::durationNanos)
        .containsExactly(nanos);
  }

  @ParameterizedTest
  @CsvSource({
    "1796027020, 1796027020.5, 1796027022",
    "1796027020000, 1796027020500, 1796027022000.0"
  })
  void numbersSince1970AreCountedFromTheFirstRow(String first, String second, String third)
      throws IOException {
    String text =
        "at,duration,outcome\n%s,1,ok\n%s,1,ok\n%s,1,ok\n".formatted(first, second, third);

    assertThat(Traces.callsOf(text))
        .extracting(RecordedCall::atNanos)
        .containsExactly(0L, 500_000_000L, 2_000_000_000L);
  }

  @Test
  void numbersSince1970StaySo() {
    assertThatThrownBy(
            () -> Traces.callsOf("at,duration,outcome\n1796027020,1,ok\n1796027019,1,ok\n"))
        .hasMessageEndingWith(
            "at: 1796027019 (expected: seconds since 1970, no less than in the first row)");
  }

  @Test
  void instantsAreCountedFromTheFirstRow() throws IOException {
    String text =
        """
        at,duration,outcome
        2026-02-28T23:59:59.999999999Z,1,ok
        2026-03-01T00:00:00Z,1,ok
        2026-03-01T02:00:00.5+02:00,1,ok
        """;
    assertThat(Traces.callsOf(text))
        .extracting(RecordedCall::atNanos)
        .containsExactly(0L, 1L, 500_000_001L);
  }

  @Test
  void rowsAreNumberedWithoutTheHeaderAndBlankLines() throws IOException {
    assertThat(Traces.callsOf("at,duration,outcome\n\n1,1,ok\n\n2,1,ok\n"))
        .extracting(RecordedCall::row)
        .containsExactly(1L, 2L);
  }

  @Test
  void aHeaderWithoutRowsIsATraceOfNoCalls() throws IOException {
    assertThat(Traces.callsOf("at,duration,outcome")).isEmpty();
  }

  @Test
  void anIgnoredColumnNeedNotBeUtf8(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("calls.csv");
    byte[] text = "at,duration,outcome,name\n1,2,ok,Zoë\n".getBytes(StandardCharsets.ISO_8859_1);
    Files.write(file, text);
    try (Trace trace = Trace.csv(file)) {
      assertThat(trace.next()).isNotNull();
      assertThat(trace.next()).isNull();
    }
  }

  @Test
  void aFaultInAFileNamesTheFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("calls.csv"), "at,duration,outcome\n1,2,huh\n");
    try (Trace trace = Trace.csv(file)) {
      assertThatThrownBy(trace::next).hasMessageStartingWith(file + ":2: outcome: huh (expected");
    }
  }

  @Test
  void aFileThatIsMissingIsSaidToBe(@TempDir Path folder) {
    assertThatThrownBy(() -> Trace.csv(folder.resolve("calls.csv")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 3_153_600_000_000_000_001L, Long.MIN_VALUE, Long.MAX_VALUE})
  void aRecordedCallHasTimesThatCanBeAdded(long nanos) {
    RecordedOutcome ok = RecordedOutcome.parse("ok");
    assertThatThrownBy(() -> new RecordedCall(1, nanos, 0, ok))
        .hasMessage("atNanos: " + nanos + " (expected: zero or more, at most 3153600000000000000)");
    assertThatThrownBy(() -> new RecordedCall(1, 0, nanos, ok))
        .hasMessageStartingWith("durationNanos: " + nanos);
  }
}
