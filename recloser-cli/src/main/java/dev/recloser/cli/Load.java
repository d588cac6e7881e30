package dev.recloser.cli;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The customers. They come at a steady rate and do not wait for each other, however slow the
 * answers are; and an answer's time runs from when its request was due, so that a late start does
 * not hide in the figures.
 */
final class Load implements AutoCloseable {
  static final int ORDERS_PER_SECOND = 80;
  static final int PAGES_PER_SECOND = 40;

  /** Two orders, a page, and so on. */
  private static final int PAGE_EVERY = 3;

  private static final Duration BETWEEN_REQUESTS =
      Duration.ofSeconds(1).dividedBy(ORDERS_PER_SECOND + PAGES_PER_SECOND);

  /** No request is waited for longer, so that a run ends in any case. */
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private final ExecutorService executor =
      Executors.newFixedThreadPool(2, DemoThreads.named("customers"));
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(DemoThreads.named("load"));
  private final HttpClient client = Loopback.client(executor);
  private final RunClock clock;
  private final Tally tally;
  private final URI uri;
  private final AtomicInteger pending = new AtomicInteger();

  Load(RunClock clock, Tally tally, URI uri) {
    this.clock = clock;
    this.tally = tally;
    this.uri = uri;
  }

  /** Starts to send what falls into a time from the start of the run. */
  void start(Duration length) {
    pending.incrementAndGet();
    sender.execute(() -> sendAll(length));
  }

  /** Whether everything has been sent and every request has ended in one way or another. */
  boolean isDone() {
    return pending.get() == 0;
  }

  @Override
  public void close() {
    DemoThreads.end(sender);
    Loopback.close(client);
    DemoThreads.end(executor);
  }

  private void sendAll(Duration length) {
    try {
      Duration due = Duration.ZERO;
      for (int number = 1; due.compareTo(length) < 0; number++) {
        clock.sleepUntil(due);
        send(number, due);
        due = BETWEEN_REQUESTS.multipliedBy(number);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      pending.decrementAndGet();
    }
  }

  private void send(int number, Duration due) {
    if (number % PAGE_EVERY == 0) {
      tally.add(Count.PAGES_SENT);
      send(HttpRequest.newBuilder(uri.resolve("/catalog/" + number)), due, this::pageEnded);
    } else {
      tally.orderSent(clock.phase());
      HttpRequest.Builder order =
          HttpRequest.newBuilder(uri.resolve("/orders/" + number)).POST(BodyPublishers.noBody());
      send(order, due, this::orderEnded);
    }
  }

  private void send(HttpRequest.Builder request, Duration due, End end) {
    pending.incrementAndGet();
    var unused =
        client
            .sendAsync(request.timeout(LIMIT).build(), BodyHandlers.ofString())
            .whenComplete(
                (response, thrown) -> {
                  try {
                    end.of(response, clock.elapsed().minus(due).toNanos());
                  } finally {
                    pending.decrementAndGet();
                  }
                });
  }

  private void orderEnded(@Nullable HttpResponse<String> response, long nanos) {
    switch (response == null ? 0 : response.statusCode()) {
      case OrdersServer.IN_FULL -> tally.orderAnswered(Count.ORDERS_IN_FULL, nanos);
      case OrdersServer.TO_BE_CONFIRMED -> tally.orderAnswered(Count.ORDERS_TO_BE_CONFIRMED, nanos);
      case OrdersServer.TURNED_AWAY -> tally.add(Count.ORDERS_TURNED_AWAY);
      default -> tally.add(Count.ORDERS_FAILED);
    }
  }

  private void pageEnded(@Nullable HttpResponse<String> response, long nanos) {
    switch (response == null ? 0 : response.statusCode()) {
      case OrdersServer.IN_FULL -> tally.pageAnswered(nanos);
      case OrdersServer.TURNED_AWAY -> tally.add(Count.PAGES_TURNED_AWAY);
      default -> tally.add(Count.PAGES_FAILED);
    }
  }

  /** What happens when a request has ended. */
  private interface End {
    void of(@Nullable HttpResponse<String> response, long nanos);
  }
}
