package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pair.Kind;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What users are told about two policies in one order is what {@link PolicyPairsTest} proves. */
final class PolicyPairsDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "policy-pairs.md");

  private static final String INTRODUCTION =
      """
      # Which policy goes outside which

      The order that is right for most is fallback, retry, hedge, circuit breaker, rate limiter, bulkhead, timeout, call: see
      [policies and pipelines](pipeline.md). Of each pair, the first row below is that order, with the reason to choose it; the second is
      what happens the other way around. Plain calls, stages and wrapped interfaces behave the same.

      Generated from the tests that prove it, which bear the names in the last column. To change a sentence, change it in
      `PolicyPairsTest` and run `mvn test -pl core-tests -am -Dtest=PolicyPairsDocumentTest -Dpairs.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

      | outside | inside | what happens | test |
      | --- | --- | --- | --- |
      """;

  private final Map<String, Method> tests = new HashMap<>();

  @Test
  void the_document_says_what_the_tests_prove() throws IOException {
    String document = document();
    if (Boolean.getBoolean("pairs.write")) {
      Files.writeString(DOCUMENT, document);
    }
    assertThat(DOCUMENT)
        .as("written anew by running this test with -Dpairs.write=true")
        .content()
        .isEqualToNormalizingNewlines(document);
  }

  private String document() {
    for (Method test : PolicyPairsTest.class.getDeclaredMethods()) {
      Pair pair = test.getAnnotation(Pair.class);
      if (pair != null) {
        Method other = tests.put(pair.outer() + " " + pair.inner(), test);
        assertThat(other).as("another test of what is proved by %s", test.getName()).isNull();
      }
    }
    StringBuilder text = new StringBuilder(INTRODUCTION);
    for (Kind first : Kind.values()) {
      for (Kind second : Kind.values()) {
        if (first.compareTo(second) < 0) {
          text.append(usual(first, second)).append(other(second, first));
        }
      }
    }
    return text.toString();
  }

  private String usual(Kind outer, Kind inner) {
    Method test = test(outer, inner);
    Pair pair = test.getAnnotation(Pair.class);
    assertThat(pair.choose()).as("reason for the usual order in %s", test.getName()).isNotEmpty();
    return row(
        "**" + outer.text() + "**",
        "**" + inner.text() + "**",
        pair.says() + " *Choose this: " + pair.choose() + "*",
        test);
  }

  private String other(Kind outer, Kind inner) {
    Method test = test(outer, inner);
    Pair pair = test.getAnnotation(Pair.class);
    assertThat(pair.choose()).as("reason for the unusual order in %s", test.getName()).isEmpty();
    return row(outer.text(), inner.text(), pair.says(), test);
  }

  private Method test(Kind outer, Kind inner) {
    Method test = tests.get(outer + " " + inner);
    assertThat(test).as("test of %s around %s", outer, inner).isNotNull();
    return test;
  }

  private static String row(String outer, String inner, String says, Method test) {
    return "| %s | %s | %s | `%s` |\n".formatted(outer, inner, says, test.getName());
  }
}
