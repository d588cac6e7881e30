package dev.recloser.lab;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Outcome;
import dev.recloser.http.HttpOutcomes;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a recorded call ended, as it was written down. Immutable. */
public final class RecordedOutcome {
  /** What {@link #parse} understands, for messages. */
  static final String EXPECTED =
      "ok, timeout, cancelled, an HTTP status from 100 to 599, or the class name of an exception";

  private static final Map<String, Outcome> WORDS =
      Map.of("ok", Outcome.SUCCESS, "timeout", Outcome.FAILURE, "cancelled", Outcome.CANCELLED);

  private final String text;

  /** Null for an exception: what that means depends on the configuration. */
  private final @Nullable Outcome fixed;

  private RecordedOutcome(String text, @Nullable Outcome fixed) {
    this.text = text;
    this.fixed = fixed;
  }

  /**
   * Reads an outcome.
   *
   * <ul>
   *   <li>{@code ok} is a success, {@code timeout} a failure, {@code cancelled} a call that its
   *       caller gave up.
   *   <li>An HTTP status, from 100 to 599, is what the {@linkplain HttpOutcomes table} says.
   *   <li>Anything else is the class name of an exception, judged by the exception lists of the
   *       configuration. A name without a package needs a capital and a small letter, so that a
   *       misspelled {@code OK} or {@code success} is not taken for an exception.
   * </ul>
   *
   * @param text an outcome as it stands in a trace
   * @throws IllegalArgumentException if it is none of these
   */
  public static RecordedOutcome parse(String text) {
    Outcome word = WORDS.get(text);
    if (word != null) {
      return new RecordedOutcome(text, word);
    }
    if (isStatus(text)) {
      return new RecordedOutcome(text, HttpOutcomes.defaults().ofStatus(Integer.parseInt(text)));
    }
    if (isClassName(text) && !WORDS.containsKey(text.toLowerCase(Locale.ROOT))) {
      return new RecordedOutcome(text, null);
    }
    throw new IllegalArgumentException("outcome: " + text + " (expected: " + EXPECTED + ")");
  }

  /** An outcome whose meaning is known by other signs than its text. */
  static RecordedOutcome of(String text, Outcome meaning) {
    return new RecordedOutcome(text, meaning);
  }

  /** As it was written down. */
  public String text() {
    return text;
  }

  /**
   * What it means.
   *
   * @param config whose exception lists judge it, if it is an exception; its predicates and
   *     classifier are not asked, as they need more than a name
   */
  public Outcome under(CircuitBreakerConfig config) {
    return fixed != null ? fixed : config.outcomeOfException(text);
  }

  /** Whether it means something else in different configurations. */
  boolean isException() {
    return fixed == null;
  }

  @Override
  public String toString() {
    return text;
  }

  static boolean isStatus(String text) {
    return text.length() == 3
        && isBetween(text.charAt(0), '1', '5')
        && isBetween(text.charAt(1), '0', '9')
        && isBetween(text.charAt(2), '0', '9');
  }

  private static boolean isBetween(char c, char first, char last) {
    return c >= first && c <= last;
  }

  private static boolean isClassName(String text) {
    boolean startsName = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean fits =
          startsName
              ? Character.isJavaIdentifierStart(c)
              : Character.isJavaIdentifierPart(c) || c == '.';
      if (!fits) {
        return false;
      }
      startsName = c == '.';
    }
    return !startsName && (text.indexOf('.') > 0 || hasBothCases(text));
  }

  private static boolean hasBothCases(String text) {
    return Character.isUpperCase(text.charAt(0)) && text.chars().anyMatch(Character::isLowerCase);
  }
}
