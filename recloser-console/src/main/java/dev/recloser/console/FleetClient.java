package dev.recloser.console;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Asks instances for their events, at addresses that the operator has given and at no other: it
 * does not follow redirects, so that neither the request nor its header fields go elsewhere.
 * Thread-safe.
 */
final class FleetClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final Executor threads;
  private final Map<String, Supplier<String>> headers;
  private final HttpClient client;

  /**
   * @param threads where the client works and the suppliers are asked; as many as it takes, since
   *     resolving a name blocks, and so may a supplier
   */
  FleetClient(Executor threads, Map<String, Supplier<String>> headers) {
    this.threads = threads;
    this.headers = headers;
    client =
        HttpClient.newBuilder()
            .executor(threads)
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1) // No attempt to upgrade a plain connection.
            .build();
  }

  /** Whether the client lets a header field of that name be set; some it sets by itself. */
  static boolean canSet(String name) {
    try {
      HttpRequest.newBuilder().setHeader(name, "any");
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Opens a connection; how it went is told to its listener.
   *
   * @param after run when the request is made and sent, or given up, on the thread that did so
   */
  void open(URI panel, FeedConnection connection, Runnable after) {
    threads.execute(
        () -> {
          try {
            connection.whileMadeOn(Thread.currentThread());
            connection.open(client, request(panel));
          } catch (RuntimeException e) {
            connection.fail(e);
          } finally {
            connection.whileMadeOn(null);
            after.run();
          }
        });
  }

  /** Gives a connection up, on a thread that holds no lock. */
  void close(FeedConnection connection) {
    threads.execute(connection::close);
  }

  private HttpRequest request(URI panel) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(panel.resolve("api/events")).header("Accept", "text/event-stream");
    headers.forEach((name, value) -> set(request, name, value));
    return request.build();
  }

  /** What was thrown may have the value in its message, which nobody shall read on a page. */
  private static void set(HttpRequest.Builder request, String name, Supplier<String> value) {
    try {
      request.setHeader(name, value.get());
    } catch (Throwable e) {
      throw new FeedFault(
          "is not asked: the value of " + name + " could not be made: " + e.getClass().getName());
    }
  }
}
