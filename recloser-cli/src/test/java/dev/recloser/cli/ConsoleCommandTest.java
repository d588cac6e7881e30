package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
    CompletableFuture<String> address = new CompletableFuture<>();
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
    CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    Thread console =
        new Thread(
            () ->
                exitCode.complete(
                    run("console --breakers 30 --controls", out, new StringWriter())));
    console.start();
    URI uri = URI.create(address.get(30, TimeUnit.SECONDS));
    assertThat(uri.getFragment()).startsWith("token=");
    HttpRequest breakers = HttpRequest.newBuilder(uri.resolve("api/breakers")).build();
    String body = HttpClient.newHttpClient().send(breakers, BodyHandlers.ofString()).body();
    assertThat(body.split("\"name\":", -1)).hasSize(31);
    assertThat(body).contains("\"inventory\"", "\"partner-0029\"", "FORCED_OPEN", "DISABLED");
    console.interrupt();
    assertThat(exitCode.get(30, TimeUnit.SECONDS)).isZero();
  }

  private static int run(String command, StringWriter out, StringWriter err) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(command.split(" "));
  }
}
