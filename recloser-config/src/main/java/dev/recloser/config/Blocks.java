package dev.recloser.config;

import dev.recloser.config.BreakerConfigs.Note;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is written about the policies of one kind. Filled by reading, then assembled.
 *
 * @param <B> what their settings are made on
 * @param <C> what is made of them
 */
final class Blocks<B, C> implements Part {
  private static final String ASPECT_ORDER = "aspectorder";

  /** Keys of Resilience4j beside its configs and instances, in canonical spelling. */
  private static final Map<String, String> UNUSED =
      Map.of(
          "tags",
          "not set from here; tags belong to what makes the meters",
          "metrics",
          "not set from here; what makes the meters decides which",
          "enabled",
          "not needed; a policy that no pipeline and no code asks for is around no call",
          ASPECT_ORDER,
          "not set from here; the order is that of the pipeline");

  private final PolicyKind<B, C> kind;
  private final Reading reading;
  private final Map<String, Block<B>> templates = new LinkedHashMap<>();
  private final Map<String, Block<B>> instances = new LinkedHashMap<>();
  private final Map<String, C> madeTemplates = new LinkedHashMap<>();
  private final Map<String, C> madeInstances = new LinkedHashMap<>();
  private final List<Subject<C>> subjects = new ArrayList<>();
  private @Nullable Block<B> bare;
  private @Nullable Subject<C> madeBare;

  Blocks(PolicyKind<B, C> kind, Reading reading) {
    this.kind = kind;
    this.reading = reading;
  }

  PolicyKind<B, C> kind() {
    return kind;
  }

  @Override
  public List<String> names() {
    return kind.names();
  }

  @Override
  public void read(Root root, String section, String path, Value value) {
    Section.of(section, value, reading.problems())
        .open(path, reading.problems())
        .forEach((key, part) -> readPart(root, path, key, part));
  }

  @Override
  public boolean isEmpty() {
    return templates.isEmpty() && instances.isEmpty();
  }

  @Override
  public boolean hasKey(String spelled) {
    return kind.keys().isSetting(spelled);
  }

  /** Reads a source that is one block without a name. */
  void readBare(Section root) {
    bare = Block.read(kind.keys(), "", "", root, Root.RECLOSER, reading);
  }

  /** The names of the instances, in the order in which they were written. */
  List<String> instances() {
    return List.copyOf(instances.keySet());
  }

  /** Adds an instance of which only the name is given, unless there is one. */
  void imply(String name, Place place) {
    String path = kind.name() + ".instances." + name + ".";
    instances.computeIfAbsent(name, absent -> new Block<>(kind.keys(), path, name, place));
  }

  /**
   * Makes the configurations.
   *
   * @param base sets what holds where nothing is written
   */
  void assemble(Consumer<? super B> base) {
    var assembler = new Assembler<>(kind, templates, base, reading.problems());
    templates.forEach(
        (name, block) -> putIfMade(madeTemplates, name, assembler.template(block).config()));
    instances.forEach((name, block) -> addInstance(block, assembler.instance(block)));
    madeBare = bare == null ? null : subject(bare, assembler.template(bare));
  }

  /** The configuration of an instance, once assembled; null if it is wrong. */
  @Nullable C made(String instance) {
    return madeInstances.get(instance);
  }

  /** The instances that are right, once assembled. */
  List<Subject<C>> subjects() {
    return subjects;
  }

  /** The block without a name, once assembled; null if there is none, or it is wrong. */
  @Nullable Subject<C> bareSubject() {
    return madeBare;
  }

  /** The configurations, once assembled. */
  NamedConfigs<C> configs() {
    return new NamedConfigs<>(
        Collections.unmodifiableMap(madeTemplates),
        Collections.unmodifiableMap(madeInstances),
        madeBare == null ? null : madeBare.config());
  }

  List<Note> notes() {
    return reading.notes();
  }

  private void readPart(Root root, String path, String key, Value value) {
    String canonical = KeyPath.canonical(key);
    switch (canonical) {
      case "configs" -> readBlocks(root, path + key, value, templates);
      case "instances", "backends", "limiters" -> readBlocks(root, path + key, value, instances);
      default -> {
        String advice = UNUSED.get(canonical.endsWith(ASPECT_ORDER) ? ASPECT_ORDER : canonical);
        if (advice == null) {
          reading.unknown(root, value, path + key, "configs or instances");
        } else {
          reading.note(value, path + key, advice);
        }
      }
    }
  }

  private void readBlocks(Root root, String part, Value value, Map<String, Block<B>> blocks) {
    Problems problems = reading.problems();
    Section.of(part, value, problems)
        .open(part + ".", problems)
        .forEach(
            (name, block) -> {
              String path = part + "." + name;
              Section settings = Section.of(path, block, problems);
              Block<B> present = blocks.get(name);
              if (present != null && present.place().isInDocumentOf(block.place())) {
                problems.addClash(path, present.place(), block);
              } else if (name.isBlank()) {
                problems.addBlank(part + ".", block);
              } else {
                blocks.merge(
                    name,
                    Block.read(kind.keys(), path + ".", name, settings, root, reading),
                    Block::merged);
              }
            });
  }

  private void addInstance(Block<B> block, Assembly<B, C> assembly) {
    Subject<C> subject = subject(block, assembly);
    if (subject != null) {
      madeInstances.put(block.name(), subject.config());
      subjects.add(subject);
    }
  }

  private @Nullable Subject<C> subject(Block<B> block, Assembly<B, C> assembly) {
    C config = assembly.config();
    return config == null
        ? null
        : new Subject<>(
            kind,
            block.name(),
            block.path(),
            block.place(),
            assembly.given(),
            block.given().keySet(),
            config);
  }

  private static <C> void putIfMade(Map<String, C> made, String name, @Nullable C config) {
    if (config != null) {
      made.put(name, config);
    }
  }
}
