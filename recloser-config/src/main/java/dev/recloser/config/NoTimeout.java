package dev.recloser.config;

import dev.recloser.config.Finding.Severity;

/** Calls that may take for ever. */
final class NoTimeout extends Check {
  private static final String REASON = "a call that hangs holds its worker";

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
      look(pipeline, reason(guard), findings);
    } else if (breaker != null) {
      look(breaker, reason(guard), findings);
    }
  }

  private static String reason(Guard guard) {
    boolean unseen =
        guard.all(PolicyKind.CIRCUIT_BREAKER).stream()
            .anyMatch(breaker -> !HungCalls.count(breaker.config(), /* timeout= */ null));
    return unseen ? REASON + ", and the breaker cannot count it before it has ended" : REASON;
  }

  private void look(PipelinePlan pipeline, String reason, Findings findings) {
    findings.add(
        rule().id(),
        Severity.WARNING,
        pipeline.name(),
        pipeline.place(),
        pipeline.key(),
        "a call may take for ever",
        reason,
        "add timelimiter, innermost");
  }

  private void look(Subject<?> breaker, String reason, Findings findings) {
    findings.add(
        rule().id(),
        Severity.NOTE,
        breaker.name(),
        breaker.place(),
        breaker.pathOfBlock(),
        "nothing in this file ends a call that hangs",
        reason,
        "write a timelimiter of the same name, or make sure that the client has a timeout");
  }
}
