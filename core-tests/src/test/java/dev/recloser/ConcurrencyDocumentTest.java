package dev.recloser;

import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.STATIC;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** {@code docs/concurrency.md} has a row for each field of the core that threads may share. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ConcurrencyDocumentTest {
  private static final Path PAGE = Path.of("..", "docs", "concurrency.md");

  /** A row of a table: the class, its fields, and what holds of them. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w.]+)` \\| ([^|]+) \\| .+\\|$");

  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @Test
  void each_shared_field_has_a_row() throws Exception {
    assertThat(documented()).containsAll(fields(ConcurrencyDocumentTest::changes));
  }

  @Test
  void each_row_is_about_fields_that_are_there() throws Exception {
    assertThat(fields(field -> true)).containsAll(documented());
  }

  private static Set<String> documented() throws Exception {
    Set<String> names = new TreeSet<>();
    Matcher rows = ROW.matcher(Files.readString(PAGE));
    while (rows.find()) {
      String type = rows.group(1);
      NAME.matcher(rows.group(2)).results().forEach(name -> names.add(type + "." + name.group(1)));
    }
    return names;
  }

  private static Set<String> fields(Predicate<JavaField> wanted) {
    String home =
        CircuitBreaker.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    JavaClasses core =
        new ClassFileImporter()
            .withImportOption(location -> location.contains(home))
            .importPackages("dev.recloser");
    return core.stream()
        .filter(type -> !isConfined(type))
        .flatMap(type -> type.getFields().stream())
        .filter(wanted)
        .map(field -> nameOf(field.getOwner()) + "." + field.getName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Builders are for one thread, and exceptions change in the hands of who made them. */
  private static boolean isConfined(JavaClass type) {
    return type.getSimpleName().equals("Builder") || type.isAssignableTo(Throwable.class);
  }

  /** What is assigned again, and what is final but made to be written by several threads. */
  private static boolean changes(JavaField field) {
    Set<?> modifiers = field.getModifiers();
    if (modifiers.contains(SYNTHETIC)) {
      return false;
    }
    return !modifiers.contains(FINAL)
        || (!modifiers.contains(STATIC) && isMadeForThreads(field.getRawType()));
  }

  private static boolean isMadeForThreads(JavaClass type) {
    return Stream.of("java.util.concurrent.atomic", "java.util.concurrent.ConcurrentHashMap")
        .anyMatch(type.getName()::startsWith);
  }

  private static String nameOf(JavaClass type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }
}
