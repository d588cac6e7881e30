package dev.recloser.http;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The modules for clients use what stands below them and their client, and not each other. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ArrowsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages("dev.recloser");

  @ParameterizedTest
  @CsvSource({
    "dev.recloser.okhttp, okhttp3.. okio.. kotlin..",
    "dev.recloser.httpclient5, org.apache.hc..",
    "dev.recloser.grpc, io.grpc.."
  })
  void a_module_uses_its_client_only(String module, String client) {
    String[] allowed =
        (module + " java.. org.jspecify.. dev.recloser dev.recloser.http " + client).split(" ", -1);
    assertThat(CLASSES.that(resideInAPackage(module))).isNotEmpty();
    classes()
        .that(resideInAPackage(module))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(allowed))
        .check(CLASSES);
  }
}
