package dev.recloser.config;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.config.Reading.Classes;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Configurations of circuit breakers, read from YAML, properties or a map. The package says how
 * they are written.
 *
 * <pre>{@code
 * BreakerConfigs configs = BreakerConfigs.load(Path.of("breakers.yml"));
 * configs.notes().forEach(note -> log.info(note.toString()));
 * CircuitBreakerRegistry registry = configs.registry();
 * CircuitBreaker inventory = registry.circuitBreaker("inventory");
 * }</pre>
 *
 * <p>Each way to read them takes a <em>base</em> if needed: settings that hold for every breaker
 * where what is read does not set them, and those that cannot be written, such as a ticker or a
 * scheduler. It is called once for each configuration that is made.
 *
 * <p>Immutable.
 */
public final class BreakerConfigs {
  private final Map<String, CircuitBreakerConfig> instances;
  private final Map<String, CircuitBreakerConfig> templates;
  private final @Nullable CircuitBreakerConfig bare;
  private final CircuitBreakerConfig defaultConfig;
  private final List<Note> notes;

  private BreakerConfigs(
      Section root, Classes classes, Consumer<? super CircuitBreakerConfig.Builder> base) {
    Reading reading = new Reading(classes);
    Layout layout = Layout.of(root, reading);
    Assembler assembler = new Assembler(layout.templates(), base, reading.problems());
    Map<String, CircuitBreakerConfig> made = new LinkedHashMap<>();
    layout.templates().forEach((name, block) -> putIfMade(made, name, assembler.template(block)));
    templates = Collections.unmodifiableMap(made);
    Map<String, CircuitBreakerConfig> named = new LinkedHashMap<>();
    layout.instances().forEach((name, block) -> putIfMade(named, name, assembler.instance(block)));
    instances = Collections.unmodifiableMap(named);
    Block block = layout.bare();
    bare = block == null ? null : assembler.template(block);
    reading.problems().throwIfAny();
    defaultConfig = defaultOf(base);
    notes = List.copyOf(reading.notes());
  }

  /**
   * Reads a file, as properties if its name ends in {@code .properties} and as YAML otherwise. It
   * is in UTF-8.
   *
   * @throws InvalidConfigurationFileException when it cannot be read or anything in it is wrong;
   *     lists it all
   */
  public static BreakerConfigs load(Path file) {
    return load(file, builder -> {});
  }

  /**
   * Reads a file, as properties if its name ends in {@code .properties} and as YAML otherwise. It
   * is in UTF-8.
   *
   * @param base sets what holds where the file does not set it
   * @throws InvalidConfigurationFileException when it cannot be read or anything in it is wrong;
   *     lists it all
   */
  public static BreakerConfigs load(
      Path file, Consumer<? super CircuitBreakerConfig.Builder> base) {
    Objects.requireNonNull(base, "base");
    return new BreakerConfigs(read(file), Classes.LOADED, base);
  }

  /**
   * Reads a file as {@link #load(Path, Consumer)} does, for a tool that does not have the classes
   * of the application: the predicates that are named in it are not loaded but left out, each with
   * a {@linkplain #notes() note}.
   *
   * @param base sets what holds where the file does not set it
   * @throws InvalidConfigurationFileException when it cannot be read or anything in it is wrong;
   *     lists it all
   */
  public static BreakerConfigs loadWithoutClasses(
      Path file, Consumer<? super CircuitBreakerConfig.Builder> base) {
    Objects.requireNonNull(base, "base");
    return new BreakerConfigs(read(file), Classes.ABSENT, base);
  }

  /**
   * Reads YAML.
   *
   * @param source what to call it in messages
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static BreakerConfigs loadYaml(String source, String text) {
    return loadYaml(source, text, builder -> {});
  }

  /**
   * Reads YAML.
   *
   * @param source what to call it in messages
   * @param base sets what holds where the text does not set it
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static BreakerConfigs loadYaml(
      String source, String text, Consumer<? super CircuitBreakerConfig.Builder> base) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(base, "base");
    return new BreakerConfigs(YamlSource.read(source, text), Classes.LOADED, base);
  }

  /**
   * Reads properties.
   *
   * @param source what to call it in messages
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static BreakerConfigs loadProperties(String source, String text) {
    return loadProperties(source, text, builder -> {});
  }

  /**
   * Reads properties.
   *
   * @param source what to call it in messages
   * @param base sets what holds where the text does not set it
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static BreakerConfigs loadProperties(
      String source, String text, Consumer<? super CircuitBreakerConfig.Builder> base) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(base, "base");
    return new BreakerConfigs(PropertiesSource.read(source, text), Classes.LOADED, base);
  }

  /**
   * Reads a map, in which maps may be nested and keys may have dots. Its values are text, or what
   * the text would stand for: numbers, durations, enum constants, classes, collections.
   *
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static BreakerConfigs fromMap(Map<String, ?> settings) {
    return fromMap(settings, builder -> {});
  }

  /**
   * Reads a map, in which maps may be nested and keys may have dots. Its values are text, or what
   * the text would stand for: numbers, durations, enum constants, classes, collections.
   *
   * @param base sets what holds where the map does not set it
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static BreakerConfigs fromMap(
      Map<String, ?> settings, Consumer<? super CircuitBreakerConfig.Builder> base) {
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(base, "base");
    return new BreakerConfigs(MapSource.read(settings), Classes.LOADED, base);
  }

  /** The names of the instances, in the order in which they were written; none in a bare block. */
  public Set<String> names() {
    return instances.keySet();
  }

  /**
   * The configuration of an instance.
   *
   * @throws IllegalArgumentException when there is no such instance
   */
  public CircuitBreakerConfig config(String instance) {
    CircuitBreakerConfig config = instances.get(Objects.requireNonNull(instance, "instance"));
    if (config == null) {
      throw new IllegalArgumentException(
          "instance: \"" + instance + "\" (expected: " + oneOfTheNames(instance) + ")");
    }
    return config;
  }

  /**
   * The one configuration there is: that of the bare block, or of the only instance.
   *
   * @throws IllegalStateException when there is no instance, or more than one
   */
  public CircuitBreakerConfig only() {
    if (bare != null) {
      return bare;
    }
    if (instances.size() != 1) {
      throw new IllegalStateException(
          "instances: " + instances.keySet() + " (expected: a single one, or to be asked by name)");
    }
    return instances.values().iterator().next();
  }

  /** The configurations of the templates, by name, in the order in which they were written. */
  public Map<String, CircuitBreakerConfig> templates() {
    return templates;
  }

  /** What was read and does nothing here, in the order in which it was written. */
  public List<Note> notes() {
    return notes;
  }

  /**
   * Makes a registry that knows these configurations: an instance's is that of the breaker of the
   * same name, a template's is there to be named, and the default template, or the bare block, is
   * that of all other breakers. Breakers are made when they are asked for.
   */
  public CircuitBreakerRegistry registry() {
    return registry(registry -> {});
  }

  /**
   * Makes a registry as {@link #registry()} does.
   *
   * @param settings sets what else it shall differ in from the defaults
   */
  public CircuitBreakerRegistry registry(
      Consumer<? super CircuitBreakerRegistry.Builder> settings) {
    return CircuitBreakerRegistry.create(
        registry -> {
          tell(registry);
          settings.accept(registry);
        });
  }

  /**
   * Gives a registry these configurations in place of those it has, and with them the living
   * breakers that were made from the ones that have changed: their state, their counters and, where
   * its shape allows, their window stay. All or nothing.
   *
   * @return the names of the breakers that were changed
   * @throws dev.recloser.InvalidConfigurationException when a breaker reads another ticker than
   *     these configurations; nothing is changed then
   */
  public List<String> applyTo(CircuitBreakerRegistry registry) {
    return registry.reconfigure(changes -> tell(changes.withoutConfigs())).stream()
        .map(CircuitBreaker::name)
        .toList();
  }

  private void tell(CircuitBreakerRegistry.Builder registry) {
    registry.defaultConfig(defaultConfig);
    templates.forEach(registry::config);
    instances.forEach(registry::breaker);
  }

  private CircuitBreakerConfig defaultOf(Consumer<? super CircuitBreakerConfig.Builder> base) {
    if (bare != null) {
      return bare;
    }
    CircuitBreakerConfig template = templates.get(Assembler.DEFAULT);
    return template == null ? CircuitBreakerConfig.of(base) : template;
  }

  private static Section read(Path file) {
    String text = TextFile.read(file);
    String name = file.toString();
    return name.toLowerCase(Locale.ROOT).endsWith(".properties")
        ? PropertiesSource.read(name, text)
        : YamlSource.read(name, text);
  }

  private String oneOfTheNames() {
    return instances.isEmpty() ? "none, there are no instances" : "one of " + instances.keySet();
  }

  private String oneOfTheNames(String wrong) {
    if (instances.size() < 2) {
      return oneOfTheNames();
    }
    String nearest = Spelling.nearest(wrong, List.copyOf(instances.keySet()));
    boolean isNear = Spelling.edits(wrong, nearest) <= Math.max(1, wrong.length() / 3);
    return oneOfTheNames() + (isNear ? ", perhaps " + nearest : "");
  }

  private static void putIfMade(
      Map<String, CircuitBreakerConfig> made, String name, @Nullable CircuitBreakerConfig config) {
    if (config != null) {
      made.put(name, config);
    }
  }

  /**
   * A key that is understood and does nothing here.
   *
   * @param file the file as it was named, or the source
   * @param line its line, from 1; 0 when it has none
   * @param key the key, with its path from the root of the circuit breakers on
   * @param advice why, and what to do instead
   */
  public record Note(String file, int line, String key, String advice) {
    /** Checks for null. */
    public Note {
      Objects.requireNonNull(file, "file");
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(advice, "advice");
    }

    static Note of(Place place, String key, String advice) {
      return new Note(place.file(), place.line(), key, advice);
    }

    /** One line: {@code breakers.yml:9: instances.inventory.tags: not set from here; ...}. */
    @Override
    public String toString() {
      return new Place(file, line) + ": " + key + ": " + advice;
    }
  }
}
