package dev.recloser.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Programs of the distribution. */
final class Tool {
  /** The folder with the rules and the dashboard. */
  static final Path FOLDER = Path.of("").toAbsolutePath();

  private Tool() {}

  /** Runs a program to its end, which must be a good one; returns what it printed. */
  static String run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(List.of(command))
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }
}
