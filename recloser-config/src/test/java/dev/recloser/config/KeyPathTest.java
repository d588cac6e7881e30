package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyPathTest {
  @ParameterizedTest
  @CsvSource({
    "slidingWindowSize, slidingWindowSize",
    "a.b.c, a|b|c",
    "a[0], a|0",
    "a[0].b, a|0|b",
    "a[b.c].d, a|b.c|d",
    "a.[b.c].d, a|b.c|d",
    "[a.b].c, a.b|c",
    "[a.b][c.d], a.b|c.d",
    "a[b, a[b",
    "a]b, a]b",
    "a..b, a||b",
    "a., a|",
    "[], ''",
    "'', ''"
  })
  void a_key_has_parts(String key, String parts) {
    assertThat(String.join("|", KeyPath.parse(key))).isEqualTo(parts);
  }

  @ParameterizedTest
  @CsvSource({"a.b, a.b", "[a.b], a.b", "[a, [a"})
  void a_name_keeps_its_dots(String key, String name) {
    assertThat(KeyPath.name(key)).isEqualTo(name);
  }
}
