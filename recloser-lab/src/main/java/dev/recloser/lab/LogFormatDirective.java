package dev.recloser.lab;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A format string of nginx as it is written in its configuration: in quotes, in several pieces
 * without anything between them, as a whole directive or without its head.
 *
 * <p>A directive's head tells that there are pieces, in quotes of both kinds. Without it only
 * single quotes do, since a format may itself begin and end with a field in double quotes.
 */
final class LogFormatDirective {
  private static final Pattern HEAD = Pattern.compile("log_format\\s+\\S+\\s+(?:escape=\\w+\\s+)?");
  private static final Pattern SINGLE_QUOTED = Pattern.compile("'((?:[^'\\\\]|\\\\.)*)'\\s*");
  private static final Pattern QUOTED =
      Pattern.compile("(?:'((?:[^'\\\\]|\\\\.)*)'|\"((?:[^\"\\\\]|\\\\.)*)\")\\s*");

  private LogFormatDirective() {}

  /**
   * The format string.
   *
   * @throws IllegalArgumentException if a directive has something else than quoted pieces
   */
  static String joined(String written) {
    String text = written.strip();
    Matcher head = HEAD.matcher(text);
    boolean isDirective = head.lookingAt();
    String pieces = isDirective ? text.substring(head.end()) : text;
    StringBuilder joined = new StringBuilder();
    Matcher piece = (isDirective ? QUOTED : SINGLE_QUOTED).matcher(pieces);
    int end = 0;
    while (piece.region(end, pieces.length()).lookingAt()) {
      String plain = piece.group(1);
      joined.append(unescaped(plain == null && isDirective ? piece.group(2) : plain));
      end = piece.end();
    }
    String rest = pieces.substring(end);
    if (end > 0 && (rest.isEmpty() || rest.equals(";"))) {
      return joined.toString();
    } else if (isDirective) {
      throw new IllegalArgumentException(
          Shown.value(rest) + " (expected: log_format NAME, then the format in quotes)");
    }
    return written;
  }

  /** nginx reads a quote or a backslash behind a backslash as itself. */
  private static String unescaped(String piece) {
    return piece.replaceAll("\\\\(['\"\\\\])", "$1");
  }
}
