package dev.recloser.console;

import dev.recloser.Cancellable;
import dev.recloser.Scheduler;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;

/**
 * Lets threads wait for a client, but not for ever: one that waits longer is interrupted, which
 * closes a channel of the JDK that it waits on, and so the connection. Thread-safe.
 *
 * <p>The JDK's server has a limit of its own, {@code sun.net.httpserver.maxReqTime}, but it is a
 * system property, and one for all servers of a JVM: it would cut off long uploads to an
 * application that has nothing to do with this panel.
 */
final class Patience {
  /** Ten seconds are long for a request of a few hundred bytes, be it over a bad line. */
  static final Duration DEFAULT = Duration.ofSeconds(10);

  /** What a reader takes in that time, at least: 6 kB a second, where the pages are some 100 kB. */
  private static final int PIECE = 65_536;

  private final Scheduler scheduler;
  private final Duration most;

  Patience(Scheduler scheduler, Duration most) {
    this.scheduler = scheduler;
    this.most = most;
  }

  /** The calling thread waits for a client from now on, until that is ended. */
  Wait begin() {
    return new Wait(scheduler, most);
  }

  /** Does what may wait for a client. */
  void run(Waiting waiting) throws IOException {
    Boolean unused =
        answerOf(
            () -> {
              waiting.run();
              return true;
            });
  }

  private <T> T answerOf(Asking<T> asking) throws IOException {
    Wait wait = begin();
    try {
      return asking.ask();
    } finally {
      wait.end();
    }
  }

  /** Waits for a client to send: for many bytes that are asked for at once as long as for one. */
  InputStream reading(InputStream in) {
    return new Reading(in);
  }

  /** Waits for a client to read: for each piece anew, for one may be slow, but must go on. */
  OutputStream writing(OutputStream out) {
    return new Writing(out);
  }

  /** What may wait for a client. */
  @FunctionalInterface
  interface Waiting {
    void run() throws IOException;
  }

  /** The same with an answer. */
  @FunctionalInterface
  private interface Asking<T> {
    T ask() throws IOException;
  }

  /** One wait of one thread. */
  static final class Wait {
    private final Thread waiter = Thread.currentThread();
    private final Cancellable timer;

    // Guarded by this.
    private boolean over;
    private boolean givenUp;

    private Wait(Scheduler scheduler, Duration most) {
      timer = scheduler.schedule(this::giveUp, most);
    }

    /** Under the lock, so that nobody is interrupted who has gone on to something else. */
    private synchronized void giveUp() {
      if (!over) {
        givenUp = true;
        waiter.interrupt();
      }
    }

    /** Ends it, on the same thread. An interrupt that came too late is for nobody else. */
    void end() {
      timer.cancel();
      synchronized (this) {
        if (givenUp && !over) {
          boolean unused = Thread.interrupted();
        }
        over = true;
      }
    }
  }

  private final class Reading extends FilterInputStream {
    Reading(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      return answerOf(() -> in.read());
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return answerOf(() -> in.read(into, offset, length));
    }

    @Override
    public byte[] readNBytes(int most) throws IOException {
      return answerOf(() -> in.readNBytes(most));
    }
  }

  private final class Writing extends OutputStream {
    private final OutputStream out;

    Writing(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b});
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (int at = 0; at < length; at += PIECE) {
        int from = at;
        run(() -> out.write(bytes, offset + from, Math.min(PIECE, length - from)));
      }
    }

    @Override
    public void flush() throws IOException {
      run(() -> out.flush());
    }

    @Override
    public void close() throws IOException {
      run(() -> out.close());
    }
  }
}
