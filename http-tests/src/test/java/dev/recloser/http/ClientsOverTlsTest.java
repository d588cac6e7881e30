package dev.recloser.http;

import static dev.recloser.http.GuardedClientTest.ends;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.httpclient5.GuardAsyncExecHandler;
import dev.recloser.httpclient5.GuardExecHandler;
import dev.recloser.okhttp.GuardInterceptor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One server that speaks TLS and HTTP/2, every client in the newest protocol that it speaks. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ClientsOverTlsTest {
  private static final HeldCertificate CERTIFICATE =
      new HeldCertificate.Builder().addSubjectAlternativeName("localhost").build();

  private final MockWebServer server = new MockWebServer();
  private final HttpGuard guard = HttpGuard.create();

  /** Gets something and reads it to its end. */
  private enum Client {
    JDK("HTTP/2") {
      @Override
      void get(HttpGuard guard, HandshakeCertificates trusted, URI uri) throws Exception {
        guard
            .client(HttpClient.newBuilder().sslContext(trusted.sslContext()).build())
            .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      }
    },

    OKHTTP("HTTP/2") {
      @Override
      void get(HttpGuard guard, HandshakeCertificates trusted, URI uri) throws Exception {
        OkHttpClient client =
            new OkHttpClient.Builder()
                .addInterceptor(GuardInterceptor.of(guard))
                .sslSocketFactory(trusted.sslSocketFactory(), trusted.trustManager())
                .build();
        try (Response response =
            client.newCall(new Request.Builder().url(uri.toString()).build()).execute()) {
          response.body().string();
        }
      }
    },

    HTTPCLIENT_CLASSIC("HTTP/1.1") {
      @Override
      void get(HttpGuard guard, HandshakeCertificates trusted, URI uri) throws Exception {
        try (CloseableHttpClient client =
            HttpClients.custom()
                .setConnectionManager(
                    PoolingHttpClientConnectionManagerBuilder.create()
                        .setTlsSocketStrategy(new DefaultClientTlsStrategy(trusted.sslContext()))
                        .build())
                .disableAutomaticRetries()
                .addExecInterceptorFirst("recloser", GuardExecHandler.of(guard))
                .build()) {
          client.execute(new HttpGet(uri), response -> EntityUtils.toString(response.getEntity()));
        }
      }
    },

    HTTPCLIENT_ASYNC("HTTP/2") {
      @Override
      void get(HttpGuard guard, HandshakeCertificates trusted, URI uri) throws Exception {
        try (CloseableHttpAsyncClient client =
            HttpAsyncClients.custom()
                .setConnectionManager(
                    PoolingAsyncClientConnectionManagerBuilder.create()
                        .setTlsStrategy(new DefaultClientTlsStrategy(trusted.sslContext()))
                        .build())
                .disableAutomaticRetries()
                .addExecInterceptorFirst("recloser", GuardAsyncExecHandler.of(guard))
                .build()) {
          client.start();
          client.execute(SimpleRequestBuilder.get(uri).build(), null).get(30, TimeUnit.SECONDS);
        }
      }
    };

    private final String protocol;

    Client(String protocol) {
      this.protocol = protocol;
    }

    abstract void get(HttpGuard guard, HandshakeCertificates trusted, URI uri) throws Exception;
  }

  @BeforeEach
  void start() throws IOException {
    server.useHttps(
        new HandshakeCertificates.Builder()
            .heldCertificate(CERTIFICATE)
            .build()
            .sslSocketFactory());
    server.setProtocols(List.of(Protocol.HTTP_2, Protocol.HTTP_1_1));
    server.start(InetAddress.getByName("localhost"), 0);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void answers_are_judged(Client client) throws Exception {
    server.enqueue(new MockResponse.Builder().code(200).body("17 left").build());
    server.enqueue(new MockResponse.Builder().code(503).body("busy").build());
    client.get(guard, trusting(), uri());
    client.get(guard, trusting(), uri());

    assertThat(server.takeRequest().getRequestLine()).endsWith(client.protocol);
    assertThat(ends(guard, uri())).containsExactly(1L, 1L, 0L, 0L);
  }

  @ParameterizedTest
  @EnumSource
  void a_body_that_is_broken_off_is_a_failure(Client client) {
    server.enqueue(
        new MockResponse.Builder()
            .code(200)
            .body("x".repeat(1_000_000))
            .onResponseBody(new SocketEffect.CloseStream(8))
            .build());

    assertThatThrownBy(() -> client.get(guard, trusting(), uri())).isInstanceOf(Exception.class);
    assertThat(ends(guard, uri())).containsExactly(0L, 1L, 0L, 0L);
  }

  @ParameterizedTest
  @EnumSource
  void a_certificate_that_is_not_trusted_is_a_failure(Client client) {
    HandshakeCertificates nobody = new HandshakeCertificates.Builder().build();

    assertThatThrownBy(() -> client.get(guard, nobody, uri())).isInstanceOf(Exception.class);
    assertThat(ends(guard, uri())).containsExactly(0L, 1L, 0L, 0L);
  }

  private URI uri() {
    return server.url("/stock").uri();
  }

  private static HandshakeCertificates trusting() {
    return new HandshakeCertificates.Builder()
        .addTrustedCertificate(CERTIFICATE.certificate())
        .build();
  }
}
