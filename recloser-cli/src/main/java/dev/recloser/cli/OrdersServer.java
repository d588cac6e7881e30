package dev.recloser.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recloser.CallNotPermittedException;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The service that is to be kept alive: a fixed pool of workers with a short queue. {@code
 * /orders/} needs inventory, {@code /catalog/} does not, and both need a worker.
 *
 * <p>An order is answered whether inventory knows the stock or not; without it, the answer says
 * that the stock is to be confirmed. It does so with and without a breaker, so that all the breaker
 * changes is how long a worker waits before it knows that it will not know.
 */
final class OrdersServer implements AutoCloseable {
  static final int WORKERS = 40;
  static final int QUEUE = 20;

  static final int IN_FULL = 200;
  static final int TO_BE_CONFIRMED = 202;
  static final int TURNED_AWAY = 503;

  private final HttpServer server = Loopback.server();
  private final ExecutorService workers =
      Executors.newFixedThreadPool(WORKERS, DemoThreads.named("orders"));

  /**
   * A place for each request that is worked on or waits. A bounded queue would not do: a burst can
   * fill it while workers that are free have not taken from it yet.
   */
  private final Semaphore places = new Semaphore(WORKERS + QUEUE);

  private final Inventory inventory;
  private final Tally tally;
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicInteger mostBusyLately = new AtomicInteger();

  /** Starts it. */
  OrdersServer(Inventory inventory, Tally tally) throws IOException {
    this.inventory = inventory;
    this.tally = tally;
    server.createContext("/orders/", exchange -> handOver(exchange, this::order));
    server.createContext("/catalog/", exchange -> handOver(exchange, this::page));
    server.start();
  }

  URI uri() {
    return Loopback.uri(server);
  }

  /** Workers that have something to do. */
  int busy() {
    return busy.get();
  }

  /** The most workers that were busy at once since the last time this was asked. */
  int mostBusySinceAsked() {
    return mostBusyLately.getAndSet(busy.get());
  }

  /** Requests that wait for a worker. */
  int waiting() {
    return Math.max(0, WORKERS + QUEUE - places.availablePermits() - busy());
  }

  @Override
  public void close() {
    server.stop(/* delay= */ 0);
    DemoThreads.end(workers);
  }

  private void handOver(HttpExchange exchange, Work work) {
    if (places.tryAcquire()) {
      workers.execute(() -> busyWith(exchange, work));
    } else {
      Loopback.answer(exchange, TURNED_AWAY, "too busy");
    }
  }

  private void busyWith(HttpExchange exchange, Work work) {
    mostBusyLately.accumulateAndGet(busy.incrementAndGet(), Math::max);
    try {
      work.answer(exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      exchange.close();
    } finally {
      busy.decrementAndGet();
      places.release();
    }
  }

  private void page(HttpExchange exchange) {
    Loopback.answer(exchange, IN_FULL, "page " + Loopback.number(exchange));
  }

  private void order(HttpExchange exchange) throws InterruptedException {
    int order = Loopback.number(exchange);
    if (isInStock(order)) {
      Loopback.answer(exchange, IN_FULL, "order " + order + ": accepted, in stock");
    } else {
      Loopback.answer(
          exchange, TO_BE_CONFIRMED, "order " + order + ": accepted, stock to be confirmed");
    }
  }

  private boolean isInStock(int order) throws InterruptedException {
    try {
      return inventory.stock(order).statusCode() == 200;
    } catch (CallNotPermittedException e) {
      tally.add(Count.CALLS_REFUSED);
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  /** What a worker does for a request. */
  private interface Work {
    void answer(HttpExchange exchange) throws InterruptedException;
  }
}
