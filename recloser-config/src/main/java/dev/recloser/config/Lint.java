package dev.recloser.config;

import dev.recloser.config.Finding.Severity;
import dev.recloser.config.InvalidConfigurationFileException.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Finds known mistakes in configurations.
 *
 * <p>A file says why something is as it shall be under {@code recloser.lint.silenced}, by the id of
 * the rule, for all or by the name of a policy or a pipeline:
 *
 * <pre>{@code
 * recloser:
 *   lint:
 *     silenced:
 *       one-probe: the dependency has one worker
 *       slow-limit-below-p99: {reports: reports are slow by nature}
 * }</pre>
 *
 * <p>and what is known of the calls under {@code recloser.lint.workload}, by the name of a policy
 * or a pipeline, or {@code default} for all:
 *
 * <pre>{@code
 * recloser:
 *   lint:
 *     workload:
 *       default: {replicas: 4}
 *       inventory: {callsPerSecond: 200, p99: 40ms, errorRate: 0.5, pool: 64}
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Lint {
  /** What a file is found to have that cannot be used at all. */
  private static final Rule INVALID =
      new Rule("invalid", Severity.ERROR, "The file cannot be read, or a setting is wrong.");

  /** What a file is found to have that is not understood, and was not where it came from. */
  private static final Rule UNKNOWN_KEY =
      new Rule(
          "unknown-key",
          Severity.WARNING,
          "A key under resilience4j is none of Resilience4j's; a misspelled one, for example.");

  /** What a file is found to have that is understood and does nothing, or something else. */
  private static final Rule NO_EFFECT =
      new Rule(
          "no-effect",
          Severity.NOTE,
          "A key does nothing here, or not quite what it does in Resilience4j.");

  private static final List<Check> CHECKS =
      List.of(
          new NoTimeout(),
          new TimeoutFarAboveP99(),
          new TimeoutBelowP99(),
          new SlowLimitBelowP99(),
          new SlowRateOfAll(),
          new SlowCallsNotCounted(),
          new MinimumOutOfReach(),
          new WindowSpansMinutes(),
          new WindowSpansMilliseconds(),
          new SingleFailureOpens(),
          new ThresholdBelowErrorRate(),
          new ThresholdWithinNoise(),
          new ThresholdTooRelaxed(),
          new PoolFullFirst(),
          new BulkheadAbovePool(),
          new RateLimitBelowTraffic(),
          new NoJitter(),
          new WaitWithoutCap(),
          new OneProbe(),
          new TooManyProbes(),
          new ProbeLimitAsTight(),
          new ProbeLeaseBelowTimeout(),
          new RetriesMultiplyLoad(),
          new RefusalsRetried(),
          new RefusalsRecorded(),
          new ClientErrorsRecorded(),
          new EverythingRecorded(),
          new FailuresNotChosen(),
          new OneBreakerForAll(),
          new BreakerPerUrl(),
          new CopiedBlock(),
          new UnusedPolicy(),
          new TimeWithoutUnit(),
          new RetryInsideBreaker());

  private Lint() {}

  /** All rules. Unmodifiable. */
  public static List<Rule> rules() {
    return Stream.of(
            Stream.of(INVALID, UNKNOWN_KEY, NO_EFFECT),
            CHECKS.stream().map(Check::rule),
            PipelineCheck.ALL.stream().map(PipelineCheck::rule))
        .flatMap(rules -> rules)
        .toList();
  }

  /**
   * Checks files that one application reads together, as {@link PolicyConfigs#load(List,
   * java.util.function.Consumer)} does. A file may also be the settings of one circuit breaker, as
   * {@link BreakerConfigs} reads them. Classes and placeholders of the application need not be
   * here.
   *
   * @param files at least one
   * @param workload what is known of the calls where the files do not say it by name
   * @return what was found, those that the files silence included, by file and line
   * @throws IllegalArgumentException when there is no file
   */
  public static List<Finding> check(List<Path> files, Workload workload) {
    Objects.requireNonNull(workload, "workload");
    try {
      return PolicyConfigs.forLint(files).findings(workload);
    } catch (InvalidConfigurationFileException e) {
      return e.problems().stream().map(Lint::invalid).toList();
    }
  }

  /** What is found in a scene, and the notes that were made when it was read. */
  static List<Finding> check(Scene scene, Remarks remarks, Silenced silenced) {
    Findings findings = new Findings(silenced);
    remarks.withoutEffect().forEach(note -> addNote(NO_EFFECT, note, findings));
    remarks.unknown().forEach(note -> addNote(UNKNOWN_KEY, note, findings));
    scene.guards().stream()
        .filter(guard -> !guard.bare())
        .forEach(guard -> PipelineCheck.look(guard, findings));
    CHECKS.forEach(check -> check.look(scene, findings));
    return findings.sorted();
  }

  /** The ids of all rules. */
  static List<String> ids() {
    return rules().stream().map(Rule::id).toList();
  }

  /** A note as a finding; it says what is done, and after a semicolon what to do. */
  private static void addNote(Rule rule, BreakerConfigs.Note note, Findings findings) {
    int end = note.advice().indexOf("; ");
    findings.add(
        rule.id(),
        rule.severity(),
        /* name= */ "",
        new Place(note.file(), note.line()),
        note.key(),
        end < 0 ? note.advice() : note.advice().substring(0, end),
        /* reason= */ "",
        end < 0 ? "leave it out" : note.advice().substring(end + 2));
  }

  private static Finding invalid(Problem problem) {
    return new Finding(
        INVALID.id(),
        INVALID.severity(),
        problem.file(),
        problem.line(),
        problem.key() == null ? "" : problem.key(),
        "this is wrong, so nothing of the file is used: " + problem.value(),
        /* reason= */ "",
        "write " + problem.expected(),
        /* silenced= */ null);
  }

  /**
   * A mistake that is looked for.
   *
   * @param id stays the same
   * @param severity how bad it is at most
   * @param about the mistake, in a sentence
   */
  public record Rule(String id, Severity severity, String about) {
    /** Checks for null. */
    public Rule {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(severity, "severity");
      Objects.requireNonNull(about, "about");
    }
  }
}
