package dev.recloser.console;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.Test;

/** This module uses the core, a server of the JDK and a writer of JSON, and nothing else. */
final class ArrowsTest {
  @Test
  void it_uses_what_stands_below_it_and_its_library_only() {
    JavaClasses own =
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("dev.recloser.console");
    assertThat(own).isNotEmpty();

    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "dev.recloser.console",
                "dev.recloser",
                "java..",
                "org.jspecify..",
                "com.sun.net.httpserver..",
                "tools.jackson.core.."))
        .check(own);
  }
}
