package dev.recloser.config;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads properties and keeps their lines.
 *
 * <p>{@link Properties} knows how to read an entry but not where it stands. So the text is only cut
 * into logical lines here, and each is read by a {@code Properties} of its own. A comment {@code
 * #---} separates documents, as in Spring Boot.
 */
final class PropertiesSource {
  private static final Set<String> SEPARATORS = Set.of("#---", "!---");

  private PropertiesSource() {}

  /** The documents of a text, at least one. */
  static List<Section> read(String file, String text) {
    List<Section> roots = new ArrayList<>(List.of(Section.root(new Place(file, 0))));
    Iterator<String> lines = text.lines().iterator();
    int line = 0;
    while (lines.hasNext()) {
      int first = ++line;
      StringBuilder logical = new StringBuilder(lines.next());
      while (!isComment(logical) && isContinued(logical) && lines.hasNext()) {
        logical.append('\n').append(lines.next());
        line++;
      }
      if (SEPARATORS.contains(logical.toString().stripTrailing())) {
        roots.add(Section.root(new Place(file, first, roots.size())));
      }
      Section root = roots.get(roots.size() - 1);
      Place place = new Place(file, first, roots.size() - 1);
      entry(logical.toString(), place)
          .forEach((key, value) -> root.put(key, new Value.Scalar(place, value)));
    }
    return roots;
  }

  /** The entry of a logical line; nothing for a comment or a blank line. */
  private static Map<String, String> entry(String logicalLine, Place place) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(logicalLine));
    } catch (IllegalArgumentException e) {
      throw Problems.fatal(place, logicalLine.strip(), "\\uXXXX with four hexadecimal digits");
    } catch (IOException e) {
      throw new UncheckedIOException(e); // A string does not fail to be read.
    }
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(key -> key, properties::getProperty));
  }

  private static boolean isComment(CharSequence line) {
    String text = line.toString().stripLeading();
    return text.startsWith("#") || text.startsWith("!");
  }

  /** Whether the line ends in a backslash that is not itself escaped by one. */
  private static boolean isContinued(CharSequence line) {
    int end = line.length();
    int start = end;
    while (start > 0 && line.charAt(start - 1) == '\\') {
      start--;
    }
    return (end - start) % 2 == 1;
  }
}
