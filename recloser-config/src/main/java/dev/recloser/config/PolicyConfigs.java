package dev.recloser.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.recloser.BulkheadConfig;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.HedgeConfig;
import dev.recloser.Policy;
import dev.recloser.PolicyEvent;
import dev.recloser.RateLimiterConfig;
import dev.recloser.RetryConfig;
import dev.recloser.Scheduler;
import dev.recloser.Ticker;
import dev.recloser.TimeoutConfig;
import dev.recloser.config.BreakerConfigs.Note;
import dev.recloser.config.Reading.Classes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Configurations of policies of all kinds and of the pipelines that they make up, read from YAML,
 * properties or a map. The package says how they are written.
 *
 * <pre>{@code
 * PolicyConfigs configs = PolicyConfigs.load(Path.of("application.yml"));
 * configs.notes().forEach(note -> log.info(note.toString()));
 * ConfiguredPolicies policies = configs.policies();
 * Pipeline<Stock> stocks = policies.pipeline("orders-to-inventory");
 * }</pre>
 *
 * <p>Each way to read them takes a <em>base</em> if needed: what holds where what is read does not
 * set it, what cannot be written, such as a ticker, and what the names of functions stand for.
 *
 * <p>Immutable.
 */
public final class PolicyConfigs {
  /*
   * How a source becomes policies, and by which class:
   *
   * YamlSource, PropertiesSource and MapSource make Values of it: Sections, Items, Scalars, each
   * with its Place. Layout finds the Parts under their roots: one Blocks for each PolicyKind, and
   * PipelineBlocks. Blocks reads every template and instance as a Block of what is Given for the
   * Keys of its kind. When all is read, PipelineBlocks makes a PipelinePlan of each pipeline, and
   * adds the instances that only pipelines name; an Assembler makes the configurations, each of an
   * Assembly of a block and all it inherits; and a PipelineTrial asks the pipelines what they warn
   * of. What is wrong goes to Problems on the way, and is thrown at the end, all at once.
   *
   * Then LivingPolicies makes a LivingPolicy of each instance by the Maker of its kind, and
   * ConfiguredPolicies holds the present ones.
   */

  /** By kind, those of each kind being of its type. */
  private final Map<PolicyKind<?, ?>, NamedConfigs<?>> configs = new LinkedHashMap<>();

  private final Map<String, PipelinePlan> pipelines;
  private final BreakerConfigs circuitBreakers;
  private final List<Note> notes;

  private final Remarks remarks;

  private final List<Guard> guards;
  private final LintSection lint;
  private final NamedObjects objects;
  private final List<Consumer<? super PolicyEvent>> listeners;

  /** Sets the base. */
  private final Consumer<? super Base> settings;

  /** What was read, where it was files. */
  private final List<Path> files;

  private PolicyConfigs(List<Section> roots, Classes classes, Consumer<? super Base> settings) {
    this(
        /* files= */ List.of(),
        roots,
        classes,
        /* bareToo= */ false,
        NamedObjects.of(/* beans= */ null),
        settings);
  }

  /**
   * Reads sources.
   *
   * @param files what they are, if they are files
   * @param bareToo whether one may be the settings of one circuit breaker
   * @param made what earlier readings have made of classes
   */
  private PolicyConfigs(
      List<TextFile> files,
      List<Section> roots,
      Classes classes,
      boolean bareToo,
      NamedObjects made,
      Consumer<? super Base> settings) {
    this.settings = settings;
    this.files = TextFile.locations(files.stream().map(TextFile::path).toList());
    Base base = new Base();
    settings.accept(base);
    objects = made.with(base.beans);
    Reading any = new Reading(classes, Placeholders.of(base.placeholders, classes), objects);
    List<Section> documents = Profiles.active(any, roots);
    Reading reading = any.with(documents);
    List<Blocks<?, ?>> kinds =
        PolicyKind.ALL.stream()
            .<Blocks<?, ?>>map(kind -> new Blocks<>(kind, reading.withOwnNotes()))
            .toList();
    PipelineBlocks plans = new PipelineBlocks(kinds, reading.withOwnNotes());
    lint = new LintSection(reading);
    ListenerNames named = new ListenerNames(reading);
    List<Part> parts = partsOf(kinds, plans, lint, named);
    if (bareToo) {
      Layout.readAny(documents, parts, breakersOf(kinds), lint, reading);
    } else {
      Layout.read(documents, parts, reading);
    }
    plans.plan();
    kinds.forEach(each -> assemble(each, base));
    plans.judge();
    SourceOrder order = SourceOrder.of(roots);
    reading.problems().throwIfAny(order);

    listeners = named.listeners();
    kinds.forEach(each -> configs.put(each.kind(), each.configs()));
    pipelines = plans.plans();
    guards = Guards.of(kinds, pipelines);
    lint.workloads().noteUnknown(guards);
    remarks =
        new Remarks(
            Stream.concat(
                    kinds.stream().flatMap(each -> each.notes().stream()), reading.notes().stream())
                .toList(),
            reading.notesOfUnknown());
    notes = remarks.inOrder(plans.notes(), order);
    circuitBreakers =
        new BreakerConfigs(
            named(PolicyKind.CIRCUIT_BREAKER),
            base.of(PolicyKind.CIRCUIT_BREAKER),
            breakersOf(kinds).notes(),
            this::findings);
  }

  /**
   * Reads a file, as properties if its name ends in {@code .properties} and as YAML otherwise. It
   * is in UTF-8.
   *
   * @throws InvalidConfigurationFileException when it cannot be read or anything in it is wrong;
   *     lists it all
   */
  public static PolicyConfigs load(Path file) {
    return load(file, base -> {});
  }

  /**
   * Reads a file, as properties if its name ends in {@code .properties} and as YAML otherwise. It
   * is in UTF-8.
   *
   * @param base sets what holds where the file does not set it
   * @throws InvalidConfigurationFileException when it cannot be read or anything in it is wrong;
   *     lists it all
   */
  public static PolicyConfigs load(Path file, Consumer<? super Base> base) {
    Objects.requireNonNull(base, "base");
    return load(List.of(file), base);
  }

  /**
   * Reads files as {@link #load(Path)} does, as if they were one. What a later file says about a
   * policy or a template is added to what the earlier ones say; a setting, a list or a pipeline
   * that both have is that of the later one.
   *
   * @param files at least one
   * @param base sets what holds where no file sets it
   * @throws InvalidConfigurationFileException when one cannot be read or anything in them is wrong;
   *     lists it all
   * @throws IllegalArgumentException when there is no file
   */
  public static PolicyConfigs load(List<Path> files, Consumer<? super Base> base) {
    Objects.requireNonNull(base, "base");
    return of(TextFile.readAll(files), base);
  }

  /**
   * Reads a file as {@link #load(Path, Consumer)} does, for a tool that does not have the classes
   * of the application: the functions that are named in it are not loaded but left out, each with a
   * {@linkplain #notes() note}.
   *
   * @param base sets what holds where the file does not set it
   * @throws InvalidConfigurationFileException when it cannot be read or anything in it is wrong;
   *     lists it all
   */
  public static PolicyConfigs loadWithoutClasses(Path file, Consumer<? super Base> base) {
    Objects.requireNonNull(base, "base");
    return new PolicyConfigs(
        TextFile.sections(List.of(TextFile.read(file)), Layout.POLICIES_EXPECTED),
        Classes.ABSENT,
        base);
  }

  /** Takes files as {@link #load(List, Consumer)} does, that have been read. */
  static PolicyConfigs of(List<TextFile> files, Consumer<? super Base> base) {
    return new PolicyConfigs(
        files,
        TextFile.sections(files, Layout.POLICIES_EXPECTED),
        Classes.LOADED,
        /* bareToo= */ false,
        NamedObjects.of(/* beans= */ null),
        base);
  }

  /** Reads files to be looked at, of which one may be the settings of one circuit breaker. */
  static PolicyConfigs forLint(List<Path> files) {
    List<TextFile> read = TextFile.readAll(files);
    return new PolicyConfigs(
        read,
        TextFile.sections(read, Layout.POLICIES_EXPECTED),
        Classes.ABSENT,
        /* bareToo= */ true,
        NamedObjects.of(/* beans= */ null),
        base -> {});
  }

  /** Takes files that have been read, where what was made of classes is still the same. */
  PolicyConfigs again(List<TextFile> files, Consumer<? super Base> base) {
    return new PolicyConfigs(
        files,
        TextFile.sections(files, Layout.POLICIES_EXPECTED),
        Classes.LOADED,
        /* bareToo= */ false,
        objects,
        base);
  }

  /**
   * Reads YAML.
   *
   * @param source what to call it in messages
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static PolicyConfigs loadYaml(String source, String text) {
    return loadYaml(source, text, base -> {});
  }

  /**
   * Reads YAML.
   *
   * @param source what to call it in messages
   * @param base sets what holds where the text does not set it
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static PolicyConfigs loadYaml(String source, String text, Consumer<? super Base> base) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(base, "base");
    return new PolicyConfigs(
        YamlSource.read(source, text, Layout.POLICIES_EXPECTED), Classes.LOADED, base);
  }

  /**
   * Reads properties.
   *
   * @param source what to call it in messages
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static PolicyConfigs loadProperties(String source, String text) {
    return loadProperties(source, text, base -> {});
  }

  /**
   * Reads properties.
   *
   * @param source what to call it in messages
   * @param base sets what holds where the text does not set it
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static PolicyConfigs loadProperties(
      String source, String text, Consumer<? super Base> base) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(base, "base");
    return new PolicyConfigs(PropertiesSource.read(source, text), Classes.LOADED, base);
  }

  /**
   * Reads a map, in which maps may be nested and keys may have dots. Its values are text, or what
   * the text would stand for: numbers, durations, enum constants, classes, collections.
   *
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static PolicyConfigs fromMap(Map<String, ?> settings) {
    return fromMap(settings, base -> {});
  }

  /**
   * Reads a map, in which maps may be nested and keys may have dots. Its values are text, or what
   * the text would stand for: numbers, durations, enum constants, classes, collections.
   *
   * @param base sets what holds where the map does not set it
   * @throws InvalidConfigurationFileException when anything in it is wrong; lists it all
   */
  public static PolicyConfigs fromMap(Map<String, ?> settings, Consumer<? super Base> base) {
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(base, "base");
    return new PolicyConfigs(List.of(MapSource.read(settings)), Classes.LOADED, base);
  }

  /**
   * The JSON Schema of the files, by which editors complete and check them. It promises a little
   * less than is read: keys in camel case or kebab case, numbers without quotes.
   */
  public static String jsonSchema() {
    try (InputStream in = PolicyConfigs.class.getResourceAsStream("recloser.schema.json")) {
      return new String(Objects.requireNonNull(in, "schema").readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // It is in the same jar as this class.
    }
  }

  /**
   * The circuit breakers: those that are written, in their order, then those that only pipelines
   * name. Its registry makes breakers of its own, other ones than {@link #policies()}.
   */
  public BreakerConfigs circuitBreakers() {
    return circuitBreakers;
  }

  /**
   * The configurations of the retries by name: of those that are written, in their order, then of
   * those that only pipelines name. Unmodifiable.
   */
  public Map<String, RetryConfig> retries() {
    return configsOf(PolicyKind.RETRY, Budgeted::config);
  }

  /** The configurations of the hedges by name, ordered as {@link #retries()}. Unmodifiable. */
  public Map<String, HedgeConfig> hedges() {
    return configsOf(PolicyKind.HEDGE, Budgeted::config);
  }

  /** The configurations of the bulkheads by name, ordered as {@link #retries()}. Unmodifiable. */
  public Map<String, BulkheadConfig> bulkheads() {
    return named(PolicyKind.BULKHEAD).instances();
  }

  /**
   * The configurations of the bulkheads of threads by name, ordered as {@link #retries()}. A policy
   * has threads of its own beside. Unmodifiable.
   */
  public Map<String, BulkheadConfig> threadPoolBulkheads() {
    return configsOf(PolicyKind.THREAD_POOL_BULKHEAD, ThreadPoolPlan::config);
  }

  /** The configurations of the rate limiters by name, ordered as {@link #retries()}. */
  public Map<String, RateLimiterConfig> rateLimiters() {
    return named(PolicyKind.RATE_LIMITER).instances();
  }

  /** The configurations of the timeouts by name, ordered as {@link #retries()}. Unmodifiable. */
  public Map<String, TimeoutConfig> timeouts() {
    return named(PolicyKind.TIMEOUT).instances();
  }

  /** The names of the pipelines, in the order in which they were written. */
  public Set<String> pipelines() {
    return pipelines.keySet();
  }

  /**
   * What was read and does nothing here, or not quite what it looks like, in the order in which it
   * was written. What {@link dev.recloser.Pipeline#warnings} says of a pipeline is among it.
   */
  public List<Note> notes() {
    return notes;
  }

  /**
   * Known mistakes in what was read, by file and line, as {@link Lint} finds them where nothing is
   * known of the calls but what is read of them. Those that are not silenced are logged once when
   * policies are made.
   */
  public List<Finding> findings() {
    return findings(Workload.unknown());
  }

  /**
   * Known mistakes in what was read, by file and line.
   *
   * @param workload what is known of the calls where what was read does not say it by name
   */
  public List<Finding> findings(Workload workload) {
    Objects.requireNonNull(workload, "workload");
    return Lint.check(new Scene(guards, lint.workloads(), workload), remarks, lint.silenced());
  }

  /** Makes the policies, one for each kind and name, and what hands them and the pipelines out. */
  public ConfiguredPolicies policies() {
    FindingLog.log(this::findings);
    return new ConfiguredPolicies(this);
  }

  /**
   * Gives policies these configurations in place of those they have, and with them the living
   * policies whose configuration has changed: what they have counted and learnt stays, as {@code
   * reconfigure} of each says. All or nothing. A policy that is no longer written keeps the
   * settings it has. Pipelines that were handed out keep their policies in their order; further
   * ones are as these configurations have them. So is what the base sets: read these with the one
   * with which the policies were made, or its executors, functions and the like are gone.
   *
   * @return the policies that were changed
   * @throws dev.recloser.InvalidConfigurationException when a policy reads another ticker than
   *     these configurations; nothing is changed then
   */
  public List<Policy> applyTo(ConfiguredPolicies policies) {
    return policies.change(this).changed();
  }

  /** Those of a kind. */
  @SuppressWarnings("unchecked") // As they were put in.
  <C> NamedConfigs<C> named(PolicyKind<?, C> kind) {
    return (NamedConfigs<C>) Objects.requireNonNull(configs.get(kind), "kind");
  }

  Map<String, PipelinePlan> plans() {
    return pipelines;
  }

  /** Where the files are that were read; empty if it was something else. */
  List<Path> files() {
    return files;
  }

  /** Who hears of what the policies do. */
  List<Consumer<? super PolicyEvent>> listeners() {
    return listeners;
  }

  /** What the names in it stand for. */
  NamedObjects objects() {
    return objects;
  }

  /** Sets the base with which they were read. */
  Consumer<? super Base> base() {
    return settings;
  }

  private <C, T> Map<String, T> configsOf(PolicyKind<?, C> kind, Function<C, T> config) {
    Map<String, T> all = new LinkedHashMap<>();
    named(kind).instances().forEach((name, plan) -> all.put(name, config.apply(plan)));
    return Collections.unmodifiableMap(all);
  }

  private static List<Part> partsOf(List<Blocks<?, ?>> kinds, Part... others) {
    List<Part> parts = new ArrayList<>(kinds);
    Collections.addAll(parts, others);
    return parts;
  }

  private static <B> void assemble(Blocks<B, ?> blocks, Base base) {
    blocks.assemble(base.of(blocks.kind()));
  }

  private static Blocks<?, ?> breakersOf(List<Blocks<?, ?>> kinds) {
    return kinds.stream()
        .filter(each -> each.kind() == PolicyKind.CIRCUIT_BREAKER)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Sets what holds for all policies of a kind where it is not written. Each setter adds to what
   * was set before; what it is given is called once for each configuration that is made. Not
   * thread-safe.
   */
  public static final class Base {
    /** By kind, each of what the settings of that kind are made on. */
    private final Map<PolicyKind<?, ?>, Consumer<?>> settings = new HashMap<>();

    private Function<? super String, @Nullable String> placeholders = Placeholders::ofSystem;
    private @Nullable Function<? super String, ? extends @Nullable Object> beans;

    private Base() {}

    /** Sets what holds for circuit breakers. Default: nothing. */
    public Base circuitBreaker(Consumer<? super CircuitBreakerConfig.Builder> settings) {
      return add(PolicyKind.CIRCUIT_BREAKER, settings);
    }

    /** Sets what holds for retries. Default: nothing. */
    public Base retry(Consumer<? super RetryConfig.Builder> settings) {
      Objects.requireNonNull(settings, "settings");
      return add(PolicyKind.RETRY, draft -> draft.set(settings));
    }

    /** Sets what holds for hedges. Default: nothing. */
    public Base hedge(Consumer<? super HedgeConfig.Builder> settings) {
      Objects.requireNonNull(settings, "settings");
      return add(PolicyKind.HEDGE, draft -> draft.set(settings));
    }

    /** Sets what holds for bulkheads that are not of threads. Default: nothing. */
    public Base bulkhead(Consumer<? super BulkheadConfig.Builder> settings) {
      return add(PolicyKind.BULKHEAD, settings);
    }

    /**
     * Sets what holds for bulkheads of threads. With a {@code callExecutor}, such as one of virtual
     * threads, calls run on that, and the bulkheads have no threads of their own. Default: nothing.
     */
    public Base threadPoolBulkhead(Consumer<? super BulkheadConfig.Builder> settings) {
      Objects.requireNonNull(settings, "settings");
      return add(PolicyKind.THREAD_POOL_BULKHEAD, draft -> draft.set(settings));
    }

    /** Sets what holds for rate limiters. Default: nothing. */
    public Base rateLimiter(Consumer<? super RateLimiterConfig.Builder> settings) {
      return add(PolicyKind.RATE_LIMITER, settings);
    }

    /** Sets what holds for timeouts. Default: nothing. */
    public Base timeout(Consumer<? super TimeoutConfig.Builder> settings) {
      return add(PolicyKind.TIMEOUT, settings);
    }

    /**
     * Sets what the placeholder {@code ${name}} stands for, a property of a framework for example.
     * Default: the system property, else the environment variable of that name, which may be
     * written as shells do: {@code INVENTORY_WAIT} for {@code inventory.wait}.
     *
     * @param variables the value of a name, null where there is none; called once for each
     *     placeholder
     */
    public Base placeholders(Function<? super String, @Nullable String> variables) {
      placeholders = Objects.requireNonNull(variables, "variables");
      return this;
    }

    /**
     * Sets where functions and executors come from that a file names, such as a container. A name
     * that it does not know is that of a class, of which one is made by a public constructor
     * without parameters, and shared by all who name it. Default: there are classes only.
     *
     * <pre>{@code
     * base.beans(name -> context.containsBean(name) ? context.getBean(name) : null)
     * }</pre>
     *
     * @param beans the object of a name, null where there is none; called once for each place that
     *     gives a name. What it throws is told as a fault of that place
     */
    public Base beans(Function<? super String, ? extends @Nullable Object> beans) {
      this.beans = Objects.requireNonNull(beans, "beans");
      return this;
    }

    /** Sets the ticker that policies of all kinds read. Default: {@link Ticker#system()}. */
    public Base ticker(Ticker ticker) {
      Objects.requireNonNull(ticker, "ticker");
      return circuitBreaker(builder -> builder.ticker(ticker))
          .retry(builder -> builder.ticker(ticker))
          .hedge(builder -> builder.ticker(ticker))
          .bulkhead(builder -> builder.ticker(ticker))
          .threadPoolBulkhead(builder -> builder.ticker(ticker))
          .rateLimiter(builder -> builder.ticker(ticker))
          .timeout(builder -> builder.ticker(ticker));
    }

    /** Sets the scheduler that policies of all kinds use. Default: {@link Scheduler#system()}. */
    public Base scheduler(Scheduler scheduler) {
      Objects.requireNonNull(scheduler, "scheduler");
      return circuitBreaker(builder -> builder.scheduler(scheduler))
          .retry(builder -> builder.scheduler(scheduler))
          .hedge(builder -> builder.scheduler(scheduler))
          .bulkhead(builder -> builder.scheduler(scheduler))
          .threadPoolBulkhead(builder -> builder.scheduler(scheduler))
          .rateLimiter(builder -> builder.scheduler(scheduler))
          .timeout(builder -> builder.scheduler(scheduler));
    }

    /** What holds for a kind. */
    @SuppressWarnings("unchecked") // As they were put in.
    private <B> Consumer<B> of(PolicyKind<B, ?> kind) {
      return (Consumer<B>) settings.getOrDefault(kind, builder -> {});
    }

    private <B> Base add(PolicyKind<B, ?> kind, Consumer<? super B> more) {
      settings.put(kind, of(kind).andThen(Objects.requireNonNull(more, "settings")));
      return this;
    }
  }
}
