package dev.recloser;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The arrows and habits inside the core, read from its class files. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ArchitectureTest {
  private static final JavaClasses CORE = classesBesides(CircuitBreaker.class);
  private static final JavaClasses TESTS = classesBesides(ArchitectureTest.class);

  /** The classes of the module that a class belongs to, be it a folder or a jar. */
  private static JavaClasses classesBesides(Class<?> type) {
    String home = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return new ClassFileImporter()
        .withImportOption(location -> location.contains(home))
        .importPackages("dev.recloser");
  }

  @Test
  void the_classes_looked_at_are_the_right_ones() {
    assertThat(CORE.contain(CircuitBreaker.class)).isTrue();
    assertThat(CORE.contain(ArchitectureTest.class)).isFalse();
    assertThat(CORE.size()).isGreaterThan(50);
    assertThat(TESTS.contain(ArchitectureTest.class)).isTrue();
    assertThat(TESTS.contain(CircuitBreaker.class)).isFalse();
  }

  @Test
  void the_core_needs_java_base_alone() {
    classes()
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.describe(
                "are in the core, in java.base or annotations of JSpecify",
                type ->
                    isInTheCore(type)
                        || type.getPackageName().equals("org.jspecify.annotations")
                        || isInJavaBase(type)))
        .check(CORE);
  }

  @Test
  void the_core_is_one_flat_package_and_what_others_plug_in() {
    assertThat(CORE).allMatch(ArchitectureTest::isInTheCore);
  }

  @Test
  void only_the_system_ticker_reads_a_clock() {
    assertThat(CORE.stream().filter(type -> accesses(type, ArchitectureTest::isClock)))
        .extracting(JavaClass::getSimpleName)
        .containsExactly("SystemTime");
  }

  @Test
  void nobody_reads_the_time_of_day() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(
            Clock.class, Instant.class, LocalDateTime.class, ZonedDateTime.class, Date.class)
        .check(CORE);
  }

  /** Other than the thread of the timers, which does nothing else. */
  @Test
  void nobody_sleeps() {
    assertThat(Stream.concat(CORE.stream(), TESTS.stream()))
        .filteredOn(type -> !type.getName().equals("dev.recloser.SystemTime$Timer"))
        .filteredOn(type -> accesses(type, ArchitectureTest::isSleep))
        .isEmpty();
  }

  @Test
  void classes_are_final_or_abstract() {
    assertThat(CORE.stream().filter(ArchitectureTest::isPlainClass))
        .isNotEmpty()
        .allMatch(
            type ->
                type.getModifiers().contains(JavaModifier.FINAL)
                    || type.getModifiers().contains(JavaModifier.ABSTRACT));
  }

  @Test
  void abstract_classes_are_sealed_or_for_the_other_modules_of_the_library() {
    assertThat(
            CORE.stream()
                .filter(ArchitectureTest::isPlainClass)
                .filter(type -> type.getModifiers().contains(JavaModifier.ABSTRACT))
                .map(JavaClass::reflect)
                .filter(type -> !type.isSealed())
                .map(Class::getName))
        .containsExactlyInAnyOrder(
            CallRejectedException.class.getName(), JudgedResult.class.getName());
  }

  @Test
  void only_exceptions_and_records_have_public_constructors() {
    constructors()
        .that()
        .areDeclaredInClassesThat(not(assignableTo(Throwable.class)))
        .and()
        .areDeclaredInClassesThat(not(assignableTo(Record.class)))
        .should()
        .notBePublic()
        .check(CORE);
  }

  /** Other than by the caller of a plain call that runs on another thread, which it can leave. */
  @Test
  void user_code_is_never_waited_for() {
    noClasses()
        .that()
        .areNotAssignableTo(Work.class)
        .should()
        .callMethod(Object.class, "wait")
        .orShould()
        .callMethod(CompletableFuture.class, "join")
        .orShould()
        .callMethod(CompletableFuture.class, "get")
        .orShould()
        .callMethod(Future.class, "get")
        .check(CORE);
  }

  private static boolean isInTheCore(JavaClass type) {
    return Set.of("dev.recloser", "dev.recloser.spi").contains(type.getPackageName());
  }

  private static boolean accesses(JavaClass type, Predicate<JavaAccess<?>> what) {
    return type.getAccessesFromSelf().stream().anyMatch(what);
  }

  private static boolean isClock(JavaAccess<?> access) {
    return access.getTargetOwner().isEquivalentTo(System.class)
        && Set.of("nanoTime", "currentTimeMillis").contains(access.getTarget().getName());
  }

  private static boolean isSleep(JavaAccess<?> access) {
    boolean isPlainSleep =
        access.getTarget().getName().equals("sleep")
            && (access.getTargetOwner().isEquivalentTo(Thread.class)
                || access.getTargetOwner().isEquivalentTo(TimeUnit.class));
    return isPlainSleep || access.getTargetOwner().isEquivalentTo(LockSupport.class);
  }

  private static boolean isPlainClass(JavaClass type) {
    return !type.isInterface() && !type.isEnum() && !type.isAnonymousClass();
  }

  private static boolean isInJavaBase(JavaClass type) {
    JavaClass element = type.getBaseComponentType();
    return element.isPrimitive() || "java.base".equals(element.reflect().getModule().getName());
  }
}
