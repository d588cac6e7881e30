package dev.recloser.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.PolicySource;
import dev.recloser.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The live panel on a server of its own, that of the JDK.
 *
 * <pre>{@code
 * Console console = Console.start(policies); // on loopback, a free port, read-only
 * System.out.println(console.uri());
 * console.close(); // with the application; its threads do not keep a JVM alive
 * }</pre>
 *
 * <p>Its threads are daemons: some for requests, and one for each who watches. While nobody does,
 * no breaker is looked at; only their changes of state are noted, as they happen.
 *
 * <p>Thread-safe.
 */
public final class Console implements AutoCloseable {
  static {
    // A server sends head and body apart; without this the body waits for the client's delayed ACK.
    if (System.getProperty("sun.net.httpserver.nodelay") == null) {
      System.setProperty("sun.net.httpserver.nodelay", "true");
    }
  }

  private static final System.Logger LOG = System.getLogger(Console.class.getName());
  private static final int REQUEST_THREADS = 8;
  private static final int QUEUE = 256;

  private final ConsoleHandler handler;
  private final HttpServer server;
  private final ThreadPoolExecutor threads;

  private Console(ConsoleHandler handler, HttpServer server, ThreadPoolExecutor threads) {
    this.handler = handler;
    this.server = server;
    this.threads = threads;
  }

  /**
   * Starts a read-only panel on loopback and a free port.
   *
   * @param policies what it shows, those that are made later included: registries, or those of
   *     files
   * @throws IOException when there is no such port
   */
  public static Console start(PolicySource<?> policies) throws IOException {
    return start(policies, settings -> {});
  }

  /**
   * Starts a panel.
   *
   * @param policies what it shows, those that are made later included: registries, or those of
   *     files
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   * @throws IOException when the port is taken; says which
   */
  public static Console start(PolicySource<?> policies, Consumer<? super ConsoleSettings> settings)
      throws IOException {
    ConsoleSettings all = ConsoleHandler.with(settings);
    if (!all.address.isAnyLocalAddress()) {
      all.hosts(hostOf(all.address)); // No foreign page can have an address for its name.
    }
    // First, for it may fail, and a handler listens to breakers until somebody closes it.
    HttpServer server = listen(new InetSocketAddress(all.address, all.port));
    ConsoleHandler handler = new ConsoleHandler(policies, all, Ticker.system());
    Console console = new Console(handler, server, threads(all.maxStreams));
    console.serve();
    return console;
  }

  /** Where the panel is, for a browser on this machine; ends in a slash. */
  public URI uri() {
    InetAddress address = server.getAddress().getAddress();
    String host = address.isAnyLocalAddress() ? "127.0.0.1" : hostOf(address);
    return URI.create("http://" + host + ":" + server.getAddress().getPort() + "/");
  }

  /**
   * Where the panel is, with the token that allows to control breakers, as the part of the address
   * that browsers keep to themselves; without one the same as {@link #uri}.
   */
  public URI controlUri() {
    return handler.token().map(token -> uri().resolve("#token=" + token)).orElseGet(this::uri);
  }

  /** What shows that somebody may control breakers; empty unless one was asked for. */
  public Optional<String> token() {
    return handler.token();
  }

  /** Ends all streams, frees the port, and ends the threads. */
  @Override
  public void close() {
    handler.close();
    server.stop(/* delay= */ 0);
    threads.shutdownNow();
  }

  private static HttpServer listen(InetSocketAddress address) throws IOException {
    try {
      return HttpServer.create(address, /* backlog= */ 50);
    } catch (IOException e) {
      throw new IOException(
          "console: cannot listen at " + address + " (expected: a port that is free)", e);
    }
  }

  /** Those who watch hold a thread each, and leave enough of them for all others. */
  private static ThreadPoolExecutor threads(int maxStreams) {
    int most = maxStreams + REQUEST_THREADS;
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most,
            most,
            /* keepAliveTime= */ 10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            task -> {
              Thread thread = new Thread(task, "recloser-console-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private void serve() {
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
    LOG.log(System.Logger.Level.DEBUG, "The live panel is at {0}", uri());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange;
        ConsoleAnswer answer = handler.answer(requestOf(exchange))) {
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      boolean head = exchange.getRequestMethod().equals("HEAD");
      if (head && answer.length() >= 0) {
        exchange.getResponseHeaders().set("Content-Length", Long.toString(answer.length()));
      }
      exchange.sendResponseHeaders(answer.status(), head ? -1 : lengthFor(answer));
      if (!head) {
        answer.writeTo(exchange.getResponseBody());
      }
    } catch (IOException e) {
      // The reader has gone, or was put out.
      LOG.log(System.Logger.Level.DEBUG, "A reader of the console has gone", e);
    }
  }

  /** The server's words for a body of unknown length, and for none. */
  private static long lengthFor(ConsoleAnswer answer) {
    return answer.length() < 0 ? 0 : answer.length() == 0 ? -1 : answer.length();
  }

  private static ConsoleRequest requestOf(HttpExchange exchange) {
    return new ConsoleRequest(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getRawPath(),
        exchange.getRequestHeaders(),
        exchange.getRequestBody());
  }

  private static String hostOf(InetAddress address) {
    String host = address.getHostAddress();
    return host.contains(":") ? "[" + host + "]" : host;
  }
}
