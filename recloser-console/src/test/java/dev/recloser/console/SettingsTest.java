package dev.recloser.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class SettingsTest {
  @Test
  void a_function_is_told_by_whose_it_is() {
    Predicate<String> lambda = text -> text.isEmpty();

    assertThat(Settings.text(lambda)).isEqualTo("a function of " + SettingsTest.class.getName());
    assertThat(Settings.text((Runnable) this::a_function_is_told_by_whose_it_is))
        .isEqualTo("a function of " + SettingsTest.class.getName());
    assertThat(Settings.text(new Silent())).isEqualTo(Silent.class.getName());
  }

  @Test
  void what_has_a_text_of_its_own_keeps_it() {
    assertThat(Settings.text(Duration.ofMillis(150))).isEqualTo("150 ms");
    assertThat(Settings.text(List.of("a"))).isEqualTo("[a]");
    assertThat(Settings.text(null)).isEqualTo("null");
  }

  private static final class Silent {}
}
