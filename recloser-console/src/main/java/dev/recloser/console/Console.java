package dev.recloser.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.PolicySource;
import dev.recloser.Scheduler;
import dev.recloser.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
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
 * <p>A client that does not send, or does not read, has 10 s: for the head of a request, for its
 * body, and for each 64 KiB of an answer. Then its connection is closed.
 *
 * <p>Unless it is set, the first of these sets the system property {@code
 * sun.net.httpserver.nodelay}, which is for all servers of the JDK in a JVM.
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

  /** The wait for the head of the request that a thread is about. */
  private static final ThreadLocal<Patience.Wait> HEAD = new ThreadLocal<>();

  private final ConsoleHandler handler;
  private final HttpServer server;
  private final ThreadPoolExecutor threads;
  private final Patience patience;

  private Console(
      ConsoleHandler handler, HttpServer server, ThreadPoolExecutor threads, Patience patience) {
    this.handler = handler;
    this.server = server;
    this.threads = threads;
    this.patience = patience;
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
    return start(policies, settings, Patience.DEFAULT);
  }

  static Console start(
      PolicySource<?> policies, Consumer<? super ConsoleSettings> settings, Duration patience)
      throws IOException {
    ConsoleSettings all = ConsoleHandler.with(settings);
    if (!all.address.isAnyLocalAddress()) {
      all.hosts(Hosts.of(all.address)); // No foreign page can have an address for its name.
    }
    ConsoleHandler handler = new ConsoleHandler(policies, all, Ticker.system());
    HttpServer server;
    try {
      server = listen(new InetSocketAddress(all.address, all.port));
    } catch (IOException | RuntimeException e) {
      handler.close(); // It listens to breakers.
      throw e;
    }
    Console console =
        new Console(
            handler, server, threads(all.maxStreams), new Patience(Scheduler.system(), patience));
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
    server.setExecutor(request -> threads.execute(() -> run(request)));
    server.start();
    LOG.log(System.Logger.Level.DEBUG, "The live panel is at {0}", uri());
  }

  /** Runs what the server does about a request, on a thread of its own. */
  private void run(Runnable request) {
    Patience.Wait wait = patience.begin();
    HEAD.set(wait);
    try {
      request.run();
    } finally {
      HEAD.remove();
      wait.end();
    }
  }

  /** What is thrown ends the connection, so that half an answer does not look like a whole one. */
  private void handle(HttpExchange exchange) throws IOException {
    HEAD.get().end(); // It is there.
    try (ConsoleAnswer answer = handler.answer(requestOf(exchange))) {
      send(answer, exchange);
    } catch (IOException e) {
      // The reader has gone, or was put out.
      LOG.log(System.Logger.Level.DEBUG, "A reader of the console has gone", e);
      throw e;
    }
    patience.run(exchange::close); // Sends the last bytes, and reads what nobody has asked for.
  }

  private void send(ConsoleAnswer answer, HttpExchange exchange) throws IOException {
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    if (isHead && answer.length() >= 0) {
      exchange.getResponseHeaders().set("Content-Length", Long.toString(answer.length()));
    }
    long length = isHead ? -1 : lengthFor(answer);
    patience.run(() -> exchange.sendResponseHeaders(answer.status(), length));
    if (!isHead) {
      answer.writeTo(patience.writing(exchange.getResponseBody()));
    }
  }

  /** The server's words for a body of unknown length, and for none. */
  private static long lengthFor(ConsoleAnswer answer) {
    return answer.length() < 0 ? 0 : answer.length() == 0 ? -1 : answer.length();
  }

  private ConsoleRequest requestOf(HttpExchange exchange) {
    return new ConsoleRequest(
        exchange.getRequestMethod(),
        targetOf(exchange.getRequestURI()),
        exchange.getRequestHeaders(),
        patience.reading(exchange.getRequestBody()));
  }

  private static String targetOf(URI uri) {
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
  }

  private static String hostOf(InetAddress address) {
    String host = address.getHostAddress();
    return host.contains(":") ? "[" + host + "]" : host;
  }
}
