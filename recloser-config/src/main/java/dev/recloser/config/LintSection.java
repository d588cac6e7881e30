package dev.recloser.config;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** What files say to the linter: what to be silent about, and what is known of the calls. */
final class LintSection implements Part {
  /** What it is called. */
  static final String NAME = "lint";

  private final Problems problems;
  private final Silenced silenced;
  private final Workloads workloads;
  private final Map<String, BiConsumer<String, Value>> parts;

  LintSection(Reading reading) {
    problems = reading.problems();
    silenced = new Silenced(problems);
    workloads = new Workloads(reading);
    parts = Map.of(Section.SILENCED, silenced::read, Workloads.KEY, workloads::read);
  }

  Silenced silenced() {
    return silenced;
  }

  Workloads workloads() {
    return workloads;
  }

  @Override
  public List<String> names() {
    return List.of(NAME);
  }

  @Override
  public void read(Root root, String section, String path, Value value) {
    Section.of(section, value, problems)
        .open(path, problems)
        .forEach(
            (key, part) -> {
              BiConsumer<String, Value> reader = parts.get(KeyPath.canonical(key));
              if (reader == null) {
                problems.add(part.place(), path + key, part.shown(), "silenced or workload");
              } else {
                reader.accept(path + key, part);
              }
            });
  }

  /** It is no policy. */
  @Override
  public boolean isEmpty() {
    return true;
  }

  @Override
  public boolean hasKey(String spelled) {
    return false;
  }
}
