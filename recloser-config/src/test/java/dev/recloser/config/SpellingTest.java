package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpellingTest {
  @ParameterizedTest
  @CsvSource({
    "kitten, sitting, 3",
    "abc, abc, 0",
    "'', abc, 3",
    "abc, '', 3",
    "abc, acb, 2",
    "sliding-window-size, slidingWindowSize, 0",
    "slidingWindowsSize, slidingWindowSize, 1"
  })
  void edits_are_letters_put_in_left_out_or_replaced(String written, String meant, int edits) {
    assertThat(Spelling.edits(written, meant)).isEqualTo(edits);
  }

  @ParameterizedTest
  @CsvSource({
    "windowSize, slidingWindowSize",
    "waitDuration, waitDurationInOpenState",
    "wait-duration-in-open-sate, waitDurationInOpenState",
    "minNumberOfCalls, minimumNumberOfCalls",
    "recordException, recordExceptions",
    "ignoredExceptions, ignoreExceptions"
  })
  void the_nearest_key_is_the_one_that_was_meant(String written, String meant) {
    assertThat(BreakerKeys.ALL.nearest(written)).endsWith("the nearest is " + meant);
  }
}
