package dev.recloser.config;

import dev.recloser.config.Finding.Severity;

/** Finds one mistake. */
abstract class Check {
  private final Lint.Rule rule;

  /**
   * Creates one.
   *
   * @param id stays the same, for whoever silences it
   * @param about the mistake, in a sentence
   */
  Check(String id, Severity severity, String about) {
    rule = new Lint.Rule(id, severity, about);
  }

  final Lint.Rule rule() {
    return rule;
  }

  /** Looks at everything. */
  abstract void look(Scene scene, Findings findings);
}
