package dev.recloser.cli;

import java.io.Console;

/** Whether somebody looks at what is written. */
final class Terminals {
  /** Set by {@code bin/recloser}, which can tell even when the report goes to a file. */
  private static final String ERROR_IS_TERMINAL = "recloser.error.terminal";

  private Terminals() {}

  /** Whether standard error goes to a terminal. */
  static boolean isErrorTerminal() {
    return Boolean.getBoolean(ERROR_IS_TERMINAL) || isTerminal();
  }

  /** Whether standard input and output are a terminal. */
  @SuppressWarnings("SystemConsoleNull") // Before Java 22 there may be none.
  static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From Java 22 on there may be a console without a terminal; only it can tell.
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }
}
