package dev.recloser.console;

import static dev.recloser.console.Requests.breaker;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.Policies;
import dev.recloser.test.FakeTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The panels of other processes: real servers, whatever they answer. */
@Timeout(60)
final class FleetTest {
  private static final Duration OFTEN = Duration.ofMillis(50);
  private static final String EVENTS = "text/event-stream";

  private final List<AutoCloseable> open = new ArrayList<>();
  private final FakeTime time = FakeTime.create();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void many_instances_are_seen_side_by_side_and_added_up() throws Exception {
    Policies one = Policies.create();
    Policies two = Policies.create();
    Policies three = Policies.create();
    breaker(one, "inventory").transitionTo(State.OPEN);
    breaker(two, "inventory").transitionTo(State.FORCED_OPEN, Duration.ofMinutes(5));
    breaker(three, "inventory");
    breaker(three, "payments").transitionTo(State.HALF_OPEN);
    FleetReader fleet = watch(Map.of("a", panel(one, 0), "b", panel(two, 0), "c", panel(three, 0)));

    fleet.until("all", f -> f.live("a") && f.live("b") && f.live("c"));
    fleet.until("sums", f -> f.sum("inventory", "instances") == 3);
    assertThat(fleet.sum("inventory", "refusing")).isEqualTo(2);
    assertThat(fleet.sum("payments", "probing")).isEqualTo(1);
    assertThat(fleet.cell("a", "inventory").get("state").asString()).isEqualTo("OPEN");
    assertThat(fleet.cell("b", "inventory").get("remainingMillis").asDouble())
        .isBetween(200_000.0, 300_000.0);
    assertThat(fleet.cell("a", "payments")).isNull();

    breaker(one, "inventory").reset();
    three.circuitBreakers().remove("payments");
    fleet.until("a change", f -> f.sum("inventory", "refusing") == 1);
    fleet.until("its end", f -> f.cell("c", "payments") == null && !f.hasSum("payments"));

    try (var running = breaker(two, "payments").acquire()) {
      fleet.until("calls in flight", f -> f.sum("payments", "callsInFlight") == 1);
      running.fail(new IOException());
    }
    fleet.until("a rate", f -> f.rate("payments", "failedPerSecond") > 0);
  }

  @Test
  void one_that_stops_is_shown_as_it_was_and_begun_anew_when_it_is_back() throws Exception {
    Policies before = Policies.create();
    breaker(before, "inventory").transitionTo(State.OPEN);
    breaker(before, "old");
    Console first = console(before, 0);
    int port = first.uri().getPort();
    Policies steady = Policies.create();
    breaker(steady, "inventory");
    FleetReader fleet = watch(Map.of("a", first.uri(), "b", panel(steady, 0)));
    fleet.until("both", f -> f.sum("inventory", "instances") == 2);
    String instance = fleet.instance("a").get("instance").asString();

    first.close();
    fleet.until("its end", f -> !f.live("a"));
    assertThat(fleet.instance("a").get("problem").isNull()).isFalse();
    assertThat(fleet.cell("a", "inventory").get("state").asString()).isEqualTo("OPEN");
    fleet.until("the sum without it", f -> f.sum("inventory", "instances") == 1);
    assertThat(fleet.sum("inventory", "refusing")).isZero();
    assertThat(fleet.sum("old", "instances")).isZero();
    fleet.until(
        "the next try", f -> f.problem("a").equals("not reached: the connection was refused"));

    Policies after = Policies.create();
    breaker(after, "new");
    console(after, port);
    fleet.until("its return", f -> f.live("a"));
    assertThat(fleet.instance("a").get("instance").asString()).isNotEqualTo(instance);
    assertThat(fleet.cell("a", "inventory")).isNull();
    assertThat(fleet.cell("a", "new").get("state").asString()).isEqualTo("CLOSED");
    fleet.until("forgotten", f -> !f.hasSum("old"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401 | text/html         | who are you           | answers 401 (it does not let this panel in)
          404 | text/plain        | nothing               | answers 404 (no panel is there)
          500 | text/event-stream | event: snapshot       | answers 500
          200 | text/html         | <h1>Welcome</h1>      | not a panel of Recloser: answers "text/html"
          200 | text/event-stream | data: x               | has ended the connection
          200 | text/event-stream | event: snapshot;data: x;; | not a panel of Recloser: sends events that are
          200 | text/event-stream | event: changes;data: {"instance":"i"};; | sends changes before a snapshot
          """)
  void what_is_no_panel_is_said_in_words(int status, String type, String body, String words)
      throws Exception {
    Policies fine = Policies.create();
    breaker(fine, "inventory");
    URI wrong = server(exchange -> answer(exchange, status, type, body.replace(';', '\n')));
    FleetReader fleet = watch(Map.of("wrong", wrong, "fine", panel(fine, 0)));
    fleet.until(
        words, f -> f.problem("wrong").startsWith(words) || f.problem("wrong").contains(words));
    assertThat(fleet.live("wrong")).isFalse();
    assertThat(fleet.instance("wrong").get("ageMillis").isNull()).isTrue();
    fleet.until("the other", f -> f.live("fine"));
  }

  @Test
  void who_sends_without_end_is_given_up() throws Exception {
    CountDownLatch givenUp = new CountDownLatch(1);
    URI endless =
        server(
            exchange -> {
              exchange.getResponseHeaders().set("Content-Type", EVENTS);
              exchange.sendResponseHeaders(200, 0);
              byte[] piece = "x".repeat(64 * 1024).getBytes(StandardCharsets.UTF_8);
              try (exchange) {
                while (true) {
                  exchange.getResponseBody().write(piece);
                }
              } catch (IOException e) {
                givenUp.countDown();
              }
            });
    FleetReader fleet = watch(Map.of("endless", endless));
    fleet.until(
        "the end", f -> f.problem("endless").startsWith("sends an event that is too large"));
    assertThat(givenUp.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_header_field_goes_to_instances_and_not_where_they_redirect_to() throws Exception {
    BlockingQueue<String> elsewhere = new LinkedBlockingQueue<>();
    URI other = server(exchange -> elsewhere.add(String.valueOf(exchange.getRequestHeaders())));
    BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    URI redirecting =
        server(
            exchange -> {
              sent.add(exchange.getRequestHeaders().getFirst("Authorization"));
              exchange.getResponseHeaders().set("Location", other.toString());
              answer(exchange, 302, "text/plain", "");
            });
    Policies policies = Policies.create();
    breaker(policies, "inventory");
    URI guarded = guardedPanel(policies, "Bearer secret");
    Console panel =
        open(
            Console.start(
                Policies.create(),
                s ->
                    s.refreshInterval(OFTEN)
                        .instances(Map.of("guarded", guarded, "redirecting", redirecting))
                        .instanceHeader("Authorization", () -> "Bearer secret")));
    FleetReader fleet = open(new FleetReader(panel.uri()));
    fleet.until("let in", f -> f.live("guarded"));
    fleet.until("not followed", f -> f.problem("redirecting").startsWith("answers 302"));
    assertThat(sent.take()).isEqualTo("Bearer secret");
    assertThat(elsewhere).isEmpty();
    FleetReader stranger = watch(Map.of("guarded", guarded));
    stranger.until("kept out", f -> f.problem("guarded").startsWith("answers 401"));
  }

  @Test
  void a_header_field_that_cannot_be_made_is_told_without_its_value() throws Exception {
    URI never = server(exchange -> {});
    Console panel =
        open(
            Console.start(
                Policies.create(),
                s ->
                    s.refreshInterval(OFTEN)
                        .instances(Map.of("a", never))
                        .instanceHeader("Authorization", () -> "secret\r\nX: y")));
    FleetReader fleet = open(new FleetReader(panel.uri()));
    fleet.until("a fault", f -> f.problem("a").contains("the value of Authorization"));
    assertThat(fleet.problem("a")).doesNotContain("secret");
  }

  @Test
  void a_header_field_that_does_not_come_holds_one_thread_of_an_instance() throws Exception {
    BlockingQueue<Thread> asked = new LinkedBlockingQueue<>();
    CountDownLatch never = new CountDownLatch(1);
    Fleet fleet =
        fleet(
            () -> Map.of("a", URI.create("http://127.0.0.1:1/")),
            Map.of("Authorization", () -> waitFor(never, asked)));
    fleet.present();
    Thread first = asked.take();
    await(() -> fleet.recent().columns().containsKey("a"));
    time.advance(InstanceFeed.SILENCE.plusMillis(500));
    assertThat(column(fleet, "a").head().problem()).isEqualTo("silent for 12 s");
    assertThat(asked.take()).as("interrupted, and of no more use").isSameAs(first);
    await(
        () -> {
          time.advance(Duration.ofSeconds(1));
          fleet.present();
          return !asked.isEmpty();
        });
  }

  @Test
  void a_discovery_that_hangs_is_asked_once_however_often_somebody_watches() throws Exception {
    Set<Thread> others = threads();
    BlockingQueue<Thread> asked = new LinkedBlockingQueue<>();
    CountDownLatch over = new CountDownLatch(1);
    Fleet fleet =
        fleet(
            () -> {
              String unused = waitFor(over, asked);
              return Map.of();
            });
    fleet.present();
    Thread first = asked.take();
    for (int i = 0; i < 3; i++) {
      time.advance(Duration.ofSeconds(31));
      fleet.present();
    }
    Set<Thread> own = threads();
    own.removeAll(others);
    assertThat(own).containsExactly(first);
    over.countDown();
    await(
        () -> {
          time.advance(Duration.ofMillis(500));
          fleet.present();
          return !asked.isEmpty();
        });
  }

  private static Set<Thread> threads() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(thread -> !thread.getName().startsWith("recloser-fleet-"));
    return threads;
  }

  /** Tells twice on which thread it is if that is interrupted. */
  private static String waitFor(CountDownLatch latch, BlockingQueue<Thread> asked) {
    asked.add(Thread.currentThread());
    try {
      latch.await();
    } catch (InterruptedException e) {
      asked.add(Thread.currentThread());
    }
    return "x";
  }

  @Test
  void what_went_wrong_is_said_in_few_words_whatever_was_sent() throws Exception {
    try (ServerSocket wrong = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Fleet fleet = fleet(() -> Map.of("wrong", uri(wrong)));
      fleet.present();
      try (Socket connection = wrong.accept()) {
        String line = "HTTP/1.1 XX" + "y".repeat(100_000) + "\r\n\r\n";
        connection.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
        await(() -> column(fleet, "wrong").head().problem() != null);
      }
      assertThat(column(fleet, "wrong").head().problem()).isEqualTo("the connection broke");
    }
  }

  @Test
  void two_addresses_of_one_process_are_counted_once() throws Exception {
    Policies policies = Policies.create();
    breaker(policies, "inventory").transitionTo(State.OPEN);
    URI uri = panel(policies, 0);
    URI same = URI.create(uri.toString().replace("127.0.0.1", "localhost"));
    FleetReader fleet = watch(Map.of("a", uri, "b", same));
    fleet.until("found out", f -> f.problem("b").startsWith("is the same process as a"));
    assertThat(fleet.sum("inventory", "instances")).isEqualTo(1);
  }

  @Test
  void one_that_never_answers_is_given_up_after_a_while_and_tried_again() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Fleet fleet = fleet(() -> Map.of("mute", uri(mute)));
      fleet.present();
      try (Socket first = mute.accept()) {
        BufferedReader request =
            new BufferedReader(
                new InputStreamReader(first.getInputStream(), StandardCharsets.UTF_8));
        assertThat(request.readLine()).isEqualTo("GET /api/events HTTP/1.1");
        time.advance(InstanceFeed.SILENCE.minusMillis(1));
        assertThat(column(fleet, "mute").head().problem()).isNull();
        time.advance(Duration.ofMillis(501));
        assertThat(column(fleet, "mute").head().problem()).isEqualTo("silent for 12 s");
        assertThat(request.lines()).as("until it is closed").contains("Accept: " + EVENTS);
      }
      time.advance(Duration.ofSeconds(2)); // The first wait is at most one, and a tick.
      mute.accept().close();
    }
  }

  @Test
  void nobody_is_asked_before_somebody_watches_nor_half_a_minute_after() throws Exception {
    try (ServerSocket instance = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Fleet fleet = fleet(() -> Map.of("a", uri(instance)));
      time.advance(Duration.ofMinutes(5));
      assertThat(time.pendingTimers()).isZero();
      assertThat(fleet.present().columns()).isEmpty();
      try (Socket connection = instance.accept()) {
        time.advance(Duration.ofMillis(11_500));
        assertThat(fleet.present().columns()).containsKey("a");
        connection.getOutputStream().write(snapshot());
        await(() -> column(fleet, "a").head().live());
        assertThat(time.pendingTimers()).isEqualTo(1);
        time.advance(Duration.ofSeconds(31));
        assertThat(time.pendingTimers()).isZero();
        assertThat(connection.getInputStream().readAllBytes()).as("closed").isNotEmpty();
      }
      assertThat(fleet.present().columns()).as("begun anew").isEmpty();
    }
  }

  @Test
  void instances_come_and_go_and_a_discovery_that_fails_changes_nothing() throws Exception {
    AtomicReference<Supplier<Map<String, URI>>> answer = new AtomicReference<>();
    BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    URI nobody = URI.create("http://127.0.0.1:1/");
    Fleet fleet =
        fleet(
            () -> {
              Map<String, URI> now = answer.get().get();
              asked.add("");
              return now;
            });
    answer.set(() -> Map.of("a", nobody, "b", nobody));
    fleet.present();
    await(() -> fleet.recent().columns().keySet().equals(Set.of("a", "b")));

    for (Supplier<Map<String, URI>> wrong : failing()) {
      answer.set(
          () -> {
            asked.add("");
            return wrong.get();
          });
      asked.clear();
      askAgain(fleet, asked);
      askAgain(fleet, asked);
      assertThat(fleet.recent().columns()).containsOnlyKeys("a", "b");
    }

    answer.set(() -> Map.of("b", nobody, "c", nobody));
    await(
        () -> {
          time.advance(Fleet.DISCOVERY);
          return fleet.recent().columns().keySet().equals(Set.of("b", "c"));
        });
  }

  private static List<Supplier<Map<String, URI>>> failing() {
    return List.of(
        () -> {
          throw new IllegalStateException("no registry");
        },
        () -> {
          throw new AssertionError("worse");
        },
        () -> null,
        () -> Map.of("a", URI.create("ftp://x/")),
        () -> Map.of("\n", URI.create("http://x/")));
  }

  /** A second time only after the first has been dealt with. */
  private void askAgain(Fleet fleet, BlockingQueue<String> asked) {
    await(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(fleet.present()).as("somebody watches").isNotNull();
          return asked.poll() != null;
        });
  }

  @Test
  void a_closed_one_asks_nobody() {
    Fleet fleet =
        fleet(
            () -> {
              throw new AssertionError("asked");
            });
    fleet.close();
    assertThat(fleet.present()).isSameAs(FleetBoard.NONE);
    assertThat(fleet.recent()).isSameAs(FleetBoard.NONE);
  }

  private Fleet fleet(Supplier<Map<String, URI>> discovery) {
    return fleet(discovery, Map.of());
  }

  private Fleet fleet(Supplier<Map<String, URI>> discovery, Map<String, Supplier<String>> headers) {
    return open(new Fleet(discovery, headers, OFTEN, time, time));
  }

  private static FleetColumn column(Fleet fleet, String name) {
    SortedMap<String, FleetColumn> columns = fleet.recent().columns();
    assertThat(columns).containsKey(name);
    return columns.get(name);
  }

  /** Another thread is about to do it; the test as a whole has a limit. */
  private static void await(Supplier<Boolean> condition) {
    while (!condition.get()) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      Thread.onSpinWait();
    }
  }

  /** What a panel begins with. */
  private static byte[] snapshot() {
    String event = "event: snapshot\ndata: {\"instance\":\"i\"}\n\n";
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    return (head + event).getBytes(StandardCharsets.UTF_8);
  }

  private static URI uri(ServerSocket socket) {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort());
  }

  private FleetReader watch(Map<String, URI> instances) throws IOException {
    Console panel =
        open(Console.start(Policies.create(), s -> s.refreshInterval(OFTEN).instances(instances)));
    return open(new FleetReader(panel.uri()));
  }

  private URI panel(Policies policies, int port) throws IOException {
    return console(policies, port).uri();
  }

  private Console console(Policies policies, int port) throws IOException {
    return open(Console.start(policies, s -> s.port(port).refreshInterval(OFTEN)));
  }

  /** A panel behind a log-in of the application. */
  private URI guardedPanel(Policies policies, String expected) throws IOException {
    ConsoleHandler panel = open(ConsoleHandler.create(policies, s -> s.refreshInterval(OFTEN)));
    return server(
        exchange -> {
          if (!expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            answer(exchange, 401, "text/plain", "log in");
            return;
          }
          ConsoleRequest request =
              ConsoleRequest.of(
                  "GET", exchange.getRequestURI().getRawPath(), exchange.getRequestHeaders());
          try (exchange;
              ConsoleAnswer answer = panel.answer(request)) {
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(answer.status(), 0);
            answer.writeTo(exchange.getResponseBody());
          }
        });
  }

  private URI server(HttpHandler handler) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.createContext("/", handler);
    server.setExecutor(
        task -> {
          Thread thread = new Thread(task);
          thread.setDaemon(true);
          thread.start();
        });
    server.start();
    open.add(() -> server.stop(0));
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  private static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private <T extends AutoCloseable> T open(T closeable) {
    open.add(0, closeable);
    return closeable;
  }
}
