import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** A service that does what its path says; run from source by make-logs, behind each proxy. */
final class Inventory {
  public static void main(String[] args) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    HttpServer server = HttpServer.create(address, 0);
    server.createContext("/", Inventory::answer);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/");
    switch (path.length > 1 ? path[1] : "") {
      case "slow" -> answer(exchange, 200, 400);
      case "missing" -> answer(exchange, 404, 5);
      case "invalid" -> answer(exchange, 422, 5);
      case "broken" -> answer(exchange, 500, 20);
      case "busy" -> answer(exchange, 503, 2);
      case "hang" -> answer(exchange, 200, 3_000);
      case "reset" -> exchange.close();
      default -> answer(exchange, 200, 10);
    }
  }

  private static void answer(HttpExchange exchange, int status, long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    byte[] body = ("answer " + status + "\n").getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
