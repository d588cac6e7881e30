package dev.recloser.config;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.config.Reading.Classes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Configurations of circuit breakers: those that {@link PolicyConfigs} read ({@link
 * PolicyConfigs#circuitBreakers()}), or those of a file of which nothing else is of interest. The
 * package says how they are written.
 *
 * <pre>{@code
 * BreakerConfigs configs = BreakerConfigs.load(Path.of("breakers.yml"));
 * configs.notes().forEach(note -> log.info(note.toString()));
 * CircuitBreakerRegistry registry = configs.registry();
 * CircuitBreaker inventory = registry.circuitBreaker("inventory");
 * }</pre>
 *
 * <p>A <em>base</em> sets what holds for every breaker where what is read does not set it, and what
 * cannot be written, such as a ticker. It is called once for each configuration that is made.
 *
 * <p>Immutable.
 */
public final class BreakerConfigs {
  private final NamedConfigs<CircuitBreakerConfig> configs;
  private final CircuitBreakerConfig defaultConfig;
  private final List<Note> notes;
  private final Supplier<List<Finding>> findings;

  /**
   * Creates one.
   *
   * @param base sets what holds for breakers that are not written
   * @param findings finds known mistakes
   * @throws dev.recloser.InvalidConfigurationException when the base is wrong, and nothing that is
   *     written has shown it
   */
  BreakerConfigs(
      NamedConfigs<CircuitBreakerConfig> configs,
      Consumer<? super CircuitBreakerConfig.Builder> base,
      List<Note> notes,
      Supplier<List<Finding>> findings) {
    this.configs = configs;
    this.findings = findings;
    defaultConfig = defaultOf(configs, base);
    this.notes = List.copyOf(notes);
  }

  /** Reads the circuit breakers of documents. */
  static BreakerConfigs of(
      List<Section> roots, Classes classes, Consumer<? super CircuitBreakerConfig.Builder> base) {
    Placeholders placeholders = Placeholders.of(Placeholders::ofSystem, classes);
    Reading any = new Reading(classes, placeholders, NamedObjects.of(/* beans= */ null));
    List<Section> documents = Profiles.active(any, roots);
    Reading reading = any.with(documents);
    var breakers = new Blocks<>(PolicyKind.CIRCUIT_BREAKER, reading);
    LintSection lint = new LintSection(reading);
    Layout.read(documents, breakers, lint, reading);
    breakers.assemble(base);
    SourceOrder order = SourceOrder.of(roots);
    reading.problems().throwIfAny(order);
    List<Guard> guards = Guards.of(List.of(breakers), Map.of());
    Remarks remarks = new Remarks(breakers.notes(), reading.notesOfUnknown());
    return new BreakerConfigs(
        breakers.configs(),
        base,
        remarks.inOrder(List.of(), order),
        () ->
            Lint.check(
                new Scene(guards, lint.workloads(), Workload.unknown()), remarks, lint.silenced()));
  }

  /**
   * Reads the circuit breakers of a file as {@link #load(Path, Consumer)} does, without a base.
   *
   * @throws InvalidConfigurationFileException as that does
   */
  public static BreakerConfigs load(Path file) {
    return load(file, builder -> {});
  }

  /**
   * Reads the circuit breakers of a file that {@link PolicyConfigs#load(Path)} reads, or of one
   * that is the settings of one. What else is in it is left alone, right or wrong.
   *
   * @param base sets what holds where the file does not set it
   * @throws InvalidConfigurationFileException when it cannot be read or anything about circuit
   *     breakers in it is wrong; lists it all
   */
  public static BreakerConfigs load(
      Path file, Consumer<? super CircuitBreakerConfig.Builder> base) {
    Objects.requireNonNull(base, "base");
    return of(TextFile.read(file).sections(Layout.EXPECTED), Classes.LOADED, base);
  }

  /**
   * Reads the circuit breakers of a file as {@link #load(Path, Consumer)} does, for a tool that
   * does not have the classes of the application, as {@link PolicyConfigs#loadWithoutClasses(Path,
   * Consumer)} is.
   *
   * @param base sets what holds where the file does not set it
   * @throws InvalidConfigurationFileException as {@link #load(Path, Consumer)} does
   */
  public static BreakerConfigs loadWithoutClasses(
      Path file, Consumer<? super CircuitBreakerConfig.Builder> base) {
    Objects.requireNonNull(base, "base");
    return of(TextFile.read(file).sections(Layout.EXPECTED), Classes.ABSENT, base);
  }

  /** The names of the instances, in the order in which they were written; none in a bare block. */
  public Set<String> names() {
    return configs.instances().keySet();
  }

  /**
   * The configuration of an instance.
   *
   * @throws IllegalArgumentException when there is no such instance
   */
  public CircuitBreakerConfig config(String instance) {
    CircuitBreakerConfig config =
        configs.instances().get(Objects.requireNonNull(instance, "instance"));
    if (config == null) {
      throw new IllegalArgumentException(
          "instance: \""
              + instance
              + "\" (expected: "
              + Spelling.oneOf(names(), instance, "there are no instances")
              + ")");
    }
    return config;
  }

  /**
   * The one configuration there is: that of the bare block, or of the only instance.
   *
   * @throws IllegalStateException when there is no instance, or more than one
   */
  public CircuitBreakerConfig only() {
    CircuitBreakerConfig bare = configs.bare();
    if (bare != null) {
      return bare;
    }
    if (names().size() != 1) {
      throw new IllegalStateException(
          names().isEmpty()
              ? "no instance (expected: one under instances)"
              : "instances: " + names() + " (expected: a single one, or to be asked by name)");
    }
    return configs.instances().values().iterator().next();
  }

  /**
   * The configuration that a {@linkplain #registry() registry} gives a breaker: that of the
   * instance of its name, else the bare block, the default template, or the base alone.
   */
  public CircuitBreakerConfig configOrDefault(String name) {
    return configs.instances().getOrDefault(Objects.requireNonNull(name, "name"), defaultConfig);
  }

  /** The configurations of the templates, by name, in the order in which they were written. */
  public Map<String, CircuitBreakerConfig> templates() {
    return configs.templates();
  }

  /** What was read and does nothing here, in the order in which it was written. */
  public List<Note> notes() {
    return notes;
  }

  /**
   * Known mistakes in what was read, by file and line, as {@link Lint} finds them where nothing is
   * known of the calls. Those that are not silenced are logged once when a registry is made.
   */
  public List<Finding> findings() {
    return findings.get();
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
    FindingLog.log(findings);
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
    configs.templates().forEach(registry::config);
    configs.instances().forEach(registry::breaker);
  }

  private static CircuitBreakerConfig defaultOf(
      NamedConfigs<CircuitBreakerConfig> configs,
      Consumer<? super CircuitBreakerConfig.Builder> base) {
    CircuitBreakerConfig bare = configs.bare();
    if (bare != null) {
      return bare;
    }
    CircuitBreakerConfig template = configs.templates().get(Assembler.DEFAULT);
    return template == null ? CircuitBreakerConfig.of(base) : template;
  }

  /**
   * A key that is understood and does nothing here, or not quite what it does elsewhere.
   *
   * @param file the file as it was named, or the source
   * @param line its line, from 1; 0 when it has none
   * @param key the key, with its path from the root on, or from the root of the circuit breakers on
   *     where only those are read
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
