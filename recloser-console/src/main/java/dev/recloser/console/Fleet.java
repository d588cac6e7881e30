package dev.recloser.console;

import dev.recloser.Cancellable;
import dev.recloser.Scheduler;
import dev.recloser.Ticker;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The panels of other processes, read while somebody watches: the first look begins it, and half a
 * minute after the last one all connections are given up and all is forgotten.
 *
 * <p>Thread-safe. Its lock is taken before that of a feed, never the other way round, and neither
 * is held while user code runs or a connection is waited for: those have threads of their own.
 */
final class Fleet implements Moment.Source<FleetBoard>, AutoCloseable {
  /** How often it is asked who belongs to the fleet. */
  static final Duration DISCOVERY = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger(Console.class.getName());
  private static final long LEASE_NANOS = Duration.ofSeconds(30).toNanos();
  private static final Duration TICK = Duration.ofMillis(500);

  private final Supplier<? extends Map<String, URI>> discovery;
  private final Map<String, Supplier<String>> headers;
  private final long intervalNanos;
  private final Ticker ticker;
  private final Scheduler scheduler;
  private final Executor threads = threads();

  // Guarded by this.
  private @Nullable Watch watch;
  private FleetBoard board = FleetBoard.NONE;
  private boolean closed;
  private @Nullable String discoveryFault;

  /** Whether it is being asked, though for a watch that is over: one that hangs is asked once. */
  private boolean discovering;

  /** What there is while somebody watches. Guarded by the fleet. */
  private final class Watch {
    final FleetClient client = new FleetClient(threads, headers);
    final TreeMap<String, InstanceFeed> feeds = new TreeMap<>();
    final FleetRates rates = new FleetRates();
    long askedAt = ticker.nanoTime();
    long lookedAt = askedAt;
    boolean looked;
    long discoveredAt = askedAt - DISCOVERY.toNanos();
    Cancellable timer = () -> {};
  }

  Fleet(
      Supplier<? extends Map<String, URI>> discovery,
      Map<String, Supplier<String>> headers,
      Duration interval,
      Ticker ticker,
      Scheduler scheduler) {
    this.discovery = discovery;
    this.headers = Map.copyOf(headers);
    intervalNanos = interval.toNanos();
    this.ticker = ticker;
    this.scheduler = scheduler;
  }

  /** As many as it takes and for as long: there are none while nobody watches. */
  private static Executor threads() {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        /* keepAliveTime= */ 10,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "recloser-fleet-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  @Override
  public FleetBoard nothing() {
    return FleetBoard.NONE;
  }

  @Override
  public synchronized FleetBoard recent() {
    Watch now = watching();
    return now == null ? FleetBoard.NONE : look(now);
  }

  @Override
  public synchronized FleetBoard present() {
    Watch now = watching();
    if (now == null) {
      return FleetBoard.NONE;
    }
    long age = ticker.nanoTime() - now.lookedAt;
    return now.looked && age < intervalNanos - intervalNanos / 10 ? board : look(now);
  }

  /** Null once it is closed. */
  private @Nullable Watch watching() {
    if (closed) {
      return null;
    }
    if (watch == null) {
      watch = new Watch();
      tick(watch);
    }
    watch.askedAt = ticker.nanoTime();
    return watch;
  }

  private FleetBoard look(Watch now) {
    long at = ticker.nanoTime();
    SortedMap<String, FleetColumn> columns = new TreeMap<>();
    Map<String, String> names = new HashMap<>();
    now.feeds.forEach(
        (name, feed) -> {
          FleetColumn column = feed.look();
          Map<String, Counts> counted = feed.takeCounted();
          String first = column.head().live() ? firstOf(names, column) : null;
          if (first == null) {
            now.rates.add(counted);
          }
          columns.put(name, first == null ? column : column.doubled(first));
        });
    SortedMap<String, FleetSum> sums = FleetSums.of(columns.values());
    now.rates.mark(at, sums.keySet());
    sums.replaceAll((name, sum) -> sum.with(now.rates.of(name, at)));
    now.lookedAt = at;
    now.looked = true;
    board = new FleetBoard(board.number() + 1, at, columns, sums);
    return board;
  }

  /** Behind two addresses may be one process, whose calls would be counted twice. */
  private static @Nullable String firstOf(Map<String, String> names, FleetColumn column) {
    String instance = Objects.requireNonNull(column.head().instance());
    return names.putIfAbsent(instance, column.name());
  }

  @SuppressWarnings("ReferenceEquality") // Which watch it is.
  private synchronized void tick(Watch of) {
    if (of != watch) {
      return;
    }
    long now = ticker.nanoTime();
    if (now - of.askedAt >= LEASE_NANOS) {
      end();
      return;
    }
    if (!discovering && now - of.discoveredAt >= DISCOVERY.toNanos()) {
      discovering = true;
      threads.execute(() -> discover(of));
    }
    of.feeds.values().forEach(InstanceFeed::tick);
    of.timer = scheduler.schedule(() -> tick(of), TICK);
  }

  private void discover(Watch of) {
    SortedMap<String, URI> found = null;
    try {
      found = Instances.checked(Objects.requireNonNull(discovery.get(), "instances"));
      discovered();
    } catch (Throwable e) {
      discoveryFailed(e);
    }
    update(of, found);
  }

  private synchronized void discovered() {
    discoveryFault = null;
  }

  /** Once for each that is another: it is asked every few seconds. */
  private void discoveryFailed(Throwable thrown) {
    String fault = thrown.toString();
    synchronized (this) {
      if (fault.equals(discoveryFault)) {
        return;
      }
      discoveryFault = fault;
    }
    LOG.log(
        System.Logger.Level.WARNING,
        "What says who belongs to the fleet failed; nothing changes",
        thrown);
  }

  @SuppressWarnings("ReferenceEquality")
  private synchronized void update(Watch of, @Nullable SortedMap<String, URI> found) {
    discovering = false;
    of.discoveredAt = ticker.nanoTime();
    if (of != watch || found == null) {
      return;
    }
    of.feeds
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !entry.getValue().uri().equals(found.get(entry.getKey()));
              if (gone) {
                entry.getValue().close();
              }
              return gone;
            });
    found.forEach(
        (name, uri) -> {
          if (!of.feeds.containsKey(name)) {
            InstanceFeed feed = new InstanceFeed(name, uri, of.client, ticker);
            of.feeds.put(name, feed);
            feed.tick();
          }
        });
  }

  private void end() {
    if (watch != null) {
      watch.timer.cancel();
      watch.feeds.values().forEach(InstanceFeed::close);
    }
    watch = null;
    board = new FleetBoard(board.number(), board.at(), new TreeMap<>(), new TreeMap<>());
  }

  /** Gives up all connections; there are no others after that. */
  @Override
  public synchronized void close() {
    closed = true;
    end();
  }
}
