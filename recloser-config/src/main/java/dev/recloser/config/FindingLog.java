package dev.recloser.config;

import dev.recloser.config.Finding.Severity;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Logs findings, each once though the same file is read again and again. Thread-safe. */
final class FindingLog {
  private static final System.Logger LOG = System.getLogger("dev.recloser.config");
  private static final int MOST_REMEMBERED = 1_000;

  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private FindingLog() {}

  /** Logs errors and warnings that no file silences, as warnings; notes are for who asks. */
  static void log(List<Finding> findings) {
    for (Finding finding : findings) {
      boolean matters = finding.severity() != Severity.NOTE && finding.silenced() == null;
      String text = finding.toString();
      if (matters && TOLD.size() < MOST_REMEMBERED && TOLD.add(text)) {
        LOG.log(Level.WARNING, text);
      }
    }
  }
}
