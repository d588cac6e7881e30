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
 * <p>Every change is logged, one line for each key with its old and its new value, and every
 * problem, under {@code dev.recloser.config}.
 *
 * <p>Thread-safe. Until it is closed, there is a timer; it holds no thread.
 *
 * @implNote The files are read at each interval and taken when they have looked the same twice, so
 *     that one that is being written is not taken half. No operating system is asked for news: that
 *     fails for links, network drives and mounted configuration.
 */
public final class ConfigurationWatch implements AutoCloseable {
  /** How often the files are looked at unless set: 5 s. */
  public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger("dev.recloser.config");

  private final ConfiguredPolicies policies;
  private final List<Path> files;
  private final Settings settings;

  /*
   * What only the task touches: the next one is scheduled when it ends, so there is one at a time,
   * and the scheduler hands the memory from each to the next.
   */
  private @Nullable FileContents taken;
  private @Nullable FileContents seen;

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
   * @param files at least one, as for {@link PolicyConfigs#load(List, Consumer)}
   * @param settings sets how
   * @throws IllegalArgumentException when there is no file
   * @throws InvalidConfigurationException when a setting is wrong
   */
  public static ConfigurationWatch start(
      ConfiguredPolicies policies, List<Path> files, Consumer<? super Settings> settings) {
    Objects.requireNonNull(policies, "policies");
    if (files.isEmpty()) {
      throw new IllegalArgumentException("files: none (expected: at least one)");
    }
    Settings all = new Settings();
    settings.accept(all);
    all.check();
    ConfigurationWatch watch = new ConfigurationWatch(policies, List.copyOf(files), all);
    watch.scheduleNext();
    return watch;
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
      look();
    } catch (RuntimeException | Error e) { // One that is not foreseen; the next look is due.
      LOG.log(Level.ERROR, "Looking at " + files + " failed", e);
    } finally {
      scheduleNext();
    }
  }

  private void look() {
    FileContents present = FileContents.of(files);
    boolean same = present.equals(seen);
    seen = present;
    if (same && !present.equals(taken)) {
      taken = present; // Also if it is wrong: it is told once, not at each look.
      take();
    }
  }

  private void take() {
    try {
      PolicyConfigs configs = policies.configs().again(files, settings.base);
      FindingLog.log(configs::findings);
      List<Change> changes = policies.change(configs).changes();
      if (!changes.isEmpty()) {
        changes.forEach(change -> LOG.log(Level.INFO, "Configuration changed: " + change));
        tell(new ConfigurationReload(files, changes, List.of()));
      }
    } catch (InvalidConfigurationFileException e) {
      refuse(e.problems(), String.valueOf(e.getMessage()));
    } catch (InvalidConfigurationException e) {
      refuse(e.faults().stream().map(this::problem).toList(), String.valueOf(e.getMessage()));
    }
  }

  private void refuse(List<Problem> problems, String message) {
    LOG.log(Level.ERROR, "Configuration not taken, nothing is changed:\n" + message);
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
    String first = files.get(0).toString();
    return new Problem(first, 0, fault.setting(), fault.value(), fault.expected());
  }

  /** Sets how files are followed. Not thread-safe. */
  public static final class Settings {
    private Duration interval = DEFAULT_INTERVAL;
    private Scheduler scheduler = Scheduler.system();
    private Consumer<? super PolicyConfigs.Base> base = base -> {};
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
     * Sets what holds where no file sets it: the same as when the files were first read. Default:
     * nothing.
     */
    public Settings base(Consumer<? super PolicyConfigs.Base> base) {
      this.base = Objects.requireNonNull(base, "base");
      return this;
    }

    /**
     * Sets who is told when files were taken that change something, and when they were not since
     * something is wrong. What it throws is logged and changes nothing. Default: nobody.
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
