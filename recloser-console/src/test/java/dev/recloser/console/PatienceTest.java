package dev.recloser.console;

import static dev.recloser.console.Requests.breaker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Policies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that do not send what they began, or do not read what they asked for. Real time is the
 * matter here, as the threads wait in the JDK's server; the patience is short.
 */
@Timeout(120)
final class PatienceTest {
  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final int STREAMS = 2;
  private static final int MANY = 20;
  private static final String HOST = "Host: localhost\r\n";

  private final Policies policies = Policies.create();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Socket> sockets = new ArrayList<>();
  private final Console console;

  PatienceTest() throws IOException {
    console =
        Console.start(
            policies, settings -> settings.maxStreams(STREAMS).controls(request -> "a"), PATIENCE);
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    console.close();
  }

  @Test
  void half_a_request_line_holds_nobody_up() throws Exception {
    assertPutOut(all("GET /api/brea"));
  }

  @Test
  void half_a_head_holds_nobody_up() throws Exception {
    assertPutOut(all("GET /api/breakers HTTP/1.1\r\n" + HOST + "X: "));
  }

  @Test
  void half_a_body_of_a_command_holds_nobody_up() throws Exception {
    breaker(policies, "a").reset();
    assertPutOut(
        all(
            "POST /api/breaker/control?name=a HTTP/1.1\r\n"
                + HOST
                + "X-Recloser-Console: 1\r\nContent-Type: application/json\r\n"
                + "Content-Length: 5000\r\n\r\n{\"action\":\"reset\","));
  }

  @Test
  void a_body_that_nobody_reads_and_that_does_not_come_holds_nobody_up() throws Exception {
    assertPutOut(all("GET /api/breakers HTTP/1.1\r\n" + HOST + "Content-Length: 5000\r\n\r\n{"));
    assertPutOut(
        all("GET /api/breakers HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n5\r\nab"));
  }

  @Test
  void a_body_that_drips_has_no_more_time() throws Exception {
    breaker(policies, "a").reset();
    Socket socket =
        open(
            "POST /api/breaker/control?name=a HTTP/1.1\r\n"
                + HOST
                + "X-Recloser-Console: 1\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n");
    Thread drips =
        new Thread(
            () -> {
              try {
                while (true) {
                  socket.getOutputStream().write(bytes("1\r\n \r\n"));
                  Thread.sleep(PATIENCE.toMillis() / 10); // Real time: as slow clients do.
                }
              } catch (IOException | InterruptedException e) {
                // It was put out.
              }
            });
    drips.start();
    assertEnds(socket);
    drips.interrupt();
    drips.join();
  }

  @Test
  void a_body_without_end_is_read_no_further_than_needed() throws Exception {
    Socket socket =
        open("GET /api/breakers HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n");
    byte[] chunk = bytes("1000\r\n" + "x".repeat(4_096) + "\r\n");
    long sent = 0;
    try {
      while (sent < 500_000_000) {
        socket.getOutputStream().write(chunk);
        sent += chunk.length;
      }
    } catch (IOException e) {
      // It was put out.
    }
    assertThat(sent).isLessThan(100_000_000);
    assertAnswered();
  }

  @Test
  void heads_without_end_are_ended() throws Exception {
    for (String endless : List.of("GET /" + "x".repeat(500_000), heads(500_000), fields(300))) {
      assertEnds(open(endless));
    }
    assertAnswered();
  }

  @Test
  void big_answers_that_nobody_reads_are_ended_and_look_it() throws Exception {
    many(2_000);
    List<Socket> all = all("GET /api/export HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");
    assertAnswered(); // So the first ones have been put out: it comes after the last.
    for (Socket socket : all.subList(0, 5)) {
      assertThat(tail(socket)).isNotEqualTo("0\r\n\r\n");
    }
    assertThat(threads()).isLessThanOrEqualTo(STREAMS + 8);
  }

  @Test
  void one_who_reads_slowly_gets_it_all() throws Exception {
    many(60);
    Socket socket = open("GET /api/export HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] piece = new byte[400_000];
    InputStream in = socket.getInputStream();
    for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
      all.write(piece, 0, read);
      Thread.sleep(10); // Real time: the reader is slow.
    }
    assertThat(all.toString(StandardCharsets.UTF_8)).endsWith("0\r\n\r\n");
  }

  @Test
  void streams_that_nobody_reads_make_room() throws Exception {
    many(2_000);
    List<Socket> unused = all("GET /api/events HTTP/1.1\r\n" + HOST + "\r\n");
    assertAnswered();
    assertThat(threads()).isLessThanOrEqualTo(STREAMS + 8);
    assertThat(placeAfterAll()).isEqualTo(200);
  }

  /** What the next who wants to watch is answered in the end; -1 for never with a place. */
  private long placeAfterAll() throws Exception {
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < PATIENCE.multipliedBy(60).toNanos()) {
      HttpResponse<InputStream> answer = get("api/events", BodyHandlers.ofInputStream());
      answer.body().close();
      if (answer.statusCode() == 200) {
        return answer.statusCode();
      }
      Thread.sleep(PATIENCE.toMillis() / 10); // Real time: patience is what is waited for.
    }
    return -1;
  }

  @Test
  void requests_in_a_row_without_a_reader_are_ended() throws Exception {
    many(200);
    String flood = ("GET /api/breakers HTTP/1.1\r\n" + HOST + "\r\n").repeat(500);
    List<Socket> unused = all(flood);
    assertAnswered();
    assertThat(threads()).isLessThanOrEqualTo(STREAMS + 8);
  }

  private void assertPutOut(List<Socket> all) throws Exception {
    assertThat(all).hasSizeGreaterThan(STREAMS + 8);
    assertAnswered();
    for (Socket socket : all) {
      assertEnds(socket);
    }
    assertThat(threads()).isLessThanOrEqualTo(STREAMS + 8);
  }

  /** There are twice as many as threads, so that it takes two times the patience. */
  private void assertAnswered() throws Exception {
    long begun = System.nanoTime();
    assertThat(get("api/console", BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE.multipliedBy(30));
  }

  private <T> HttpResponse<T> get(String path, HttpResponse.BodyHandler<T> body) throws Exception {
    URI uri = console.uri().resolve(path);
    return client.send(HttpRequest.newBuilder(uri).build(), body);
  }

  private List<Socket> all(String request) throws IOException {
    List<Socket> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(open(request));
    }
    return all;
  }

  /** With little room for what it does not read. */
  private Socket open(String request) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(4_096);
    socket.setSoTimeout(20_000);
    socket.connect(new InetSocketAddress(console.uri().getHost(), console.uri().getPort()));
    try {
      socket.getOutputStream().write(bytes(request));
    } catch (IOException e) {
      // It was put out before it had sent all.
    }
    return socket;
  }

  private void many(int breakers) {
    for (int i = 0; i < breakers; i++) {
      breaker(policies, "breaker-" + i + "-" + "x".repeat(3_000)).reset();
    }
  }

  private static String heads(int length) {
    return "GET / HTTP/1.1\r\n" + HOST + "X: " + "x".repeat(length);
  }

  private static String fields(int count) {
    StringBuilder head = new StringBuilder("GET / HTTP/1.1\r\n" + HOST);
    for (int i = 0; i < count; i++) {
      head.append("X-").append(i).append(": x\r\n");
    }
    return head.toString();
  }

  private static void assertEnds(Socket socket) throws IOException {
    String unused = tail(socket);
  }

  /** The last bytes before the end, which must come, as an end or as a reset. */
  private static String tail(Socket socket) throws IOException {
    byte[] last = new byte[5];
    byte[] piece = new byte[65_536];
    try {
      InputStream in = socket.getInputStream();
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        int kept = Math.min(read, last.length);
        System.arraycopy(last, kept, last, 0, last.length - kept);
        System.arraycopy(piece, read - kept, last, last.length - kept, kept);
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("never ended", e);
    } catch (IOException e) {
      return "reset";
    }
    return new String(last, StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("recloser-console-"))
        .count();
  }
}
