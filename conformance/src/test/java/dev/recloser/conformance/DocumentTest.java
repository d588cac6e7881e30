package dev.recloser.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What users are told about the differences is what the tests show. */
final class DocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "differences-from-resilience4j.md");
  private static final Pattern TEST_NAME = Pattern.compile("`([a-z0-9]+(?:_[a-z0-9]+)+)`");
  private static final List<Class<?>> TESTS =
      List.of(
          ClassificationDifferencesTest.class,
          ConfigurationDifferencesTest.class,
          HalfOpenDifferencesTest.class,
          LateResultsDifferencesTest.class,
          ListenerDifferencesTest.class,
          OpenDifferencesTest.class,
          OperatorDifferencesTest.class,
          WindowDifferencesTest.class);

  @Test
  void every_difference_is_in_the_document_and_every_row_of_it_is_tested() throws IOException {
    List<String> tested =
        TESTS.stream()
            .flatMap(tests -> Arrays.stream(tests.getDeclaredMethods()))
            .filter(method -> method.isAnnotationPresent(Test.class))
            .map(method -> method.getName())
            .toList();

    assertThat(testsNamedIn(Files.readString(DOCUMENT)))
        .containsExactlyInAnyOrderElementsOf(tested);
  }

  @Test
  void every_translation_is_in_the_document() throws IOException {
    assertThat(Files.readString(DOCUMENT))
        .contains(Arrays.stream(Translation.values()).map(t -> "`" + t + "`").toList());
  }

  private static List<String> testsNamedIn(String document) {
    return TEST_NAME.matcher(document).results().map(match -> match.group(1)).toList();
  }
}
