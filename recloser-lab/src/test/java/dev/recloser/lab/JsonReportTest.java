package dev.recloser.lab;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.TransitionCause;
import dev.recloser.WindowSnapshot;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonReportTest {
  private final CircuitBreakerConfig config =
      CircuitBreakerConfig.of(
          builder ->
              builder
                  .slidingWindowSize(3)
                  .minimumNumberOfCalls(2)
                  .failureRateThreshold(60)
                  .slowCallDurationThreshold(ofMillis(100))
                  .waitDurationInOpenState(ofSeconds(1))
                  .permittedNumberOfCallsInHalfOpenState(1));

  @Test
  void writesTransitionsAndTheSummaryOneObjectALine() throws IOException {
    assertThat(json(false, "0,0,ok", "1.25,0,500", "2,0.5,500", "3,7.000001,ok", "1002.5,10,ok"))
        .isEqualTo(
            """
            {"type":"transition","at":2.5,"from":"CLOSED","to":"OPEN","cause":"FAILURE_RATE",\
            "reason":"%s",\
            "failureRate":66.66666666666667,"slowCallRate":0,"calls":3,"waitMs":1000}
            {"type":"transition","at":1002.5,"from":"OPEN","to":"HALF_OPEN","cause":"WAIT_ELAPSED",\
            "reason":"the wait of 1 s is over",\
            "failureRate":66.66666666666667,"slowCallRate":0,"calls":3,"waitMs":null}
            {"type":"transition","at":1012.5,"from":"HALF_OPEN","to":"CLOSED",\
            "cause":"PROBES_SUCCEEDED","reason":"1 of 1 probe succeeded",\
            "failureRate":0,"slowCallRate":0,"calls":1,"waitMs":null}
            {"type":"summary","calls":5,"admitted":4,\
            "refused":{"OPEN":1,"HALF_OPEN":0,"FORCED_OPEN":0,"RAMP_UP":0},\
            "succeeded":2,"failed":2,"ignored":0,"cancelled":0,"slow":0,"late":0,\
            "timeInState":{"CLOSED":2.5,"OPEN":1000,"HALF_OPEN":10,"FORCED_OPEN":0,"DISABLED":0,\
            "METRICS_ONLY":0},\
            "refusedThatWouldHaveFailed":0,"refusedThatWouldHaveSucceeded":1,\
            "busyMsSpared":7.000001}
            """
                .formatted(openingReason()));
  }

  @Test
  void writesCallsAfterTheTransitionsTheirArrivalCaused() throws IOException {
    assertThat(json(true, "0,0,500", "0,0,500", "0.000001,5,ok", "123456789,0,ok"))
        .contains(
            """
            {"type":"call","row":3,"at":0.000001,"admitted":false,"state":"OPEN"}
            {"type":"transition","at":123456789,"from":"OPEN","to":"HALF_OPEN",""")
        .contains(
            """
            {"type":"call","row":4,"at":123456789,"admitted":true,"state":"HALF_OPEN"}
            {"type":"transition","at":123456789,"from":"HALF_OPEN","to":"CLOSED",""")
        .startsWith(
            """
            {"type":"call","row":1,"at":0,"admitted":true,"state":"CLOSED"}
            """);
  }

  @Test
  void aRateOfNoCallsIsNull() throws IOException {
    assertThat(json(false, "0,500,ok", "0,500,ok"))
        .startsWith(
            "{\"type\":\"transition\",\"at\":100.000001,\"from\":\"CLOSED\",\"to\":\"OPEN\","
                + "\"cause\":\"SLOW_CALL_RATE\",")
        .contains("\"failureRate\":null,\"slowCallRate\":100,\"calls\":0,\"waitMs\":1000}\n");
  }

  @Test
  void longTimesHaveNoExponent() throws IOException {
    String century = "3153600000000";
    assertThat(json(false, "0,0,500", "0,0,500", "1," + century + ",ok", "2," + century + ",ok"))
        .contains("\"busyMsSpared\":6307200000000}\n")
        .doesNotContain("E+");
  }

  @Test
  void aReportThatBreaksOffHasWholeLines() throws IOException {
    StringWriter out = new StringWriter();
    String[] rows = new String[1_000];
    Arrays.fill(rows, "1,0,ok");
    rows[999] = "huh";
    assertThatThrownBy(() -> Replay.run(config, Traces.of(rows), ReplayListener.json(out, true)))
        .isInstanceOf(InvalidTraceException.class);
    assertThat(out.toString().lines()).hasSize(999);
    assertThat(out.toString())
        .endsWith(
            "{\"type\":\"call\",\"row\":999,\"at\":1,\"admitted\":true,\"state\":\"CLOSED\"}\n");
  }

  @Test
  void aWriterThatFailsFailsTheReplay() {
    IOException full = new IOException("disk full");
    Writer failing =
        new FilterWriter(new StringWriter()) {
          @Override
          public void write(char[] chars, int offset, int length) throws IOException {
            throw full;
          }
        };
    assertThatThrownBy(() -> Replay.run(config, Traces.of(), ReplayListener.json(failing, false)))
        .isSameAs(full);
  }

  @Test
  void whatIsNotAsciiIsEscaped() throws IOException {
    StringWriter out = new StringWriter();
    ReplayListener json = ReplayListener.json(out, false);
    json.transition(
        new StateTransition(
            "b",
            1,
            0,
            State.CLOSED,
            State.OPEN,
            TransitionCause.OPERATOR,
            "\u00fc \"x\"",
            new WindowSnapshot(0, 0, 0, 0, 0, 1, 50, 100),
            List.of(),
            null,
            null,
            1));
    assertThat(out.toString()).contains("\"reason\":\"\\u00FC \\\"x\\\"\"");
  }

  private String json(boolean calls, String... rows) throws IOException {
    StringWriter out = new StringWriter();
    Replay.run(config, Traces.of(rows), ReplayListener.json(out, calls));
    return out.toString();
  }

  /** In the words of the breaker, which are for people and not for this test to settle. */
  private String openingReason() throws IOException {
    StringBuilder reason = new StringBuilder();
    Replay.run(
        config,
        Traces.of("0,0,ok", "1.25,0,500", "2,0.5,500"),
        new ReplayListener() {
          @Override
          public void transition(StateTransition transition) {
            reason.append(transition.reason());
          }
        });
    return reason.toString();
  }
}
