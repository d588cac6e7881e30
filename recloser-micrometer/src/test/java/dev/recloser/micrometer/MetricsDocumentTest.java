package dev.recloser.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Policy;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} has every meter, with its type, unit and tags, and no other. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class MetricsDocumentTest {
  private static final Path PAGE = Path.of("..", "docs", "metrics.md");
  private static final Pattern OWN =
      Pattern.compile("(?m)^\\| `(recloser\\.[a-z.]+)` \\| (\\w+) \\| (\\w*) ?\\| ([^|]*)\\|");
  private static final Pattern SECOND =
      Pattern.compile("(?m)^\\| `(resilience4j\\.[a-z._]+)` \\| ([^|]*)\\|");

  private final Set<Meter.Id> meters = meters();

  @Test
  void has_every_meter() throws IOException {
    Set<String> documented = new TreeSet<>();
    Matcher row = OWN.matcher(Files.readString(PAGE));
    while (row.find()) {
      documented.add(line(row.group(1), row.group(2), row.group(3), tags(row.group(4))));
    }

    assertThat(documented)
        .isEqualTo(
            meters.stream()
                .filter(id -> id.getName().startsWith("recloser."))
                .map(id -> line(id.getName(), type(id), unit(id), tags(id)))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void has_every_name_of_the_second_set() throws IOException {
    Set<String> documented = new TreeSet<>();
    Matcher row = SECOND.matcher(Files.readString(PAGE));
    while (row.find()) {
      documented.add(line(row.group(1), "", "", tags(row.group(2))));
    }

    assertThat(documented)
        .isEqualTo(
            meters.stream()
                .filter(id -> id.getName().startsWith("resilience4j."))
                .map(id -> line(id.getName(), "", "", tags(id)))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static Set<Meter.Id> meters() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    PolicyMetrics.create(
            all ->
                all.pipeline(PolicyMetricsTest.everything())
                    .callTimers(true)
                    .resilience4jNames(true))
        .bindTo(registry);
    return registry.getMeters().stream().map(Meter::getId).collect(Collectors.toSet());
  }

  private static String line(String name, String type, String unit, Set<String> tags) {
    return String.join(" ", name, type, unit, tags.toString());
  }

  private static String type(Meter.Id id) {
    return id.getType().name().toLowerCase(Locale.ROOT);
  }

  private static String unit(Meter.Id id) {
    return id.getBaseUnit() == null ? "" : id.getBaseUnit();
  }

  /** All but {@code name}, which every meter of a {@link Policy} has. */
  private static Set<String> tags(Meter.Id id) {
    return id.getTags().stream()
        .map(Tag::getKey)
        .filter(key -> !key.equals("name"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> tags(String cell) {
    return Pattern.compile("`(\\w+)`")
        .matcher(cell)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
