package dev.recloser.config;

import dev.recloser.config.Finding.Severity;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What was found so far. What is found twice, since a policy is used twice, is told once. */
final class Findings {
  private static final Comparator<Finding> ORDER =
      Comparator.comparing(Finding::file)
          .thenComparingInt(Finding::line)
          .thenComparing(Finding::severity)
          .thenComparing(Finding::rule);

  private final Silenced silenced;
  private final Set<Finding> found = new LinkedHashSet<>();

  Findings(Silenced silenced) {
    this.silenced = silenced;
  }

  /** About a setting of a policy. */
  void add(
      Check check,
      Subject<?> subject,
      String setting,
      String effect,
      String reason,
      String advice) {
    add(check.rule().severity(), check, subject, setting, effect, reason, advice);
  }

  /** About a setting of a policy, where this one is not as bad as the rule has it. */
  void add(
      Severity severity,
      Check check,
      Subject<?> subject,
      String setting,
      String effect,
      String reason,
      String advice) {
    String key = subject.keyOf(setting);
    Place place = subject.placeOf(setting);
    add(check.rule().id(), severity, subject.name(), place, key, effect, reason, advice);
  }

  /**
   * About a key.
   *
   * @param name of the policy or pipeline it is about, by which it may be silenced
   */
  void add(
      String rule,
      Severity severity,
      String name,
      Place place,
      String key,
      String effect,
      String reason,
      String advice) {
    Finding finding =
        new Finding(
            rule,
            severity,
            place.file(),
            place.line(),
            key,
            effect,
            reason,
            advice,
            silenced.reason(rule, name));
    found.add(finding);
  }

  /** All, by file and line. */
  List<Finding> sorted() {
    return found.stream().sorted(ORDER).toList();
  }
}
