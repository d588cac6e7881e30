package dev.recloser.config;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged while it is open. {@code System.Logger} writes to {@code java.util.logging}. */
final class LogLines implements AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger("dev.recloser.config");

  private final List<String> lines = new CopyOnWriteArrayList<>();

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          lines.add(entry.getLevel() + " " + entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  LogLines() {
    handler.setLevel(Level.ALL);
    LOGGER.addHandler(handler);
  }

  /** In their order, each with its level first. */
  List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    LOGGER.removeHandler(handler);
  }
}
