package dev.recloser.config;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The order in which things were written.
 *
 * @param sources their names, in the order in which they were given
 */
record SourceOrder(List<String> sources) {
  static SourceOrder of(List<Section> roots) {
    return new SourceOrder(roots.stream().map(root -> root.place().file()).toList());
  }

  /** By source, then by line. */
  <T> Comparator<T> by(Function<T, String> source, ToIntFunction<T> line) {
    return Comparator.<T>comparingInt(each -> sources.indexOf(source.apply(each)))
        .thenComparingInt(line);
  }
}
