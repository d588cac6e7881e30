package dev.recloser.config;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something in a configuration that does not do what it is for, or does harm. {@link Lint} and
 * {@link PolicyConfigs#findings} find them.
 *
 * @param rule the id of the rule, which stays the same
 * @param severity how bad it is
 * @param file the file as it was named, or the source
 * @param line its line, from 1; 0 when it has none
 * @param key the key that it is about, with its path; empty when it is about the whole file
 * @param effect what will happen
 * @param reason why that is so, or why it matters; empty when the effect says it
 * @param advice what to write instead
 * @param silenced the reason that the file gives for wanting it so; null where it gives none
 */
public record Finding(
    String rule,
    Severity severity,
    String file,
    int line,
    String key,
    String effect,
    String reason,
    String advice,
    @Nullable String silenced) {
  /** Checks for null. */
  public Finding {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(effect, "effect");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(advice, "advice");
  }

  /** One line: {@code x.yml:7: warning: retry.instances.x.jitter: ... (no-jitter)}. */
  @Override
  public String toString() {
    return new Place(file, line)
        + ": "
        + severity.text()
        + ": "
        + (key.isEmpty() ? "" : key + ": ")
        + effect
        + (reason.isEmpty() ? "" : "; " + reason)
        + "; "
        + advice
        + " ("
        + rule
        + ")";
  }

  Finding silencedBy(String why) {
    return new Finding(rule, severity, file, line, key, effect, reason, advice, why);
  }

  /** The same at another line; 0 for none. */
  Finding atLine(int other) {
    return new Finding(rule, severity, file, other, key, effect, reason, advice, silenced);
  }

  /** How bad something is. */
  public enum Severity {
    /** It cannot work as it is. */
    ERROR,
    /** It works, and will do harm some day. */
    WARNING,
    /** It may be meant; worth a look. */
    NOTE;

    /** In small letters. */
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
