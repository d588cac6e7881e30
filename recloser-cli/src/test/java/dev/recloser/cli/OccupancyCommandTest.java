package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class OccupancyCommandTest {
  private final StringWriter out = new StringWriter();

  @Test
  void the_arithmetic_is_that_of_the_worked_example() {
    assertThat(run("--rate 1000 --latency 50 --pool 200 --slow 5000 --timeout 200")).isZero();

    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            """
            1,000 calls a second, 200 workers; busy workers = calls a second x seconds a call

            healthy, 50 ms               [##########..............................] 50 of 200 busy, at most 4,000 calls a second
            slow, 5,000 ms               [########################################] 200 of 200 busy, at most 40 calls a second
                                         5,000 needed, all busy after 200 ms
            with a timeout, 200 ms       [########################################] 200 of 200 busy, at most 1,000 calls a second
                                         200 needed, all busy after 200 ms
            with the breaker open        [........................................] about 0 of 200 busy: refused in microseconds, a few probes aside

            All workers are busy when calls take 200 ms.

            Busy workers after calls began to take 200 ms:
                    0 ms [##########..............................] 50
                   25 ms [##########..............................] 50
                   50 ms [##########..............................] 50
                   75 ms [###############.........................] 75
                  100 ms [####################....................] 100
                  125 ms [#########################...............] 125
                  150 ms [##############################..........] 150
                  175 ms [###################################.....] 175
                  200 ms [########################################] 200
                  225 ms [########################################] 200
                  250 ms [########################################] 200
            """);
  }

  @Test
  void without_trouble_there_is_only_the_usual_day() {
    assertThat(run("--rate 5 --latency 50 --pool 10")).isZero();

    assertThat(out.toString())
        .contains("0.3 of 10 busy, at most 200 calls a second")
        .contains("All workers are busy when calls take 2,000 ms.")
        .doesNotContain("slow", "timeout", "breaker");
  }

  @Test
  void a_timeout_that_is_longer_than_slow_calls_changes_nothing() {
    assertThat(run("--rate 100 --latency 10 --pool 50 --slow 200 --timeout 1000")).isZero();

    assertThat(out.toString())
        .contains(
            "with a timeout, 1,000 ms     [################........................] 20 of 50 busy",
            "it never acts, for slow calls end before it",
            "Busy workers after calls began to take 200 ms:");
  }

  private int run(String arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .execute(("occupancy " + arguments).split(" ", -1));
  }
}
