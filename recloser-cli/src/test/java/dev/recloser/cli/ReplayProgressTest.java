package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.lab.RecordedCall;
import dev.recloser.lab.RecordedOutcome;
import dev.recloser.lab.Trace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ReplayProgressTest {
  private static final RecordedOutcome OK = RecordedOutcome.parse("ok");

  private final StringWriter terminal = new StringWriter();
  private final StatusLine line = new StatusLine(new PrintWriter(terminal));
  private long now = -5;

  @Test
  void a_short_replay_shows_nothing() throws IOException {
    try (ReplayProgress progress = new ReplayProgress(line, 1_000, () -> now)) {
      now += Duration.ofMillis(999).toNanos();
      read(progress.counting(new Calls()), 100_000);
    }
    assertThat(terminal.toString()).isEmpty();
  }

  @Test
  void a_long_replay_shows_rows_rate_and_share_and_leaves_nothing_behind() throws IOException {
    try (ReplayProgress progress = new ReplayProgress(line, 40_000_000, () -> now)) {
      InputStream in = progress.counting(new ByteArrayInputStream(new byte[10_000_000]));
      Trace calls = progress.counting(new Calls());
      in.readAllBytes();
      now += Duration.ofSeconds(2).toNanos();
      read(calls, 8_192);
    }
    assertThat(terminal.toString())
        .contains("replay  25% [")
        .contains("10/40 MB")
        .contains("8,192 rows, 4,096/s")
        .endsWith("\r\u001b[K");
  }

  @Test
  void the_length_of_standard_input_is_not_known() throws IOException {
    try (ReplayProgress progress = new ReplayProgress(line, -1, () -> now)) {
      now += Duration.ofSeconds(2).toNanos();
      read(progress.counting(new Calls()), 8_192);
    }
    assertThat(terminal.toString()).contains("8,192 rows, 4,096/s");
  }

  @Test
  void a_report_goes_above_the_line() throws IOException {
    Writer report = line.above(terminal);
    line.draw("replay 25%");
    report.write("a transition\n");
    report.write("another\n");
    assertThat(terminal.toString())
        .isEqualTo("\r\u001b[Kreplay 25%\r\u001b[Ka transition\nanother\n");
  }

  private static void read(Trace trace, int rows) throws IOException {
    for (int i = 0; i < rows; i++) {
      assertThat(trace.next()).isNotNull();
    }
  }

  /** Calls without end. */
  private static final class Calls implements Trace {
    private long row;

    @Override
    public RecordedCall next() {
      return new RecordedCall(++row, row, 0, OK);
    }

    @Override
    public void close() {}
  }
}
