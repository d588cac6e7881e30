package dev.recloser.cli;

import dev.recloser.lab.RecordedCall;
import dev.recloser.lab.Trace;
import dev.recloser.lab.TraceNotes;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows how far a long replay has come: rows, rows a second, bytes, and the time left where the
 * size of the file is known. One that is done within a second shows nothing.
 */
final class ReplayProgress implements AutoCloseable {
  private static final long PATIENCE_NANOS = 1_000_000_000L;
  private static final int WIDTH = 79;
  private static final long MEGABYTE = 1_000_000;

  /** Rows between two looks at the clock, of which a fast replay has a few hundred a second. */
  private static final int STRIDE = 1 << 12;

  private final StatusLine line;
  private final long size;
  private final LongSupplier nanoTime;
  private final long started;
  private long bytes;
  private long rows;
  private @Nullable ProgressBar bar;

  /**
   * Creates one.
   *
   * @param size bytes of the file, before decompression; -1 if it is not known
   * @param nanoTime tells the time
   */
  ReplayProgress(StatusLine line, long size, LongSupplier nanoTime) {
    this.line = line;
    this.size = size;
    this.nanoTime = nanoTime;
    started = nanoTime.getAsLong();
  }

  /** The same stream; what is read from it counts. */
  InputStream counting(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        int next = super.read();
        bytes += next < 0 ? 0 : 1;
        return next;
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        bytes += Math.max(0, count);
        return count;
      }
    };
  }

  /** The same trace; what it hands out counts. */
  Trace counting(Trace trace) {
    return new Trace() {
      @Override
      public @Nullable RecordedCall next() throws IOException {
        if (++rows % STRIDE == 0) {
          show();
        }
        return trace.next();
      }

      @Override
      public TraceNotes notes() {
        return trace.notes();
      }

      @Override
      public void close() throws IOException {
        trace.close();
      }
    };
  }

  private void show() {
    long elapsed = nanoTime.getAsLong() - started;
    if (elapsed < PATIENCE_NANOS) {
      return;
    }
    if (bar == null) {
      bar = bar(Duration.ofNanos(elapsed));
    }
    double seconds = elapsed / 1e9;
    bar.stepTo(bytes);
    bar.setExtraMessage(String.format(Locale.ROOT, " %,d rows, %,.0f/s", rows, rows / seconds));
  }

  private ProgressBar bar(Duration elapsed) {
    return new ProgressBarBuilder()
        .setTaskName("replay")
        .setInitialMax(size)
        .setUnit(" MB", MEGABYTE)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(500)
        .setConsumer(new DelegatingProgressBarConsumer(line::draw, WIDTH))
        .startsFrom(0, elapsed)
        .build();
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
    line.clear();
  }
}
