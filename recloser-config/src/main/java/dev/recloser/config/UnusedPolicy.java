package dev.recloser.config;

import dev.recloser.config.Finding.Severity;
import java.util.List;

/** A policy that no pipeline has, most often since its name is misspelled. */
final class UnusedPolicy extends Check {
  UnusedPolicy() {
    super(
        "unused-policy",
        Severity.WARNING,
        "There are pipelines, and none of them has this policy; its name may be misspelled.");
  }

  /** Where a circuit breaker has the same name, code may ask for it and for those beside it. */
  @Override
  void look(Scene scene, Findings findings) {
    if (scene.guards().stream().noneMatch(guard -> guard.pipeline() != null)) {
      return;
    }
    scene.guards().stream()
        .filter(guard -> guard.pipeline() == null && !guard.bare())
        .filter(guard -> !guard.has(PolicyKind.CIRCUIT_BREAKER))
        .flatMap(guard -> guard.policies().stream())
        .forEach(policy -> tell(policy, used(policy.kind(), scene), findings));
  }

  /** The names of those of a kind that pipelines have. */
  private static List<String> used(PolicyKind<?, ?> kind, Scene scene) {
    return scene.guards().stream()
        .filter(guard -> guard.pipeline() != null)
        .flatMap(guard -> guard.policies().stream())
        .filter(policy -> policy.kind() == kind)
        .map(Subject::name)
        .distinct()
        .toList();
  }

  private void tell(Subject<?> policy, List<String> used, Findings findings) {
    String named = policy.kind() + ": " + policy.name();
    findings.add(
        rule().id(),
        rule().severity(),
        policy.name(),
        policy.place(),
        policy.pathOfBlock(),
        "what is written here holds for no pipeline",
        used.isEmpty()
            ? "no pipeline has a " + policy.kind()
            : "the nearest %s that a pipeline has is %s"
                .formatted(policy.kind(), Spelling.nearest(policy.name(), used)),
        (used.isEmpty() ? "" : "write that name here, or ")
            + "write "
            + named
            + " in the list of a pipeline");
  }
}
