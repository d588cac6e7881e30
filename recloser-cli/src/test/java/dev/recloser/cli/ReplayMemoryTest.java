package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of a replay grows with the calls in flight, not with the rows. */
final class ReplayMemoryTest {
  private static final int ROWS = 1_000_000;

  @TempDir private Path folder;

  @Test
  void a_million_rows_fit_into_a_heap_that_could_not_hold_them() throws Exception {
    Path trace = trace();
    Path config = Files.writeString(folder.resolve("breaker.yml"), "slidingWindowSize: 20\n");
    Path report = folder.resolve("report.txt");

    Process replay =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx24m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.recloser.cli.Main",
                "replay",
                "--config",
                config.toString(),
                "--trace",
                trace.toString())
            .redirectErrorStream(true)
            .redirectOutput(report.toFile())
            .start();

    assertThat(replay.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(report)).contains("calls").contains("1,000,000");
    assertThat(replay.exitValue()).isZero();
  }

  private Path trace() throws IOException {
    Path trace = folder.resolve("trace.csv");
    try (BufferedWriter out = Files.newBufferedWriter(trace)) {
      out.write("at,duration,outcome,path\n");
      for (int row = 0; row < ROWS; row++) {
        out.write(row + "," + (row % 40) + "," + (row % 3 == 0 ? "503" : "ok") + ",/stock/" + row);
        out.newLine();
      }
    }
    return trace;
  }
}
