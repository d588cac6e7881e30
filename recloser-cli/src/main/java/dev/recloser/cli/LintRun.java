package dev.recloser.cli;

import dev.recloser.config.Finding;
import dev.recloser.config.Lint;
import dev.recloser.config.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks at configurations, each with what a further file says of the calls. */
final class LintRun {
  private static final String INVALID = "invalid";

  private final @Nullable Path workloads;
  private final Workload workload;

  /**
   * Creates one.
   *
   * @param workloads the further file; null if there is none
   * @param workload what is known of the calls where no file says it
   */
  LintRun(@Nullable Path workloads, Workload workload) {
    this.workloads = workloads;
    this.workload = workload;
  }

  /** Whether nothing in a file can be looked at, rather than a setting in it being wrong. */
  static boolean isUnreadable(Finding finding) {
    return finding.rule().equals(INVALID) && finding.key().isEmpty();
  }

  /** What is found in files that are read as one. */
  List<Finding> together(List<Path> files) {
    return check(files);
  }

  /**
   * What is found in files, each by itself and once. The further file is for all of them: a name in
   * it that one of them has is no mistake, so what is found there is told where all agree.
   */
  List<Finding> each(List<Path> files) {
    List<Finding> found = new ArrayList<>();
    Map<String, Finding> ofAll = new LinkedHashMap<>();
    boolean isFirst = true;
    for (Path file : once(files)) {
      Map<String, Finding> ofThis = new LinkedHashMap<>();
      for (Finding finding : check(List.of(file))) {
        if (isOfWorkloads(finding)) {
          ofThis.put(finding.line() + finding.key() + finding.rule(), finding);
        } else {
          found.add(finding);
        }
      }
      if (isFirst) {
        ofAll.putAll(ofThis);
      } else {
        ofAll.keySet().retainAll(ofThis.keySet());
      }
      isFirst = false;
    }
    found.addAll(ofAll.values());
    return found;
  }

  /** If the further file cannot be used, the others are looked at without it. */
  private List<Finding> check(List<Path> files) {
    List<Path> all = new ArrayList<>(files);
    if (workloads != null) {
      all.add(workloads);
    }
    List<Finding> findings = Lint.check(all, workload);
    List<Finding> wrong =
        findings.stream()
            .filter(finding -> finding.rule().equals(INVALID) && isOfWorkloads(finding))
            .toList();
    if (wrong.isEmpty()) {
      return findings;
    }
    List<Finding> apart = new ArrayList<>(Lint.check(files, workload));
    apart.addAll(wrong);
    return apart;
  }

  private boolean isOfWorkloads(Finding finding) {
    return workloads != null && finding.file().equals(workloads.toString());
  }

  private static List<Path> once(List<Path> files) {
    Map<Path, Path> byLocation = new LinkedHashMap<>();
    files.forEach(file -> byLocation.putIfAbsent(file.toAbsolutePath().normalize(), file));
    return List.copyOf(byLocation.values());
  }
}
