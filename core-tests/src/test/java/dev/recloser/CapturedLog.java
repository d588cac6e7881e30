package dev.recloser;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the core logs from now on, kept from the console; until it is closed. */
final class CapturedLog extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("dev.recloser");
  private final List<LogRecord> entries = new CopyOnWriteArrayList<>();

  CapturedLog() {
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  List<LogRecord> entries() {
    return entries;
  }

  @Override
  public void publish(LogRecord entry) {
    entries.add(entry);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
