package dev.recloser.lab;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreakerConfig;
import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TextReportTest {
  private final CircuitBreakerConfig config =
      CircuitBreakerConfig.of(
          builder ->
              builder
                  .slidingWindowSize(ofSeconds(90))
                  .minimumNumberOfCalls(2)
                  .slowCallDurationThreshold(ofMillis(1500))
                  .slowCallRateThreshold(66.66)
                  .waitDurationInOpenState(ofSeconds(90))
                  .maxWaitDurationInHalfOpenState(ofSeconds(2))
                  .permittedNumberOfCallsInHalfOpenState(2));

  @Test
  void aTraceOfNoCallsHasAReport() throws IOException {
    assertThat(text(false))
        .isEqualTo(
            """
                  0:00.000  CLOSED
                  0:00.000  end

            calls                                 0
            admitted                              0
              succeeded                           0
              failed                              0
            refused                               0

            """);
  }

  @Test
  void longReasonsAreWrappedUnderTheirBeginning() throws IOException {
    String text = text(false, "0,2000,ok", "0,2000,ok", "0,2000,ok", "95000,0,ok");
    assertThat(text)
        .startsWith(
            """
                  0:00.000  CLOSED
                  0:01.500  OPEN          3 calls still running took longer than 1.5 s (100 % >= 66.66 %); waits
                                          1 min 30 s
                  1:35.000  HALF_OPEN     the wait of 1 min 30 s is over; for at most 2 s
            """);
    assertThat(text.lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void countsWhatWasAdmittedAndWhatWasRefusedAndWhy() throws IOException {
    assertThat(
            text(
                false,
                "0,10,500",
                "0,1600,500",
                "5,1,ok",
                "100,20,500",
                "200,30,ok",
                "300,50,500",
                "91600,1,cancelled",
                "91601,1,422",
                "91601,10,ok",
                "91601,10,ok",
                "91601,10,ok"))
        .endsWith(
            """
            calls                                11
            admitted                              6   54.5 %
              succeeded                           2   33.3 %
              failed                              2   33.3 %
              ignored                             1   16.7 %
              cancelled                           1   16.7 %
              slow                                1   16.7 %
              late                                1   16.7 %
            refused                               5   45.5 %  3 while OPEN, 2 while HALF_OPEN
              would have failed                   2   40.0 %
              would have succeeded                3   60.0 %
              busy time spared               120 ms

            CLOSED                            10 ms    0.0 %  #
            OPEN                         1 min 31 s  100.0 %  ########################################
            HALF_OPEN                         11 ms    0.0 %  #
            """);
  }

  @Test
  void callsHaveALineEachIfAskedFor() throws IOException {
    assertThat(text(true, "1,10,500", "2,5.5,503", "8,20,java.io.IOException"))
        .contains(
            """
                  0:00.000  CLOSED
                  0:00.001    row 1       admitted by CLOSED: 500 after 10 ms
                  0:00.002    row 2       admitted by CLOSED: 503 after 5.5 ms
                  0:00.008    row 3       admitted by CLOSED: java.io.IOException after 20 ms
                  0:00.011  OPEN          2 of the 2 calls of\
            """);
  }

  private String text(boolean calls, String... rows) throws IOException {
    StringWriter out = new StringWriter();
    Replay.run(config, Traces.of(rows), ReplayListener.text(out, calls));
    return out.toString();
  }
}
