package dev.recloser.cli;

import dev.recloser.config.Finding;
import dev.recloser.config.Finding.Severity;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Findings for people, each with its place first, as compilers have it. */
final class LintText {
  private final PrintWriter out;
  private final List<String> unknown;

  /**
   * Creates one.
   *
   * @param unknown the options without which some rules find nothing
   */
  LintText(PrintWriter out, List<String> unknown) {
    this.out = out;
    this.unknown = unknown;
  }

  void write(List<Finding> findings) {
    findings.stream().filter(finding -> finding.silenced() == null).forEach(this::write);
    out.println(summary(findings));
    if (!unknown.isEmpty()) {
      String hint =
          "There is more to say with "
              + String.join(", ", unknown)
              + ", or recloser.lint.workload in a file.";
      Text.wrap("", hint).forEach(out::println);
    }
  }

  private void write(Finding finding) {
    String line = finding.line() == 0 ? "" : ":" + finding.line();
    String severity = finding.severity().name().toLowerCase(Locale.ROOT);
    String key = finding.key().isEmpty() ? "" : " " + finding.key();
    out.println(finding.file() + line + ": " + severity + ": " + finding.rule() + key);
    wrap("", finding.effect());
    if (!finding.reason().isEmpty()) {
      wrap("why: ", finding.reason());
    }
    wrap("instead: ", finding.advice());
    out.println();
  }

  private void wrap(String label, String sentence) {
    Text.wrap("    ", label + sentence).forEach(out::println);
  }

  private static String summary(List<Finding> findings) {
    long silenced = findings.stream().filter(finding -> finding.silenced() != null).count();
    return count(findings, Severity.ERROR, "error")
        + ", "
        + count(findings, Severity.WARNING, "warning")
        + ", "
        + count(findings, Severity.NOTE, "note")
        + (silenced == 0 ? "." : "; " + silenced + " silenced.");
  }

  private static String count(List<Finding> findings, Severity severity, String noun) {
    long number =
        findings.stream()
            .filter(each -> each.severity() == severity && each.silenced() == null)
            .count();
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
