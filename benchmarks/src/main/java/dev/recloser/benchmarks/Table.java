package dev.recloser.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Measurements beside each other, as Markdown: a table for each benchmark, in it a row for each way
 * and parameter, a column for each library, and behind each peer's number ours as a share of it.
 */
final class Table {
  private final StringBuilder text = new StringBuilder();

  private Table() {}

  static String of(List<Measurement> measurements) {
    Map<String, List<Measurement>> benchmarks = new LinkedHashMap<>();
    for (Measurement each : measurements) {
      benchmarks.computeIfAbsent(each.benchmark(), name -> new ArrayList<>()).add(each);
    }
    Table table = new Table();
    benchmarks.forEach(table::addBenchmark);
    return table.text.toString();
  }

  private void addBenchmark(String benchmark, List<Measurement> measurements) {
    Set<Library> columns = new TreeSet<>();
    Map<String, Map<Library, Measurement>> rows = new LinkedHashMap<>();
    boolean threads = measurements.stream().mapToInt(Measurement::threads).distinct().count() > 1;
    for (Measurement each : measurements) {
      columns.add(each.library());
      rows.computeIfAbsent(rowOf(each, threads), row -> new EnumMap<>(Library.class))
          .put(each.library(), each);
    }
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of(benchmark + ", " + measurements.get(0).unit()));
    columns.forEach(column -> head.add(column.title));
    lines.add(head);
    rows.forEach((row, cells) -> lines.add(lineOf(row, columns, cells)));
    addLines(lines);
  }

  private static String rowOf(Measurement measurement, boolean threads) {
    List<String> parts = new ArrayList<>();
    if (!measurement.path().isEmpty()) {
      parts.add(measurement.path());
    }
    if (!measurement.params().isEmpty()) {
      parts.add(measurement.params());
    }
    if (threads) {
      parts.add("threads=" + measurement.threads());
    }
    return String.join(", ", parts);
  }

  private static List<String> lineOf(
      String row, Set<Library> columns, Map<Library, Measurement> cells) {
    Measurement ours = cells.get(Library.RECLOSER);
    List<String> line = new ArrayList<>(List.of(row));
    for (Library column : columns) {
      Measurement cell = cells.get(column);
      line.add(cell == null ? "" : cellOf(cell, column.isPeer() ? ours : null));
    }
    return line;
  }

  private static String cellOf(Measurement cell, @Nullable Measurement ours) {
    String text = String.format(Locale.ROOT, cell.score() < 100 ? "%.1f" : "%,.0f", cell.score());
    if (!Double.isNaN(cell.bytes())) {
      text += String.format(Locale.ROOT, ", %,d B", Math.round(cell.bytes()));
    }
    if (ours != null) {
      double ratio = ours.score() / cell.score();
      text += String.format(Locale.ROOT, ratio < 10 ? " (%.2f)" : " (%,.0f)", ratio);
    }
    return text;
  }

  private void addLines(List<List<String>> lines) {
    int columns = lines.get(0).size();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    for (int l = 0; l < lines.size(); l++) {
      addLine(lines.get(l), widths);
      if (l == 0) {
        addRule(widths);
      }
    }
    text.append('\n');
  }

  private void addLine(List<String> cells, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      String spaces = " ".repeat(widths[i] - cells.get(i).length());
      text.append("| ");
      text.append(i == 0 ? cells.get(i) + spaces : spaces + cells.get(i)).append(' ');
    }
    text.append("|\n");
  }

  private void addRule(int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      text.append("| ").append("-".repeat(Math.max(2, widths[i] - 1)));
      text.append(i == 0 ? "- " : ": ");
    }
    text.append("|\n");
  }
}
