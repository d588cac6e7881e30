package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.cli.DemoResult.BreakerStory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DemoReportTest {
  @Test
  void puts_both_runs_side_by_side() {
    assertThat(report(SampleResults.without(), SampleResults.with()))
        .isEqualTo(
            """

            Busy workers over time, from none (blank) to all (@)

                                              |healthy    |sick                   |recovered
              without a breaker               ............@@@@@@@@@@@@@@@@@@@@@@@@........................
              with a breaker                  ............++++++++++++++++++++++++........................
              the breaker: c closed, O open,  ccccccccccccOOOOOOOOOOOOOOOOOOOOOOOOcccrrrrrrrrrrrrrrrrrrrrr
                h half-open, r ramp-up

            Side by side                                          without a breaker         with a breaker

              orders sent                                                       800                    800
                answered in full                                                540                    420
                answered, stock to be confirmed                                 160                    380
                turned away, workers and queue full                              99                      0
                failed otherwise                                                  1                      0
                answered within 500 ms                                   520  (65%)             780  (97%)
                an answer took, p50 / p99                          21 ms / 1,190 ms       17 ms / 1,002 ms

              catalog pages asked for                                           400                    400
                answered                                                        350                    400
                turned away, workers and queue full                              50                      0
                failed otherwise                                                  0                      0
                answered within 500 ms                                   340  (85%)            400  (100%)
                an answer took, p50 / p99                           2.0 ms / 480 ms        1.0 ms / 4.0 ms

              busy workers at the worst moment                             40 of 40               24 of 40
                by Little's law                                  80/s x 0.75 s = 60     80/s x 0.30 s = 24
              inventory calls made                                              700                    450
                of them failed                                                  160                     30
              inventory calls spared                                              0                    350
              worker-seconds spent waiting for inventory                      158.5                   30.5

              Little's law: busy workers = arrivals per second x time each holds a worker. Without a breaker
              that is the time a call to the sick inventory takes; with one, the time until it opened.
              The breaker opened 300 ms after inventory turned sick, when its first slow call had been running
              for 290 ms: 710 ms before the first timeout could come.
              It opened 3 times, closed again once, and was open for 3.0 s in all.
              The difference it made: +260 orders and +60 catalog pages answered within 500 ms, and -128.0
              worker-seconds of waiting.
            """);
  }

  @Test
  void says_when_the_breaker_never_opened() {
    assertThat(
            report(
                SampleResults.without(),
                told(new BreakerStory(0, 0, 0, Duration.ZERO, null, null))))
        .contains("The breaker did not open while inventory was sick.")
        .contains("It opened 0 times, closed again 0 times");
  }

  @Test
  void does_not_claim_to_be_ahead_of_timeouts_that_had_come() {
    Duration late = Duration.ofMillis(1_200);

    assertThat(report(SampleResults.without(), told(new BreakerStory(1, 1, 9, late, late, late))))
        .contains("running\n  for 1,200 ms.")
        .doesNotContain("before the first timeout");
  }

  private static DemoResult told(BreakerStory story) {
    DemoResult with = SampleResults.with();
    return new DemoResult(
        with.plan(), with.counts(), with.orders(), with.pages(), with.samples(), story);
  }

  private static String report(DemoResult without, DemoResult with) {
    return String.join("\n", DemoReport.of(without, with)) + "\n";
  }
}
