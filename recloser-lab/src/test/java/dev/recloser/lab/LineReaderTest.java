package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LineReaderTest {
  @ParameterizedTest
  @ValueSource(strings = {"one\ntwo\n\nthree", "one\r\ntwo\r\n\r\nthree\r\n"})
  void lines_end_in_line_feeds_with_or_without_carriage_returns(String text) throws IOException {
    assertThat(lines(new StringReader(text))).containsExactly("one", "two", "", "three");
  }

  @Test
  void nothing_has_no_lines() throws IOException {
    assertThat(lines(new StringReader(""))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 65_534, 65_535, 65_536, 65_537, 200_000})
  void a_line_may_be_longer_than_what_is_read_at_once(int length) throws IOException {
    String line = "x".repeat(length);
    assertThat(lines(new StringReader(line + "\r\n" + line + "\n" + line)))
        .containsExactly(line, line, line);
  }

  @Test
  void of_a_line_without_end_only_the_beginning_is_kept() throws IOException {
    String endless = "x".repeat(LineReader.MAX_LENGTH + 100_000);
    assertThat(lines(new StringReader(endless + "\nshort")))
        .containsExactly("x".repeat(LineReader.MAX_LENGTH), "short");
  }

  private static List<String> lines(Reader reader) throws IOException {
    List<String> lines = new ArrayList<>();
    try (LineReader in = new LineReader(reader)) {
      for (String line = in.next(); line != null; line = in.next()) {
        lines.add(line);
        assertThat(in.number()).isEqualTo(lines.size());
      }
    }
    return lines;
  }
}
