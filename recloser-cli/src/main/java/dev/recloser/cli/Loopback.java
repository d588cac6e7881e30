package dev.recloser.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executor;

/** Real servers and clients that never leave this machine. */
final class Loopback {
  static {
    // A server sends head and body apart; without this the body waits for the client's delayed ACK.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private Loopback() {}

  /** Makes a server on a free port, not started yet; its handlers run on its only thread. */
  static HttpServer server() throws IOException {
    return HttpServer.create(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), /* port= */ 0), /* backlog= */ 100);
  }

  static URI uri(HttpServer server) {
    InetSocketAddress address = server.getAddress();
    return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
  }

  static HttpClient client(Executor executor) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(1))
        .executor(executor)
        .build();
  }

  /** Closes a client where this Java can; on older ones it ends when nobody refers to it. */
  static void close(HttpClient client) {
    if (client instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        throw new IllegalStateException("closing " + client, e);
      }
    }
  }

  /** Answers, unless the client has gone in the meantime. */
  static void answer(HttpExchange exchange, int status, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    } catch (IOException e) {
      // Nobody is there to be told.
    }
  }

  /** The number at the end of the path, {@code /orders/17} for example. */
  static int number(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
  }
}
