package dev.recloser.config;

import dev.recloser.Cancellable;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Scheduler;
import dev.recloser.config.ConfigurationReload.Change;
import dev.recloser.config.InvalidConfigurationFileException.Problem;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows files: when they have changed, the living policies are as they have it. All or nothing:
 * files of which anything is wrong change nothing, and that is told once. State, counters and what
 * was learnt stay, as {@link PolicyConfigs#applyTo} says.
 *
 * <pre>{@code
 * List<Path> files = List.of(Path.of("application.yml"));
 * ConfiguredPolicies policies = PolicyConfigs.load(files, base -> {}).policies();
 * ConfigurationWatch watch = ConfigurationWatch.start(policies, files, settings -> {});
 * }</pre>
 *
 * <p>What holds where no file sets it is what the base sets with which the policies were made; it
 * is asked again each time. Classes that the files name are loaded, and the base and the listener
 * are run, with the context class loader of the thread that started it.
 *
 * <p>Every change is logged, one line for each key with its old and its new value, and every
 * problem, under {@code dev.recloser.config}.
 *
 * <p>Thread-safe. Until it is closed, there is a timer; it holds no thread.
 *
 * @implNote The files are read at each interval. What was read is taken when it is the same as at
 *     the look before, so that a file that is being written is not taken half. No operating system
 *     is asked for news: that fails for links, network drives and mounted configuration.
 */
public final class ConfigurationWatch implements AutoCloseable {
  /** How often the files are looked at unless set: 5 s. */
  public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger("dev.recloser.config");

  private final ConfiguredPolicies policies;
  private final List<Path> files;
  private final Settings settings;

  /** That of the application. The threads of a scheduler may have another one. */
  private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

  /*
   * What only the task touches: the next one is scheduled when it ends, so there is one at a time,
   * and the scheduler hands the memory from each to the next.
   */
  private @Nullable List<TextFile> seen;
  private @Nullable List<TextFile> taken;

  /** Whether the last news were that something is wrong. */
  private boolean refused;

  private volatile boolean closed;

  /** Written by the task and by whoever starts it; read by whoever closes. */
  private volatile @Nullable Cancellable timer;

  private ConfigurationWatch(ConfiguredPolicies policies, List<Path> files, Settings settings) {
    this.policies = policies;
    this.files = files;
    this.settings = settings;
  }

  /**
   * Begins to follow files.
   *
   * @param policies what shall be as the files have it
   * @param files at least one, as for {@link PolicyConfigs#load(List, Consumer)}; where the
   *     policies were loaded from files, the same in the same order
   * @param settings sets how
   * @throws IllegalArgumentException when there is no file, or the policies were loaded from others
   * @throws InvalidConfigurationFileException when one is not there or no text; lists them all
   * @throws InvalidConfigurationException when a setting is wrong
   */
  public static ConfigurationWatch start(
      ConfiguredPolicies policies, List<Path> files, Consumer<? super Settings> settings) {
    Objects.requireNonNull(policies, "policies");
    checkFiles(policies, files);
    Settings all = new Settings();
    settings.accept(all);
    all.check();
    ConfigurationWatch watch = new ConfigurationWatch(policies, List.copyOf(files), all);
    watch.scheduleNext();
    return watch;
  }

  /** What is to be followed from other files would undo what the policies have. */
  private static void checkFiles(ConfiguredPolicies policies, List<Path> files) {
    if (files.isEmpty()) {
      throw new IllegalArgumentException("files: none (expected: at least one)");
    }
    List<Path> loaded = policies.files();
    if (!loaded.isEmpty() && !loaded.equals(TextFile.locations(files))) {
      throw new IllegalArgumentException(
          "files: %s (expected: those that the policies were loaded from, in their order: %s)"
              .formatted(files, loaded));
    }
    List<Problem> problems =
        TextFile.readAll(files).stream()
            .map(TextFile::problem)
            .filter(Objects::nonNull)
            .<Problem>map(problem -> problem)
            .toList();
    if (!problems.isEmpty()) {
      throw new InvalidConfigurationFileException(problems);
    }
  }

  /** Stops following. What is being read at this moment may still be taken. */
  @Override
  public void close() {
    closed = true;
    Cancellable present = timer;
    if (present != null) {
      present.cancel();
    }
  }

  /** If it is closed meanwhile, one of the two sees what the other has written. */
  private void scheduleNext() {
    if (closed) {
      return;
    }
    Cancellable next = settings.scheduler.schedule(this::run, settings.interval);
    timer = next;
    if (closed) {
      next.cancel();
    }
  }

  private void run() {
    try {
      lookAsStarter();
    } catch (RuntimeException | Error e) { // One that is not foreseen; the next look is due.
      LOG.log(Level.ERROR, "Looking at " + files + " failed", e);
    } finally {
      scheduleNext();
    }
  }

  /** Looks with the class loader with which the files were first read. */
  private void lookAsStarter() {
    Thread thread = Thread.currentThread();
    ClassLoader own = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      look();
    } finally {
      thread.setContextClassLoader(own);
    }
  }

  private void look() {
    List<TextFile> present = TextFile.readAll(files);
    if (!present.equals(seen)) {
      seen = present;
    } else if (!present.equals(taken)) {
      taken = present; // Also if it is wrong: it is told once, not at each look.
      take(present);
    }
  }

  /** Takes what has been read. Reading it again might find what nobody has looked at twice. */
  private void take(List<TextFile> present) {
    try {
      took(policies.change(present).changes());
    } catch (InvalidConfigurationFileException e) {
      refuse(e.problems(), e.getMessage(), null);
    } catch (InvalidConfigurationException e) {
      refuse(e.faults().stream().map(this::problem).toList(), e.getMessage(), null);
    } catch (RuntimeException | Error e) { // Of the base, or one that is not foreseen.
      Problem thrown = problem(null, e.toString(), "a base that does not throw");
      refuse(List.of(thrown), thrown.toString(), e);
    }
  }

  private void took(List<Change> changes) {
    changes.forEach(change -> LOG.log(Level.INFO, "Configuration changed: " + change));
    if (refused && changes.isEmpty()) {
      LOG.log(Level.INFO, "Configuration is right again, nothing is changed");
    }
    if (refused || !changes.isEmpty()) {
      refused = false;
      tell(new ConfigurationReload(files, changes, List.of()));
    }
  }

  private void refuse(List<Problem> problems, @Nullable String message, @Nullable Throwable cause) {
    refused = true;
    LOG.log(Level.ERROR, "Configuration not taken, nothing is changed:\n" + message, cause);
    tell(new ConfigurationReload(files, List.of(), problems));
  }

  private void tell(ConfigurationReload reload) {
    try {
      settings.listener.accept(reload);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "A listener of a configuration watch threw", e);
    }
  }

  private Problem problem(InvalidConfigurationException.Fault fault) {
    return problem(fault.setting(), fault.value(), fault.expected());
  }

  /** One that no line is known for. */
  private Problem problem(@Nullable String key, String value, String expected) {
    return new Problem(files.get(0).toString(), 0, key, value, expected);
  }

  /** Sets how files are followed. Not thread-safe. */
  public static final class Settings {
    private Duration interval = DEFAULT_INTERVAL;
    private Scheduler scheduler = Scheduler.system();
    private Consumer<? super ConfigurationReload> listener = reload -> {};

    private Settings() {}

    /** Sets how often the files are looked at. At least 10 ms. Default: 5 s. */
    public Settings interval(Duration interval) {
      this.interval = Objects.requireNonNull(interval, "interval");
      return this;
    }

    /**
     * Sets what runs the looks, which read the files. Default: {@link Scheduler#system()}.
     *
     * @param scheduler one that runs tasks which block for as long as it takes to read the files
     */
    public Settings scheduler(Scheduler scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
      return this;
    }

    /**
     * Sets who is told when files were taken that change something, when they were not since
     * something is wrong, and when they are right again after that. What it throws is logged and
     * changes nothing. Default: nobody.
     */
    public Settings onReload(Consumer<? super ConfigurationReload> listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    private void check() {
      FaultList faults = new FaultList();
      boolean right = interval.compareTo(Duration.ofMillis(10)) >= 0;
      faults.check(right, "interval", Told.time(interval), "at least 10 ms");
      faults.throwIfAny("A configuration watch");
    }
  }
}
