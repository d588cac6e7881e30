package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.Policies;
import dev.recloser.console.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ConsoleCommandTest {
  private static final Pattern ADDRESS = Pattern.compile("The panel is at (\\S+)");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          console --port -1        | --port: -1 (expected: 0 to 65535)
          console --port 65536     | --port: 65536 (expected: 0 to 65535)
          console --port x         | --port
          console --breakers 0     | --breakers: 0 (expected: 1 to 10000)
          console --breakers 10001 | --breakers: 10001 (expected: 1 to 10000)
          console extra            | extra
          console --instance a     | --instance: a (expected: two parts with = between them)
          console --instance a=    | --instance: a= (expected: two parts
          console --instance a=^   | --instance: a=^ (expected: an address)
          console --instance a=ftp://x/ | instances: a: "ftp://x/" (expected: the address of a panel
          console --instance a=http://x/ --instance a=http://y/ | --instance: a=http://y/ (expected: each name once)
          console --instance a=http://x/ --controls | --controls: given (expected: not with --instance)
          console --instance a=http://x/ --breakers 3 | --breakers: given (expected: not with --instance)
          console --instance a=http://x/ --instance-header A=NO_SUCH_VARIABLE | A=NO_SUCH_VARIABLE (expected: an environment variable that is set)
          console --instance a=http://x/ --instance-header Host=PATH | instanceHeader: "Host"
          console --instance-header A=PATH | --instance-header: A=PATH (expected: none without --instance)
          demo --console 70000     | --console: 70000 (expected: 0 to 65535)
          demo --console x         | --console
          """)
  void a_wrong_option_is_named(String command, String message) {
    StringWriter err = new StringWriter();
    int exitCode = run(command, new StringWriter(), err);
    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void a_port_that_is_taken_is_named() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      StringWriter err = new StringWriter();
      int exitCode = run("console --port " + taken.getLocalPort(), new StringWriter(), err);
      assertThat(exitCode).isEqualTo(1);
      assertThat(err.toString()).contains("cannot listen at", ":" + taken.getLocalPort());
    }
  }

  @Test
  void it_serves_what_was_asked_for_until_it_is_interrupted() throws Exception {
    try (Running console = new Running("console --breakers 30 --controls")) {
      assertThat(console.uri().getFragment()).startsWith("token=");
      String body = console.get("api/breakers");
      assertThat(body.split("\"name\":", -1)).hasSize(31);
      assertThat(body).contains("\"inventory\"", "\"partner-0029\"", "FORCED_OPEN", "DISABLED");
      assertThat(console.get("api/console")).contains("\"fleet\":false");
    }
  }

  @Test
  void it_shows_instances_side_by_side_and_has_no_breakers_of_its_own() throws Exception {
    Policies policies = Policies.create();
    policies.circuitBreakers().circuitBreaker("inventory").transitionTo(State.OPEN);
    CompletableFuture<String> login = new CompletableFuture<>();
    HttpServer guarded = Loopback.server();
    guarded.createContext(
        "/panel/api/events",
        exchange -> {
          login.complete(exchange.getRequestHeaders().getFirst("X-Login"));
          exchange.sendResponseHeaders(403, -1);
          exchange.close();
        });
    guarded.start();
    try (Console instance = Console.start(policies);
        Running console =
            new Running(
                "console --instance orders-1="
                    + instance.uri()
                    + " --instance orders-2="
                    + Loopback.uri(guarded).resolve("/panel")
                    + " --instance-header X-Login=PATH")) {
      String fleet = console.get("api/fleet");
      while (!fleet.contains("\"refusing\":1") || !fleet.contains("answers 403")) {
        fleet = console.get("api/fleet");
      }
      assertThat(fleet).contains("\"orders-1\"", "\"orders-2\"", "\"inventory\"");
      assertThat(login.get(30, TimeUnit.SECONDS)).isEqualTo(System.getenv("PATH"));
      assertThat(console.get("api/breakers")).contains("\"breakers\":[]");
    } finally {
      guarded.stop(0);
    }
  }

  /** The command while it runs; to close it is Ctrl-C. */
  private static final class Running implements AutoCloseable {
    private final CompletableFuture<String> address = new CompletableFuture<>();
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Thread thread;

    Running(String command) {
      StringWriter out =
          new StringWriter() {
            @Override
            public void flush() {
              Matcher found = ADDRESS.matcher(toString());
              if (found.find()) {
                address.complete(found.group(1));
              }
            }
          };
      thread = new Thread(() -> exitCode.complete(run(command, out, new StringWriter())));
      thread.start();
    }

    URI uri() throws Exception {
      return URI.create(address.get(30, TimeUnit.SECONDS));
    }

    String get(String path) throws Exception {
      HttpRequest request = HttpRequest.newBuilder(uri().resolve(path)).build();
      return client.send(request, BodyHandlers.ofString()).body();
    }

    @Override
    public void close() {
      thread.interrupt();
      assertThat(exitCode.orTimeout(30, TimeUnit.SECONDS).join()).isZero();
    }
  }

  private static int run(String command, StringWriter out, StringWriter err) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(command.split(" "));
  }
}
