package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTest {
  @ParameterizedTest
  @CsvSource({"0, 10, ..........", "1, 40, #.........", "20, 40, #####.....", "40, 40, ##########"})
  void a_bar_is_filled_in_proportion_and_never_empty_for_something(int part, int all, String bar) {
    assertThat(Text.bar(part, all, 10)).isEqualTo("[" + bar + "]");
  }

  @Test
  void a_percentage_is_all_only_when_it_is_all() {
    assertThat(Text.percent(99.99)).isEqualTo("99%");
    assertThat(Text.percent(100)).isEqualTo("100%");
    assertThat(Text.percent(Double.NaN)).isEqualTo("-");
  }

  @Test
  void short_times_have_a_decimal() {
    assertThat(Text.millis(Duration.ofNanos(1_250_000))).isEqualTo("1.3 ms");
    assertThat(Text.millis(Duration.ofMillis(1_190))).isEqualTo("1,190 ms");
    assertThat(Text.millis(Duration.ZERO)).isEqualTo("0 ms");
  }

  @Test
  void a_sentence_is_broken_between_words_and_indented() {
    String word = "x".repeat(47);

    assertThat(Text.wrap("  ", word + " " + word + " " + word))
        .containsExactly("  " + word + " " + word, "  " + word);
  }
}
