package dev.recloser.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The dependency. It has room for any number of calls, since what it is there to show is what its
 * slowness does to its callers: answers wait on a timer and not on a thread.
 */
final class InventoryServer implements AutoCloseable {
  private final HttpServer server = Loopback.server();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(2, DemoThreads.named("inventory"));
  private final Supplier<Phase> phase;

  /**
   * Starts it.
   *
   * @param phase what it is like at present
   */
  InventoryServer(Supplier<Phase> phase) throws IOException {
    this.phase = phase;
    server.createContext("/stock/", this::stock);
    server.start();
  }

  URI uri() {
    return Loopback.uri(server);
  }

  @Override
  public void close() {
    server.stop(/* delay= */ 0);
    DemoThreads.end(timer);
  }

  private void stock(HttpExchange exchange) {
    Fate fate = Fate.of(Loopback.number(exchange), phase.get());
    String text = fate.status() == 200 ? "3 in stock" : "try later";
    var unused =
        timer.schedule(
            () -> Loopback.answer(exchange, fate.status(), text),
            fate.delay().toNanos(),
            TimeUnit.NANOSECONDS);
  }
}
