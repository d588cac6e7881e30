package dev.recloser.http;

import static dev.recloser.http.GuardedClientTest.ends;
import static dev.recloser.http.GuardedClientTest.get;
import static dev.recloser.http.GuardedClientTest.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.WebSocketListener;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The guarded JDK client over TLS, HTTP/2 and WebSockets. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class GuardedProtocolsTest {
  private static final HeldCertificate CERTIFICATE =
      new HeldCertificate.Builder().addSubjectAlternativeName("localhost").build();

  private final MockWebServer server = new MockWebServer();
  private final CircuitBreakerRegistry breakers = CircuitBreakerRegistry.create();
  private final HttpGuard guard =
      HttpGuard.create(calls -> calls.circuitBreakers(breakers::circuitBreaker));

  @BeforeEach
  void start() throws IOException {
    HandshakeCertificates certificates =
        new HandshakeCertificates.Builder().heldCertificate(CERTIFICATE).build();
    server.useHttps(certificates.sslSocketFactory());
    server.setProtocols(List.of(Protocol.HTTP_2, Protocol.HTTP_1_1));
    server.start(InetAddress.getByName("localhost"), 0);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_over_http_2_and_tls_is_judged(JdkWay way) throws Exception {
    HttpClient client = guard.client(trusting());
    server.enqueue(new MockResponse.Builder().code(200).body("17 left").build());
    server.enqueue(new MockResponse.Builder().code(503).build());

    HttpResponse<String> good = way.send(client, get(uri()), BodyHandlers.ofString());
    assertThat(good.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(good.body()).isEqualTo("17 left");
    assertThat(way.send(client, get(uri()), BodyHandlers.ofString()).statusCode()).isEqualTo(503);

    assertThat(ends(guard, uri())).containsExactly(1L, 1L, 0L, 0L);
  }

  @ParameterizedTest
  @EnumSource
  void a_stream_of_http_2_that_is_reset_is_a_failure(JdkWay way) throws Exception {
    server.enqueue(
        new MockResponse.Builder()
            .code(200)
            .body("x".repeat(10_000))
            .onResponseBody(new SocketEffect.CloseStream(8))
            .build());

    assertThatThrownBy(
            () -> way.send(guard.client(trusting()), get(uri()), BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);
    assertThat(ends(guard, uri())).isEqualTo(only(Outcome.FAILURE));
  }

  @Test
  void cancelling_over_http_2_is_no_evidence_and_leaves_the_connection() throws Exception {
    HttpClient client = guard.client(trusting());
    server.enqueue(
        new MockResponse.Builder().code(200).onResponseStart(SocketEffect.Stall.INSTANCE).build());
    server.enqueue(new MockResponse.Builder().code(200).body("17 left").build());

    CompletableFuture<HttpResponse<String>> future =
        client.sendAsync(get(uri()), BodyHandlers.ofString());
    assertThat(server.takeRequest(30, TimeUnit.SECONDS)).isNotNull();
    future.cancel(true);
    assertThat(client.send(get(uri()), BodyHandlers.ofString()).body()).isEqualTo("17 left");

    assertThat(ends(guard, uri())).containsExactly(1L, 0L, 0L, 1L);
  }

  @ParameterizedTest
  @EnumSource
  void a_certificate_that_is_not_trusted_is_a_failure(JdkWay way) {
    HttpClient suspicious = guard.client(HttpClient.newHttpClient());

    assertThatThrownBy(() -> way.send(suspicious, get(uri()), BodyHandlers.ofString()))
        .isInstanceOf(SSLException.class);
    assertThat(ends(guard, uri())).isEqualTo(only(Outcome.FAILURE));
  }

  @Test
  void a_web_socket_is_passed_through() throws Exception {
    server.setProtocols(List.of(Protocol.HTTP_1_1));
    server.enqueue(
        new MockResponse.Builder()
            .webSocketUpgrade(
                new WebSocketListener() {
                  @Override
                  public void onOpen(okhttp3.WebSocket socket, Response response) {
                    socket.send("17 left");
                  }
                })
            .build());
    CompletableFuture<String> text = new CompletableFuture<>();

    WebSocket socket =
        guard
            .client(trusting())
            .newWebSocketBuilder()
            .connectTimeout(Duration.ofSeconds(30))
            .buildAsync(
                URI.create(uri().toString().replace("https:", "wss:")),
                new WebSocket.Listener() {
                  @Override
                  public CompletionStage<?> onText(
                      WebSocket webSocket, CharSequence data, boolean last) {
                    text.complete(data.toString());
                    return null;
                  }
                })
            .get(30, TimeUnit.SECONDS);

    assertThat(text.get(30, TimeUnit.SECONDS)).isEqualTo("17 left");
    assertThat(breakers.all()).isEmpty();
    socket.abort();
  }

  private URI uri() {
    return server.url("/stock/17").uri();
  }

  private static HttpClient trusting() {
    HandshakeCertificates certificates =
        new HandshakeCertificates.Builder()
            .addTrustedCertificate(CERTIFICATE.certificate())
            .build();
    return HttpClient.newBuilder().sslContext(certificates.sslContext()).build();
  }
}
