package dev.recloser.config;

import dev.recloser.config.Finding.Severity;

/** Calls that may take for ever. */
final class NoTimeout extends Check {
  private static final String REASON =
      "a call that hangs holds its worker, and a breaker cannot count a call that has not ended";

  NoTimeout() {
    super(
        "no-timeout",
        Severity.WARNING,
        "A pipeline has no timeout; a note where a file has no pipeline, for the client may have"
            + " one.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    scene.guards().stream()
        .filter(guard -> !guard.has(PolicyKind.TIMEOUT))
        .forEach(guard -> lookWithout(guard, findings));
  }

  private void lookWithout(Guard guard, Findings findings) {
    PipelinePlan pipeline = guard.pipeline();
    Subject<?> breaker = guard.first(PolicyKind.CIRCUIT_BREAKER);
    if (pipeline != null) {
      look(pipeline, findings);
    } else if (breaker != null) {
      look(breaker, findings);
    }
  }

  private void look(PipelinePlan pipeline, Findings findings) {
    findings.add(
        rule().id(),
        Severity.WARNING,
        pipeline.name(),
        pipeline.place(),
        pipeline.key(),
        "a call may take for ever",
        REASON,
        "add timelimiter, innermost");
  }

  private void look(Subject<?> breaker, Findings findings) {
    findings.add(
        rule().id(),
        Severity.NOTE,
        breaker.name(),
        breaker.place(),
        breaker.pathOfBlock(),
        "nothing in this file ends a call that hangs",
        REASON,
        "write a timelimiter of the same name, or make sure that the client has a timeout");
  }
}
