package dev.recloser.config;

import dev.recloser.config.Finding.Severity;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Logs findings, each once though the same file is read again and again, with more or fewer lines
 * above. Thread-safe.
 */
final class FindingLog {
  private static final System.Logger LOG = System.getLogger("dev.recloser.config");
  private static final int MOST_REMEMBERED = 1_000;

  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private FindingLog() {}

  /**
   * Logs errors and warnings that no file silences, as warnings; notes are for who asks. Never
   * throws: no application stops because of what is only advice.
   */
  static void log(Supplier<List<Finding>> findings) {
    try {
      findings.get().forEach(FindingLog::log);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "Mistakes in the configuration cannot be looked for", e);
    }
  }

  private static void log(Finding finding) {
    boolean matters = finding.severity() != Severity.NOTE && finding.silenced() == null;
    if (matters && TOLD.size() < MOST_REMEMBERED && TOLD.add(finding.atLine(0).toString())) {
      LOG.log(Level.WARNING, finding.toString());
    }
  }
}
