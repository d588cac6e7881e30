package dev.recloser.opentelemetry;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.Test;

/** This module uses the core and the API of OpenTelemetry, and nothing else. */
final class ArrowsTest {
  @Test
  void it_uses_what_stands_below_it_and_its_library_only() {
    JavaClasses own =
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("dev.recloser.opentelemetry");
    assertThat(own).isNotEmpty();

    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "dev.recloser.opentelemetry",
                "dev.recloser",
                "java..",
                "org.jspecify..",
                "io.opentelemetry.api.."))
        .check(own);
  }
}
