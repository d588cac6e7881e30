package dev.recloser.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arrows between the modules go down only. Here, because here all of them are. */
final class ModulesTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages("dev.recloser");

  @ParameterizedTest
  @CsvSource({
    "dev.recloser, java.. dev.recloser.spi",
    "dev.recloser.spi, java..",
    "dev.recloser.test, java.. dev.recloser org.assertj.. org.junit.jupiter.api..",
    "dev.recloser.config, java.. dev.recloser dev.recloser.spi org.snakeyaml..",
    "dev.recloser.http, java.. javax.net.ssl.. jakarta.servlet.. dev.recloser",
    "dev.recloser.lab,"
        + " java.. dev.recloser dev.recloser.config dev.recloser.http tools.jackson.core..",
    "dev.recloser.console," + " java.. com.sun.net.httpserver.. dev.recloser tools.jackson.core..",
    "dev.recloser.cli,"
        + " java.. com.sun.net.httpserver.. dev.recloser dev.recloser.config dev.recloser.http"
        + " dev.recloser.console dev.recloser.lab"
        + " me.tongfei.progressbar.. picocli.. org.HdrHistogram.. tools.jackson.core.."
  })
  void a_module_uses_only_what_stands_below_it(String module, String allowed) {
    String[] packages = (module + " org.jspecify.. " + allowed).split(" ");
    assertThat(CLASSES.that(resideInAPackage(module))).isNotEmpty();
    classes()
        .that(resideInAPackage(module))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(packages))
        .check(CLASSES);
  }

  @Test
  void a_module_has_one_flat_package_and_one_for_what_others_plug_in() {
    assertThat(CLASSES.stream().map(type -> type.getPackageName()).distinct())
        .containsExactlyInAnyOrder(
            "dev.recloser",
            "dev.recloser.spi",
            "dev.recloser.test",
            "dev.recloser.http",
            "dev.recloser.config",
            "dev.recloser.lab",
            "dev.recloser.console",
            "dev.recloser.cli");
  }

  @Test
  void only_the_system_ticker_reads_a_clock() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.recloser",
            "dev.recloser.spi",
            "dev.recloser.test",
            "dev.recloser.http",
            "dev.recloser.config",
            "dev.recloser.console")
        .and()
        .haveSimpleNameNotEndingWith("SystemTime")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .check(CLASSES);
  }
}
