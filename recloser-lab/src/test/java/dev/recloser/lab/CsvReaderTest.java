package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CsvReaderTest {
  static Stream<Arguments> texts() {
    return Stream.of(
        arguments("", List.of()),
        arguments("a", List.of(List.of("a"))),
        arguments("a,b\n", List.of(List.of("a", "b"))),
        arguments("a,b\nc,d", List.of(List.of("a", "b"), List.of("c", "d"))),
        arguments("a,b\r\nc,d\r\n", List.of(List.of("a", "b"), List.of("c", "d"))),
        arguments("a,b\rc,d\r", List.of(List.of("a", "b"), List.of("c", "d"))),
        arguments(",\n", List.of(List.of("", ""))),
        arguments("a,,c,", List.of(List.of("a", "", "c", ""))),
        arguments("\n\na\n \n\t\r\n\nb\n\n", List.of(List.of("a"), List.of("b"))),
        arguments(" a\t, b c \n", List.of(List.of("a", "b c"))),
        arguments("\"a\",\"b\"\n", List.of(List.of("a", "b"))),
        arguments("\"a,b\",\"c\nd\"\n", List.of(List.of("a,b", "c\nd"))),
        arguments("\"a\r\nb\"", List.of(List.of("a\nb"))),
        arguments("\"say \"\"hello\"\"\",\"\"", List.of(List.of("say \"hello\"", ""))),
        arguments(" \" a \" , \"b\" \n", List.of(List.of(" a ", "b"))),
        arguments("5\" disk,b\"c\"\n", List.of(List.of("5\" disk", "b\"c\""))),
        arguments("\uFEFFa,b\n", List.of(List.of("a", "b"))),
        arguments("\uFEFF\"a\",b\n", List.of(List.of("a", "b"))),
        arguments("a,\uFEFFb\n", List.of(List.of("a", "\uFEFFb"))));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void splitsTextIntoRowsOfFields(String text, List<List<String>> rows) throws IOException {
    assertThat(read(new StringReader(text))).isEqualTo(rows);
  }

  @ParameterizedTest
  @MethodSource("texts")
  void readsTheSameWhenTheTextComesOneCharacterAtATime(String text, List<List<String>> rows)
      throws IOException {
    assertThat(read(oneAtATime(text))).isEqualTo(rows);
  }

  @Test
  void readsMoreThanItsBufferHolds() throws IOException {
    List<List<String>> rows =
        IntStream.range(0, 20_000)
            .mapToObj(i -> List.of("row " + i, "a \"quoted\"\n, " + i, ""))
            .toList();
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      text.append(row.get(0)).append(",\"");
      text.append(row.get(1).replace("\"", "\"\"")).append("\",\r\n");
    }
    assertThat(read(new StringReader(text.toString()))).isEqualTo(rows);
  }

  @Test
  void countsTheLinesInsideQuotesAsWell() throws IOException {
    CsvReader csv = reader("a\r\n\"b\nc\rd\"\r\n\ne\n");
    List<String> beginnings = new ArrayList<>();
    while (csv.next()) {
      beginnings.add(csv.invalid(csv.field(0).substring(0, 1)).getMessage());
    }
    assertThat(beginnings).containsExactly("calls.csv:1: a", "calls.csv:2: b", "calls.csv:6: e");
  }

  static Stream<Arguments> rowsThatDoNotEnd() {
    return Stream.of(
        arguments("", "b"),
        arguments("", ","),
        arguments("", "b,"),
        arguments("", "\"\","),
        arguments("\"", "b\n"),
        arguments("\"", "\"\""));
  }

  @ParameterizedTest
  @MethodSource("rowsThatDoNotEnd")
  void givesUpOnARowThatDoesNotEnd(String start, String part) throws IOException {
    CsvReader csv = reader("a\n" + start + part.repeat(2 * CsvReader.MAX_ROW));
    assertThat(csv.next()).isTrue();
    assertThatThrownBy(csv::next)
        .isInstanceOf(InvalidTraceException.class)
        .hasMessage(
            "calls.csv:2: the row is longer than 1000000 characters (is a quote not closed?)");
  }

  @Test
  void acceptsALongRow() throws IOException {
    CsvReader csv = reader("a".repeat(CsvReader.MAX_ROW / 2) + ",b".repeat(CsvReader.MAX_ROW / 8));
    assertThat(csv.next()).isTrue();
    assertThat(csv.size()).isEqualTo(1 + CsvReader.MAX_ROW / 8);
    assertThat(csv.field(0)).hasSize(CsvReader.MAX_ROW / 2);
  }

  private static CsvReader reader(String text) throws IOException {
    return new CsvReader("calls.csv", new StringReader(text));
  }

  private static List<List<String>> read(Reader reader) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    try (CsvReader csv = new CsvReader("calls.csv", reader)) {
      while (csv.next()) {
        rows.add(IntStream.range(0, csv.size()).mapToObj(csv::field).toList());
      }
    }
    return rows;
  }

  private static Reader oneAtATime(String text) {
    return new FilterReader(new StringReader(text)) {
      @Override
      public int read(char[] buffer, int offset, int length) throws IOException {
        return super.read(buffer, offset, Math.min(1, length));
      }
    };
  }
}
