package dev.recloser.cli;

import dev.recloser.CircuitBreaker.State;

/** Colors for a terminal, or none. */
enum Palette {
  COLORS,
  PLAIN;

  String good(String text) {
    return colored("32", text);
  }

  String warning(String text) {
    return colored("33", text);
  }

  String bad(String text) {
    return colored("31", text);
  }

  String bold(String text) {
    return colored("1", text);
  }

  String of(Phase phase) {
    return phase == Phase.SICK ? bad(phase.toString()) : good(phase.toString());
  }

  String of(State state, String text) {
    return switch (state) {
      case CLOSED -> good(text);
      case HALF_OPEN -> warning(text);
      default -> bad(text);
    };
  }

  private String colored(String code, String text) {
    return this == PLAIN ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
