package dev.recloser.microprofile;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class ArrowsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages("dev.recloser.microprofile");

  @Test
  void the_module_uses_the_core_and_what_a_microprofile_runtime_has() {
    assertThat(CLASSES).isNotEmpty();
    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "org.jspecify..",
                "dev.recloser",
                "dev.recloser.microprofile",
                "jakarta.annotation..",
                "jakarta.enterprise..",
                "jakarta.inject..",
                "jakarta.interceptor..",
                "org.eclipse.microprofile..",
                "io.opentelemetry.api.."))
        .check(CLASSES);
  }

  /** They may not be there, and whoever has loaded one of their users has to have them. */
  @Test
  void only_those_who_are_loaded_for_it_use_a_library_of_metrics() {
    noClasses()
        .that()
        .haveSimpleNameNotEndingWith("Meters")
        .and()
        .haveSimpleNameNotContaining("Telemetry")
        .and()
        .haveSimpleNameNotContaining("Registry")
        .and()
        .haveSimpleNameNotContaining("Base")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.opentelemetry..", "org.eclipse.microprofile.metrics..")
        .check(CLASSES);
  }

  @Test
  void nobody_reads_a_clock_other_than_the_cores() {
    noClasses()
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(CLASSES);
  }
}
