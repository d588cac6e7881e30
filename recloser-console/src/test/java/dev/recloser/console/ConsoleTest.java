package dev.recloser.console;

import static dev.recloser.console.Requests.breaker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Policies;
import dev.recloser.Policy;
import dev.recloser.PolicySource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The panel on its own server, asked over real connections. */
@Timeout(60)
final class ConsoleTest {
  private final Policies policies = Policies.create();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void it_serves_the_page_and_what_belongs_to_it() throws Exception {
    Console console = start();
    for (String file : List.of("", "index.html", "console.js", "console.css", "icon.svg")) {
      HttpResponse<String> answer = get(console, file);
      assertThat(answer.statusCode()).as(file).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
          .startsWith("default-src 'none'; script-src 'self';")
          .doesNotContain("unsafe");
    }
    assertThat(console.uri().getHost()).isEqualTo("127.0.0.1");
    assertThat(console.controlUri()).isEqualTo(console.uri());
  }

  @Test
  void a_source_that_cannot_be_followed_does_not_cost_the_port() throws Exception {
    Console console = start();
    int port = console.uri().getPort();
    console.close();
    PolicySource<Policy> faulty =
        new PolicySource<>() {
          @Override
          public Collection<Policy> all() {
            return List.of();
          }

          @Override
          public Cancellable follow(Function<? super Policy, ? extends Cancellable> start) {
            throw new IllegalStateException("not now");
          }
        };

    assertThatThrownBy(() -> Console.start(faulty, settings -> settings.port(port)))
        .hasMessage("not now");

    open.add(Console.start(policies, settings -> settings.port(port)));
  }

  @Test
  void a_head_has_the_length_and_no_body() throws Exception {
    Console console = start();
    HttpRequest head =
        HttpRequest.newBuilder(console.uri().resolve("icon.svg"))
            .method("HEAD", HttpRequest.BodyPublishers.noBody())
            .build();
    HttpResponse<String> answer = client.send(head, BodyHandlers.ofString());
    assertThat(answer.body()).isEmpty();
    assertThat(answer.headers().firstValueAsLong("Content-Length").orElseThrow())
        .isEqualTo(get(console, "icon.svg").body().length());
  }

  @Test
  void names_of_any_kind_can_be_asked_for() throws Exception {
    Console console = start();
    for (String name : List.of("a/b", "grün & weiß+%", "GET /orders", "日本", "?x#y", "..", "😀")) {
      breaker(policies, name).transitionTo(State.OPEN);
      String encoded =
          URLEncoder.encode(name, StandardCharsets.UTF_8)
              .replace("+", "%20")
              .replace("..", "%2E%2E");
      HttpResponse<String> answer = get(console, "api/breakers/" + encoded);
      assertThat(answer.statusCode()).as(name).isEqualTo(200);
      assertThat(Requests.JSON.readTree(answer.body()).get("name").asString()).isEqualTo(name);
    }
  }

  @Test
  void a_stream_begins_with_all_breakers_and_goes_on_with_those_that_change() throws Exception {
    breaker(policies, "a");
    breaker(policies, "b");
    Console console = start();
    try (Events events = new Events(console)) {
      assertThat(events.next("snapshot")).contains("\"name\":\"a\"", "\"name\":\"b\"");
      breaker(policies, "b").transitionTo(State.OPEN);
      assertThat(events.next("changes")).contains("\"name\":\"b\"").doesNotContain("\"a\"");
      policies.circuitBreakers().remove("a");
      assertThat(events.next("changes")).contains("\"gone\":[\"a\"]");
    }
  }

  @Test
  void a_silent_stream_shows_that_it_lives() throws Exception {
    Console console = start(s -> s.refreshInterval(Duration.ofMillis(100)));
    try (Events events = new Events(console)) {
      events.next("snapshot");
      assertThat(events.next("heartbeat")).contains("\"breakers\":[]");
    }
  }

  @Test
  void there_are_only_so_many_streams_and_a_place_becomes_free_again() throws Exception {
    Console console = start(s -> s.maxStreams(2).refreshInterval(Duration.ofMillis(50)));
    try (Events one = new Events(console)) {
      one.next("snapshot");
      try (Events two = new Events(console)) {
        two.next("snapshot");
        HttpResponse<String> third = get(console, "api/events");
        assertThat(third.statusCode()).isEqualTo(503);
        assertThat(third.headers().firstValue("Retry-After")).hasValue("10");
        assertThat(get(console, "api/breakers").statusCode()).isEqualTo(200);
      }
      awaitPlace(console);
    }
  }

  /** Whoever has gone is noticed at a write, and there is one only when something changes. */
  private void awaitPlace(Console console) throws Exception {
    int calls = 0;
    while (true) {
      Requests.succeed(breaker(policies, "a"), 1);
      try (Events events = new Events(console)) {
        if (events.status().contains(" 200 ")) {
          assertThat(events.next("snapshot")).contains("\"a\"");
          return;
        }
      }
      assertThat(calls++).isLessThan(10_000);
    }
  }

  @Test
  void closing_ends_the_streams_and_frees_the_port() throws Exception {
    Console console = start();
    int port = console.uri().getPort();
    try (Events events = new Events(console)) {
      events.next("snapshot");
      console.close();
      assertThat(events.rest()).isNotNull();
    }
    Console again = start(s -> s.port(port));
    assertThat(get(again, "api/breakers").statusCode()).isEqualTo(200);
  }

  @Test
  void a_port_that_is_taken_is_named() throws Exception {
    int port = start().uri().getPort();
    assertThatThrownBy(() -> Console.start(policies, s -> s.port(port)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:" + port)
        .hasMessageContaining("expected: a port that is free");
  }

  @Test
  void a_foreign_name_for_this_address_is_turned_away() throws Exception {
    Console console = start();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.uri().getPort())) {
      send(socket, "GET /api/breakers HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 421 ")
          .contains("evil.example");
    }
  }

  @Test
  void wrong_settings_are_all_named() {
    assertThatThrownBy(
            () ->
                ConsoleHandler.create(
                    policies,
                    s ->
                        s.port(70_000)
                            .title(" ")
                            .maxStreams(0)
                            .refreshInterval(Duration.ZERO)
                            .hosts("a:80", "http://x")
                            .instances(
                                Map.of(
                                    "a", URI.create("http://me:secret@b/"),
                                    "b", URI.create("file:///etc"),
                                    " ", URI.create("http://b/?x")))
                            .instanceHeader("Host", () -> "x")))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContainingAll(
            "port: 70000 (expected: 0 to 65535)",
            "title: \" \" (expected: not blank)",
            "maxStreams: 0 (expected: 1 to 1,000)",
            "refreshInterval: PT0S (expected: 50 ms to 1 min)",
            "hosts: \"a:80\" (expected: a name or address without a port)",
            "hosts: \"http://x\"",
            "instances: a: \"http://…@b\" (expected: the address of a panel, such as http://10",
            "instances: b: \"file:///etc\"",
            "instances: \" \" (expected: a name on one line of at most 100 characters)",
            "instances:  : \"http://b/?x\"",
            "instanceHeader: \"Host\" (expected: the name of a header field that may be set)");
  }

  private Console start() throws IOException {
    return start(settings -> {});
  }

  private Console start(Consumer<ConsoleSettings> settings) throws IOException {
    Console console = Console.start(policies, settings);
    open.add(console);
    return console;
  }

  private HttpResponse<String> get(Console console, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(console.uri().resolve(path)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static void send(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** A reader of the stream of events. */
  private static final class Events implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader lines;
    private final String status;

    Events(Console console) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), console.uri().getPort());
      send(socket, "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
      lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      status = lines.readLine();
    }

    String status() {
      return status;
    }

    /** The data of the next event of a type. */
    String next(String type) throws IOException {
      String line = lines.readLine();
      while (!line.equals("event: " + type)) {
        line = lines.readLine();
      }
      assertThat(lines.readLine()).startsWith("id: ");
      return lines.readLine();
    }

    List<String> rest() throws IOException {
      return lines.lines().toList();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
