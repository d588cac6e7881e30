package dev.recloser.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads YAML as far as its nodes, which know their lines; no object is made from a tag. */
final class YamlSource {
  private static final String MERGE = "<<";

  /** More than anybody writes; keeps a small text from growing without end through its aliases. */
  private static final int MOST_VALUES = 100_000;

  private final String file;

  /** What it should have, for the messages. */
  private final String expected;

  /** The one being read. */
  private int document;

  private int values;

  /** The collections being read, to find those that contain themselves. */
  private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());

  private YamlSource(String file, String expected) {
    this.file = file;
    this.expected = expected;
  }

  /**
   * Reads a text.
   *
   * @param expected what it should have, for the messages
   * @return its documents, at least one
   */
  static List<Section> read(String file, String text, String expected) {
    try {
      return new YamlSource(file, expected).roots(text);
    } catch (StackOverflowError e) { // The engine has no limit of its own.
      throw Problems.fatal(
          new Place(file, 0), "collections within collections without end", "fewer levels");
    }
  }

  private List<Section> roots(String text) {
    List<Section> roots = new ArrayList<>();
    for (Node node : documents(text)) {
      if (!isNull(node)) {
        document = roots.size();
        roots.add(root(node));
      }
    }
    if (roots.isEmpty()) {
      throw Problems.fatal(new Place(file, 0), "empty", expected);
    }
    return roots;
  }

  private Section root(Node node) {
    if (!(node instanceof MappingNode mapping)) {
      throw Problems.fatal(placeOf(node), "no keys but a " + kindOf(node), expected);
    }
    Place place = document == 0 ? new Place(file, 0) : placeOf(node);
    return fill(Section.root(place), mapping);
  }

  private List<Node> documents(String text) {
    try {
      LoadSettings settings =
          LoadSettings.builder()
              .setAllowNonScalarKeys(true)
              .setSchema(new WithoutMerging())
              .build();
      // What Compose does, but that is in a package that its module does not export.
      StreamReader reader = new StreamReader(settings, text);
      List<Node> documents = new ArrayList<>();
      new Composer(settings, new ParserImpl(settings, reader)).forEachRemaining(documents::add);
      return documents;
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
      throw Problems.fatal(new Place(file, line), e.getProblem(), "YAML");
    } catch (ReaderException e) {
      String before = text.substring(0, text.indexOf(e.getCodePoint()));
      int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
      String found = "character 0x%02X".formatted(e.getCodePoint());
      throw Problems.fatal(new Place(file, line), found, "characters that can be printed");
    } catch (YamlEngineException e) {
      throw Problems.fatal(new Place(file, 0), String.valueOf(e.getMessage()), "YAML");
    }
  }

  private Section fill(Section section, MappingNode mapping) {
    enter(mapping);
    List<Node> merged = new ArrayList<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Node key = tuple.getKeyNode();
      String name = key instanceof ScalarNode scalar ? scalar.getValue() : "a " + kindOf(key);
      if (name.equals(MERGE)) {
        merged.add(tuple.getValueNode());
      } else {
        section.put(name, valueOf(section, name, placeOf(key), tuple.getValueNode()));
      }
    }
    merged.forEach(node -> merge(section, node));
    open.remove(mapping);
    return section;
  }

  /** Adds what a mapping, or each of a list of mappings, has and the section does not. */
  private void merge(Section section, Node node) {
    if (node instanceof MappingNode mapping) {
      section.addMissing(fill(section.sibling(), mapping));
    } else if (node instanceof SequenceNode sequence) {
      enter(sequence);
      sequence.getValue().forEach(each -> merge(section, each));
      open.remove(sequence);
    } else {
      throw Problems.fatal(placeOf(node), "a value under " + MERGE, "a mapping to be merged");
    }
  }

  private Value valueOf(Section parent, String key, Place place, Node node) {
    if (node instanceof MappingNode mapping) {
      return fill(parent.child(key, place), mapping);
    } else if (node instanceof SequenceNode sequence) {
      return new Value.Items(place, itemsOf(parent, sequence));
    }
    return new Value.Scalar(place, isNull(node) ? null : ((ScalarNode) node).getValue());
  }

  private List<Value> itemsOf(Section parent, SequenceNode sequence) {
    enter(sequence);
    List<Value> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(valueOf(parent, "", placeOf(item), item));
    }
    open.remove(sequence);
    return items;
  }

  private void enter(Node collection) {
    values += ((CollectionNode<?>) collection).getValue().size();
    if (values > MOST_VALUES) {
      throw Problems.fatal(new Place(file, 0), values + " values", "at most " + MOST_VALUES);
    }
    if (!open.add(collection)) {
      throw Problems.fatal(
          placeOf(collection), "a " + kindOf(collection) + " within itself", "YAML that ends");
    }
  }

  private Place placeOf(Node node) {
    int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
    return new Place(file, line, document);
  }

  private static boolean isNull(Node node) {
    return node.getTag().equals(Tag.NULL);
  }

  private static String kindOf(Node node) {
    return node instanceof MappingNode
        ? "mapping"
        : node instanceof SequenceNode ? "list" : "value";
  }

  /** The engine's own merging does not end where a mapping merges itself; it is done here. */
  private static final class WithoutMerging extends CoreSchema {
    @Override
    public ScalarResolver getScalarResolver() {
      return new CoreScalarResolver(/* supportMerge= */ false);
    }
  }
}
