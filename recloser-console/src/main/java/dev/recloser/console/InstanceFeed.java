package dev.recloser.console;

import dev.recloser.Ticker;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Follows one instance: holds a connection to it, makes another when that has ended, and keeps what
 * was told last. Never more than one connection at a time: what an older one still tells is passed
 * over. Thread-safe.
 */
final class InstanceFeed implements FeedConnection.Listener, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Console.class.getName());

  /** Longer than two heartbeats: silence for so long is a connection that is dead. */
  static final Duration SILENCE = Duration.ofSeconds(12);

  /** The longest wait before another connection. */
  static final Duration MOST_WAIT = Duration.ofSeconds(30);

  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);

  /** A connection that has lasted so long is one that works, after which waits begin anew. */
  private static final Duration STEADY = Duration.ofSeconds(10);

  private final String name;
  private final URI uri;
  private final FleetClient client;
  private final Ticker ticker;

  // Guarded by this.
  private final InstanceRows rows = new InstanceRows();
  private @Nullable FeedConnection connection;

  /** Whether a thread still makes a request, which may wait for a value of a header field. */
  private boolean opening;

  private long connectedAt;
  private long retryAt;
  private int failures;
  private boolean told;
  private @Nullable String instance;
  private long heardAt;
  private @Nullable String problem;
  private boolean closed;

  InstanceFeed(String name, URI uri, FleetClient client, Ticker ticker) {
    this.name = name;
    this.uri = uri;
    this.client = client;
    this.ticker = ticker;
    retryAt = ticker.nanoTime();
  }

  URI uri() {
    return uri;
  }

  /** Does what is due: a connection, or the end of one that is dead. */
  void tick() {
    FeedConnection silent = null;
    synchronized (this) {
      long now = ticker.nanoTime();
      if (closed) {
        return;
      }
      if (connection == null && !opening && now - retryAt >= 0) {
        connect(now);
      } else if (connection != null && isSilent(now)) {
        silent = connection;
      }
    }
    if (silent != null) {
      ended(silent, new FeedFault("silent for " + SILENCE.toSeconds() + " s"));
      client.close(silent);
    }
  }

  private void connect(long now) {
    connection = new FeedConnection(this);
    connectedAt = now;
    told = false;
    // Returns at once, and calls back on another thread, which waits for the lock if need be.
    client.open(uri, connection, this::opened);
    opening = true;
  }

  private synchronized void opened() {
    opening = false;
  }

  private boolean isSilent(long now) {
    return now - (told ? heardAt : connectedAt) >= SILENCE.toNanos();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Which connection it is.
  public synchronized void heard(FeedConnection from, String type, RemoteEvent event) {
    if (from != connection) {
      return;
    }
    if (!told && !type.equals("snapshot")) {
      throw FeedFault.notAPanel("sends " + type + " before a snapshot");
    }
    long now = ticker.nanoTime();
    if (type.equals("snapshot")) {
      if (!event.instance().equals(instance)) {
        rows.clear();
      }
      rows.snapshot(event, now);
      instance = event.instance();
      problem = null;
      told = true;
    } else if (!event.instance().equals(instance)) {
      throw FeedFault.notAPanel("becomes another instance in the middle of a stream");
    } else {
      rows.changes(event, now);
    }
    heardAt = now;
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public synchronized void ended(FeedConnection from, @Nullable Throwable cause) {
    if (from != connection) {
      return;
    }
    long now = ticker.nanoTime();
    boolean steady = told && now - connectedAt >= STEADY.toNanos();
    failures = steady ? 1 : failures + 1;
    retryAt = now + waitNanos();
    problem = words(cause);
    connection = null;
  }

  /** Half of it is random, so that panels and instances do not meet in step. */
  private long waitNanos() {
    double wait = (double) FIRST_WAIT.toNanos() * Math.pow(2, Math.min(failures, 30) - 1.0);
    double most = Math.min(wait, (double) MOST_WAIT.toNanos());
    return (long) (most / 2 + most / 2 * ThreadLocalRandom.current().nextDouble());
  }

  private static String words(@Nullable Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (cause == null) {
      return "has ended the connection";
    }
    if (cause instanceof FeedFault fault) {
      return fault.words();
    }
    if (cause instanceof HttpConnectTimeoutException) {
      return "not reached: no connection in time";
    }
    if (cause instanceof ConnectException) {
      return cause.getCause() instanceof UnresolvedAddressException
          ? "not reached: nobody knows its host"
          : "not reached: the connection was refused";
    }
    // What is thrown may quote what the other side has sent, at any length.
    LOG.log(System.Logger.Level.DEBUG, "The connection to an instance broke", cause);
    return "the connection broke";
  }

  /** What is known now. */
  synchronized FleetColumn look() {
    long now = ticker.nanoTime();
    boolean live = connection != null && told && !isSilent(now);
    FleetColumn.Head head = new FleetColumn.Head(name, uri, live, problem, instance);
    return new FleetColumn(head, rows.cells(), live ? now : heardAt);
  }

  /** The calls since they were taken last, by breaker. */
  synchronized Map<String, Counts> takeCounted() {
    return rows.takeCounted();
  }

  @Override
  public void close() {
    FeedConnection last;
    synchronized (this) {
      closed = true;
      last = connection;
      connection = null;
    }
    if (last != null) {
      client.close(last);
    }
  }
}
