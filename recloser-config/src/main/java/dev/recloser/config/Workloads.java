package dev.recloser.config;

import dev.recloser.InvalidConfigurationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What files say of the calls, by the names of policies and pipelines. Filled by reading. */
final class Workloads {
  /** What it is called. */
  static final String KEY = "workload";

  /** Stands for all names. */
  private static final String DEFAULT = "default";

  private final Reading reading;
  private final Map<String, Block<Workload.Builder>> written = new LinkedHashMap<>();

  Workloads(Reading reading) {
    this.reading = reading;
  }

  void read(String section, Value value) {
    Problems problems = reading.problems();
    String path = section + ".";
    Section.of(section, value, problems)
        .open(path, problems)
        .forEach(
            (name, figures) -> {
              Section own = Section.of(path + name, figures, problems);
              var block =
                  Block.read(
                      WorkloadKeys.ALL, path + name + ".", name, own, Root.RECLOSER, reading);
              check(block);
              written.merge(name, block, Block::merged);
            });
  }

  /**
   * What is known of the calls through what has these names: what a file says of the first of them
   * that it knows, else what holds in general, else what a file says of all.
   */
  Workload of(List<String> names, Workload general) {
    Workload named =
        names.stream()
            .filter(written::containsKey)
            .findFirst()
            .map(this::workload)
            .orElse(Workload.unknown());
    return named.orElse(general).orElse(workload(DEFAULT));
  }

  /**
   * Notes names that none of those is. An application may share a file that has no policies with
   * others, whose names are no mistake there.
   */
  void noteUnknown(List<Guard> guards) {
    List<String> names =
        guards.stream()
            .flatMap(
                guard ->
                    Stream.concat(
                        Stream.of(guard.name()), guard.policies().stream().map(Subject::name)))
            .filter(name -> !name.isEmpty())
            .distinct()
            .toList();
    written.values().stream()
        .filter(block -> !block.name().equals(DEFAULT) && !names.contains(block.name()))
        .filter(
            block ->
                reading.classes() == Reading.Classes.ABSENT
                    || hasPolicies(block.place().file(), guards))
        .forEach(block -> reading.notes().add(note(block, names)));
  }

  private static boolean hasPolicies(String file, List<Guard> guards) {
    return guards.stream()
        .flatMap(guard -> guard.policies().stream())
        .anyMatch(policy -> policy.place().file().equals(file));
  }

  private static BreakerConfigs.Note note(Block<?> block, List<String> names) {
    String path = block.path().substring(0, block.path().length() - 1);
    String nearest =
        names.isEmpty() ? "" : "; the nearest is " + Spelling.nearest(block.name(), names);
    return BreakerConfigs.Note.of(
        block.place(), path, "no policy and no pipeline has this name" + nearest);
  }

  private Workload workload(String name) {
    Block<Workload.Builder> block = written.get(name);
    return block == null
        ? Workload.unknown()
        : Workload.of(calls -> block.given().values().forEach(given -> given.applyTo(calls)));
  }

  private void check(Block<Workload.Builder> block) {
    try {
      Workload.of(calls -> block.given().values().forEach(given -> given.applyTo(calls)));
    } catch (InvalidConfigurationException e) {
      e.faults()
          .forEach(
              fault ->
                  reading
                      .problems()
                      .add(
                          Objects.requireNonNull(block.given().get(fault.setting()), "given"),
                          fault.expected()));
    }
  }
}
