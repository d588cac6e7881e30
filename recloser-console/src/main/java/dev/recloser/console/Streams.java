package dev.recloser.console;

import dev.recloser.Ticker;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The places for those who watch. Each takes a thread of the server, so there are only so many, and
 * a reader who does not read holds one in a write that does not end. Such a one is put out when
 * somebody else wants a place: its thread is interrupted, which closes a channel of the JDK that it
 * waits on. Thread-safe.
 */
final class Streams implements AutoCloseable {
  /** How long a write may take before its reader is taken for gone. */
  private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

  private final int most;
  private final Ticker ticker;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Guarded by this. */
  private final Set<Place> places = new LinkedHashSet<>();

  Streams(int most, Ticker ticker) {
    this.most = most;
    this.ticker = ticker;
  }

  synchronized Place enter() {
    if (places.size() >= most) {
      putOutTheStuck();
    }
    if (closed.getCount() == 0) {
      throw Problem.of(503, "Closed", "this panel has been closed");
    }
    if (places.size() >= most) {
      throw Problem.of(
              503,
              "Too many watch",
              "streams: " + places.size() + " (expected: at most " + most + ")")
          .with("Retry-After", "10");
    }
    Place place = new Place();
    places.add(place);
    return place;
  }

  /**
   * Waits before the next look.
   *
   * @return false when all is over
   */
  boolean sleep(Duration interval) throws IOException {
    try {
      return !closed.await(interval.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // The server ends its threads.
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  synchronized int taken() {
    return places.size();
  }

  /** Ends all streams, those that are stuck at once and the others when they look. */
  @Override
  public synchronized void close() {
    closed.countDown();
    places.forEach(Place::interruptWrite);
  }

  private void putOutTheStuck() {
    long now = ticker.nanoTime();
    for (Iterator<Place> all = places.iterator(); all.hasNext(); ) {
      if (all.next().putOutIfStuck(now)) {
        all.remove();
      }
    }
  }

  /** One stream. */
  final class Place implements AutoCloseable {
    /** The thread while it writes, and since when. Guarded by this place. */
    private @Nullable Thread writer;

    private long since;

    /** Writes what a reader may keep waiting, but not for ever. */
    void write(OutputStream out, byte[] bytes) throws IOException {
      begin();
      try {
        out.write(bytes);
        out.flush();
      } finally {
        end();
      }
    }

    private synchronized void begin() {
      writer = Thread.currentThread();
      since = ticker.nanoTime();
    }

    /** An interrupt that came too late is for nobody else. */
    private synchronized void end() {
      if (writer == null) {
        boolean unused = Thread.interrupted();
      }
      writer = null;
    }

    private synchronized boolean putOutIfStuck(long now) {
      return now - since > PATIENCE_NANOS && interruptWrite();
    }

    private synchronized boolean interruptWrite() {
      Thread stuck = writer;
      if (stuck == null) {
        return false;
      }
      writer = null;
      stuck.interrupt();
      return true;
    }

    @Override
    public void close() {
      synchronized (Streams.this) {
        places.remove(this);
      }
    }
  }
}
