package dev.recloser.config;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the documents that are for profiles which are not active, as Spring Boot does with the
 * documents of its files.
 *
 * <p>What is active is the value of {@code spring.profiles.active}, else what a document without a
 * condition says it is, else the profile {@code default}. A tool that is given nothing but
 * documents for others takes them all, since it does not run where they hold.
 */
final class Profiles {
  private static final List<String> ACTIVE = List.of("spring", "profiles", "active");
  private static final String SEPARATOR = "\\s*,\\s*";

  /** Keys of a condition: the present one, and that of Spring Boot up to 2.3. */
  private static final List<List<String>> CONDITIONS =
      List.of(List.of("spring", "config", "activate", "on-profile"), List.of("spring", "profiles"));

  private final Reading reading;
  private final Set<String> active;

  private Profiles(List<Section> documents, Reading reading) {
    this.reading = reading;
    active = active(documents, reading);
  }

  /** The documents that hold; the others are noted. */
  static List<Section> active(Reading reading, List<Section> documents) {
    Profiles profiles = new Profiles(documents, reading);
    List<Section> active = documents.stream().filter(profiles::holds).toList();
    if (active.isEmpty()) {
      boolean elsewhere = reading.classes() == Reading.Classes.ABSENT;
      return elsewhere ? documents : List.of(profiles.nothing(documents.get(0)));
    }
    documents.stream().filter(document -> !active.contains(document)).forEach(profiles::note);
    return active;
  }

  private static Set<String> active(List<Section> documents, Reading reading) {
    String given = reading.placeholders().variable(String.join(".", ACTIVE));
    if (given != null) {
      return new TreeSet<>(Arrays.asList(given.strip().split(SEPARATOR)));
    }
    Set<String> active = new TreeSet<>();
    for (Section document : documents) {
      Value said = document.find(ACTIVE);
      if (said != null && condition(document) == null) {
        active = new TreeSet<>(texts(resolved(said, reading)));
      }
    }
    return active.isEmpty() ? Set.of("default") : active;
  }

  private Section nothing(Section first) {
    String found = "no document for the profile " + String.join(", ", active);
    String expected = "a document for it, or another one in spring.profiles.active";
    reading.problems().addNothing(first.place(), found, expected);
    return Section.root(first.place());
  }

  private boolean holds(Section document) {
    Value condition = condition(document);
    return condition == null || texts(condition).stream().anyMatch(this::holds);
  }

  private void note(Section leftOut) {
    Value condition = condition(leftOut);
    if (condition != null && Layout.isRooted(leftOut)) {
      reading.note(
          condition,
          "a document",
          "left out, since it is for the profile %s; name it in spring.profiles.active, which is %s"
              .formatted(String.join(", ", texts(condition)), String.join(", ", active)));
    }
  }

  private boolean holds(String expression) {
    if (expression.contains("|")) {
      return Arrays.stream(expression.split("\\|")).anyMatch(this::holds);
    } else if (expression.contains("&")) {
      return Arrays.stream(expression.split("&")).allMatch(this::holds);
    }
    String name = expression.strip();
    return name.startsWith("!") ? !holds(name.substring(1)) : active.contains(name);
  }

  /** Null for a document that always holds. */
  private static @Nullable Value condition(Section document) {
    for (List<String> path : CONDITIONS) {
      Value value = document.find(path);
      if (value != null && !texts(value).isEmpty()) {
        return value;
      }
    }
    return null;
  }

  private static Value resolved(Value value, Reading reading) {
    return value instanceof Value.Scalar scalar ? reading.placeholders().resolve(scalar) : value;
  }

  /** The values of a list, however it is written; none of a section. */
  private static List<String> texts(Value value) {
    if (value instanceof Value.Items items) {
      return items.values().stream().flatMap(item -> texts(item).stream()).toList();
    } else if (value instanceof Section section && Lists.isNumbered(section)) {
      return section.entries().values().stream().flatMap(item -> texts(item).stream()).toList();
    }
    String text = value instanceof Value.Scalar scalar ? scalar.text() : null;
    return text == null || text.isBlank() ? List.of() : List.of(text.strip().split(SEPARATOR));
  }
}
