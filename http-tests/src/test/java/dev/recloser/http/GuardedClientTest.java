package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The guarded JDK client against servers as bad as real ones. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class GuardedClientTest {
  private static final HttpClient PLAIN =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(20))
          .build();

  private final HttpGuard guard = HttpGuard.create();
  private final HttpClient client = guard.client(PLAIN);

  @ParameterizedTest
  @EnumSource
  void an_answer_passes_through_and_is_counted_before_it_is_there(JdkWay way) throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left", "X-Shelf: 4")) {
      HttpResponse<String> response = way.send(client, get(server.uri()), BodyHandlers.ofString());

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("17 left");
      assertThat(response.headers().firstValue("X-Shelf")).contains("4");
      assertThat(ends(server.uri())).containsExactly(1L, 0L, 0L, 0L);
      assertThat(breaker(server.uri()).name()).isEqualTo(server.origin());
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_means_what_the_table_says(JdkWay way) throws Exception {
    for (int status : new int[] {200, 404, 408, 429, 500, 501, 503, 403}) {
      try (RawServer server = RawServer.answering(status, "text")) {
        assertThat(way.send(client, get(server.uri()), BodyHandlers.ofString()).statusCode())
            .isEqualTo(status);

        Outcome expected = HttpOutcomes.defaults().ofStatus(status);
        assertThat(ends(server.uri())).as("" + status).isEqualTo(only(expected));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_refused_connection_is_a_failure(JdkWay way) throws Exception {
    URI nobody = RawServer.refusing();
    assertThatThrownBy(() -> way.send(client, get(nobody), BodyHandlers.ofString()))
        .isInstanceOf(ConnectException.class);
    assertThat(ends(nobody)).isEqualTo(only(Outcome.FAILURE));
  }

  @ParameterizedTest
  @EnumSource
  void a_reset_is_a_failure(JdkWay way) throws Exception {
    try (RawServer server = RawServer.start(RawServer.Exchange::reset)) {
      assertThatThrownBy(() -> way.send(client, post(server.uri()), BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
      assertThat(ends(server.uri())).isEqualTo(only(Outcome.FAILURE));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_timeout_before_the_head_is_a_failure(JdkWay way) throws Exception {
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri()).timeout(Duration.ofMillis(200)).build();
      assertThatThrownBy(() -> way.send(client, request, BodyHandlers.ofString()))
          .isInstanceOf(HttpTimeoutException.class);
      assertThat(ends(server.uri())).isEqualTo(only(Outcome.FAILURE));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_body_that_breaks_off_is_a_failure_of_a_good_answer(JdkWay way) throws Exception {
    try (RawServer server =
        RawServer.start(exchange -> exchange.write(RawServer.head(200, 1_000) + "17 l"))) {
      assertThatThrownBy(() -> way.send(client, get(server.uri()), BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
      assertThat(ends(server.uri())).isEqualTo(only(Outcome.FAILURE));
    }
  }

  @Test
  void a_body_that_hangs_is_in_flight_until_it_ends() throws Exception {
    try (RawServer server =
        RawServer.start(
            exchange -> {
              exchange.write(RawServer.head(200, 7) + "17 ");
              exchange.hang();
              exchange.write("left");
            })) {
      HttpResponse<InputStream> response =
          client.send(get(server.uri()), BodyHandlers.ofInputStream());
      server.awaitHanging();
      assertThat(breaker(server.uri()).snapshot().callsInFlight()).isEqualTo(1);

      server.release();
      try (InputStream body = response.body()) {
        assertThat(body.readAllBytes()).asString().isEqualTo("17 left");
      }
      assertThat(ends(server.uri())).isEqualTo(only(Outcome.SUCCESS));
    }
  }

  @Test
  void a_body_that_hangs_is_nobodys_fault_if_calls_end_with_the_head() throws Exception {
    HttpGuard toTheHead = HttpGuard.create(calls -> calls.callEnd(CallEnd.HEADERS));
    try (RawServer server =
        RawServer.start(
            exchange -> {
              exchange.write(RawServer.head(200, 7) + "17 ");
              exchange.hang();
            })) {
      HttpResponse<InputStream> response =
          toTheHead.client(PLAIN).send(get(server.uri()), BodyHandlers.ofInputStream());
      CircuitBreakerMetrics metrics =
          toTheHead.circuitBreaker(HttpCall.of(get(server.uri()))).metrics();

      assertThat(metrics.succeeded()).isEqualTo(1);
      response.body().close();
    }
  }

  @Test
  void a_stream_that_is_closed_early_leaves_the_answer_as_good_as_its_head() throws Exception {
    try (RawServer server =
        RawServer.start(
            exchange -> {
              exchange.write(RawServer.head(200, 1_000) + "17 left");
              exchange.hang();
            })) {
      HttpResponse<InputStream> response =
          client.send(get(server.uri()), BodyHandlers.ofInputStream());
      assertThat(response.body().readNBytes(2)).asString().isEqualTo("17");
      response.body().close();

      assertThat(ends(server.uri())).isEqualTo(only(Outcome.SUCCESS));
    }
  }

  @Test
  void cancelling_gives_the_permit_back_and_ends_the_exchange() throws Exception {
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      CompletableFuture<HttpResponse<String>> future =
          client.sendAsync(get(server.uri()), BodyHandlers.ofString());
      server.awaitHanging();

      assertThat(future.cancel(true)).isTrue();

      assertThat(ends(server.uri())).isEqualTo(only(Outcome.CANCELLED));
      assertThat(breaker(server.uri()).snapshot().callsInFlight()).isZero();
      server.awaitLeft();
    }
  }

  @Test
  void cancelling_in_the_body_is_no_evidence() throws Exception {
    try (RawServer server =
        RawServer.start(
            exchange -> {
              exchange.write(RawServer.head(200, 1_000) + "17 ");
              exchange.hang();
            })) {
      CompletableFuture<HttpResponse<String>> future =
          client.sendAsync(get(server.uri()), BodyHandlers.ofString());
      server.awaitHanging();
      future.cancel(true);

      assertThat(ends(server.uri())).isEqualTo(only(Outcome.CANCELLED));
      server.awaitLeft();
    }
  }

  @Test
  void a_time_out_put_on_the_future_is_a_failure_and_ends_the_exchange() throws Exception {
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      CompletableFuture<HttpResponse<String>> future =
          client
              .sendAsync(get(server.uri()), BodyHandlers.ofString())
              .orTimeout(200, TimeUnit.MILLISECONDS);

      assertThatThrownBy(future::join).hasCauseInstanceOf(TimeoutException.class);
      server.awaitLeft(); // By then it is counted; the future was ended by another thread.
      assertThat(ends(server.uri())).isEqualTo(only(Outcome.FAILURE));
    }
  }

  @Test
  void a_result_put_into_the_future_ends_the_exchange_without_evidence() throws Exception {
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      CompletableFuture<HttpResponse<String>> future =
          client.sendAsync(get(server.uri()), BodyHandlers.ofString());
      server.awaitHanging();
      future.complete(null);

      assertThat(ends(server.uri())).isEqualTo(only(Outcome.CANCELLED));
      server.awaitLeft();
    }
  }

  @Test
  void interrupting_the_sender_is_no_evidence() throws Exception {
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread sender =
          new Thread(
              () -> {
                try {
                  client.send(get(server.uri()), BodyHandlers.ofString());
                } catch (Throwable t) {
                  thrown.complete(t);
                }
              });
      sender.start();
      server.awaitHanging();
      sender.interrupt();

      assertThat(thrown.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
      assertThat(ends(server.uri())).isEqualTo(only(Outcome.CANCELLED));
      server.awaitLeft();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_open_breaker_refuses_and_nothing_is_sent(JdkWay way) throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left")) {
      breaker(server.uri()).transitionTo(CircuitBreaker.State.OPEN);

      assertThatThrownBy(() -> way.send(client, get(server.uri()), BodyHandlers.ofString()))
          .isInstanceOfSatisfying(
              CallNotPermittedException.class,
              refused -> assertThat(refused.policy()).isEqualTo(server.origin()));
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void a_future_never_throws_what_it_can_hold() throws Exception {
    URI uri = RawServer.refusing();
    breaker(uri).transitionTo(CircuitBreaker.State.OPEN);

    CompletableFuture<HttpResponse<String>> refused =
        client.sendAsync(get(uri), BodyHandlers.ofString());
    assertThat(refused).isCompletedExceptionally();
    assertThat(refused.handle((response, thrown) -> thrown).join())
        .isInstanceOf(CallNotPermittedException.class);
  }

  @ParameterizedTest
  @EnumSource
  void both_forms_of_retry_after_lengthen_the_wait(JdkWay way) throws Exception {
    HttpClient sensitive = sensitive(config -> {}).client(PLAIN);
    for (String header :
        List.of(
            "Retry-After: 120",
            "Date: Sun, 06 Nov 1994 08:49:37 GMT\nRetry-After: Sun, 06 Nov 1994 08:51:37 GMT")) {
      for (int status : new int[] {429, 503}) {
        try (RawServer server = RawServer.answering(status, "busy", header)) {
          way.send(sensitive, get(server.uri()), BodyHandlers.ofString());

          assertThatThrownBy(() -> way.send(sensitive, get(server.uri()), BodyHandlers.ofString()))
              .isInstanceOfSatisfying(
                  CallNotPermittedException.class,
                  refused ->
                      assertThat(refused.retryAfter().orElseThrow())
                          .isBetween(Duration.ofSeconds(100), Duration.ofSeconds(120)));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_body_can_be_an_error(JdkWay way) throws Exception {
    HttpGuard reading =
        HttpGuard.create(
            calls ->
                calls.outcomes(
                    rows -> rows.body(text -> text.startsWith("{\"error\""), Outcome.FAILURE)));
    try (RawServer good = RawServer.answering(200, "{\"left\":17}");
        RawServer bad = RawServer.answering(200, "{\"error\":\"none\"}")) {
      HttpClient reader = reading.client(PLAIN);
      assertThat(way.send(reader, get(good.uri()), BodyHandlers.ofString()).body())
          .isEqualTo("{\"left\":17}");
      assertThat(way.send(reader, get(bad.uri()), BodyHandlers.ofByteArray()).body())
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("{\"error\":\"none\"}");

      assertThat(ends(reading, good.uri())).isEqualTo(only(Outcome.SUCCESS));
      assertThat(ends(reading, bad.uri())).isEqualTo(only(Outcome.FAILURE));
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_the_callers_own_code_throws_is_not_the_dependencys(JdkWay way) throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left")) {
      assertThatThrownBy(
              () ->
                  way.send(
                      client,
                      get(server.uri()),
                      info -> {
                        throw new IllegalStateException("handler");
                      }))
          .hasStackTraceContaining("IllegalStateException: handler");
      assertThat(ends(server.uri())).isEqualTo(only(Outcome.SUCCESS));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_request_that_the_client_does_not_take_is_no_evidence(JdkWay way) {
    HttpRequest request = new StrangeRequest(URI.create("gopher://127.0.0.1/"));

    assertThatThrownBy(() -> way.send(client, request, BodyHandlers.ofString()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ends(request.uri())).isEqualTo(only(Outcome.IGNORED));
    assertThatThrownBy(() -> way.send(guard.client(client), request, BodyHandlers.ofString()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ends(request.uri())).as("one guard in another").containsExactly(0L, 0L, 3L, 0L);
  }

  @ParameterizedTest
  @EnumSource
  void a_proxy_that_wants_a_password_is_no_evidence_and_holds_no_permit(JdkWay way)
      throws Exception {
    URI beyond = URI.create("https://inventory.invalid/stock/17");
    try (RawServer proxy = RawServer.answering(407, "", "Proxy-Authenticate: Basic realm=\"p\"")) {
      HttpClient tunnelling =
          guard.client(
              HttpClient.newBuilder()
                  .version(HttpClient.Version.HTTP_1_1)
                  .proxy(
                      ProxySelector.of(
                          new InetSocketAddress(
                              InetAddress.getLoopbackAddress(), proxy.uri().getPort())))
                  .build());

      assertThat(way.send(tunnelling, get(beyond), BodyHandlers.ofString()).statusCode())
          .isEqualTo(407);
      assertThat(breaker(beyond).snapshot().callsInFlight()).isZero();
      assertThat(ends(beyond)).isEqualTo(only(Outcome.IGNORED));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_place_to_be_redirected_to_that_is_none_is_a_failure(JdkWay way) throws Exception {
    HttpClient following =
        guard.client(
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.ALWAYS)
                .build());
    try (RawServer server = RawServer.answering(302, "", "Location: http://[nowhere")) {
      // Older clients throw it as it is, newer ones inside an IOException.
      assertThatThrownBy(() -> way.send(following, get(server.uri()), BodyHandlers.ofString()))
          .hasStackTraceContaining("IllegalArgumentException: ");
      assertThat(ends(server.uri())).isEqualTo(only(Outcome.FAILURE));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_body_that_the_caller_cannot_make_is_not_the_dependencys(JdkWay way) throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left")) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri())
              .PUT(
                  HttpRequest.BodyPublishers.ofInputStream(
                      () -> {
                        throw new IllegalStateException("no file");
                      }))
              .build();

      assertThatThrownBy(() -> way.send(client, request, BodyHandlers.ofString()))
          .hasStackTraceContaining("no file");
      assertThat(ends(server.uri())).isEqualTo(only(Outcome.IGNORED));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_body_that_breaks_off_in_the_callers_hands_is_not_the_dependencys(JdkWay way)
      throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left");
        SubmissionPublisher<ByteBuffer> own = new SubmissionPublisher<>()) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri())
              .PUT(HttpRequest.BodyPublishers.fromPublisher(own, 1_000))
              .build();
      own.closeExceptionally(new IOException("the disk"));

      assertThatThrownBy(() -> way.send(client, request, BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
      assertThat(ends(server.uri())).isEqualTo(only(Outcome.IGNORED));
    }
  }

  @Test
  void a_probe_that_is_cancelled_gives_its_slot_back() throws Exception {
    HttpGuard guarded = sensitive(config -> config.permittedNumberOfCallsInHalfOpenState(1));
    HttpClient careful = guarded.client(PLAIN);
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      CircuitBreaker breaker = guarded.circuitBreaker(HttpCall.of(get(server.uri())));
      breaker.transitionTo(CircuitBreaker.State.HALF_OPEN);
      CompletableFuture<HttpResponse<String>> probe =
          careful.sendAsync(get(server.uri()), BodyHandlers.ofString());
      server.awaitHanging();
      assertThat(breaker.tryAcquire()).isNull();

      probe.cancel(true);

      try (Permit next = breaker.acquire()) {
        assertThat(next.isProbe()).isTrue();
      }
    }
  }

  @Test
  void it_is_the_client_that_it_guards() {
    HttpClient plain =
        HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(3))
            .followRedirects(HttpClient.Redirect.NORMAL)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    HttpClient guarded = guard.client(plain);

    assertThat(guarded.connectTimeout()).contains(Duration.ofSeconds(3));
    assertThat(guarded.followRedirects()).isEqualTo(HttpClient.Redirect.NORMAL);
    assertThat(guarded.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
    assertThat(guarded.cookieHandler()).isEqualTo(plain.cookieHandler());
    assertThat(guarded.proxy()).isEqualTo(plain.proxy());
    assertThat(guarded.authenticator()).isEqualTo(plain.authenticator());
    assertThat(guarded.executor()).isEqualTo(plain.executor());
    assertThat(guarded.sslContext()).isSameAs(plain.sslContext());
    assertThat(guarded.sslParameters().getProtocols())
        .isEqualTo(plain.sslParameters().getProtocols());
    assertThat(guarded).hasToString("guarded " + plain);
  }

  /** As from Java 21 on; before, nobody can call these methods. */
  @Test
  void closing_it_closes_the_client_that_it_guards() throws Exception {
    HttpClient plain = HttpClient.newHttpClient();
    HttpClient guarded = guard.client(plain);
    if (!(guarded instanceof AutoCloseable closeable)) {
      assertThat(Runtime.version().feature()).isLessThan(21);
      return;
    }
    assertThat(isTerminated(guarded)).isFalse();
    closeable.close();
    assertThat(isTerminated(plain)).isTrue();
    assertThat(isTerminated(guarded)).isTrue();
  }

  private static boolean isTerminated(HttpClient client) throws ReflectiveOperationException {
    return (boolean) HttpClient.class.getMethod("isTerminated").invoke(client);
  }

  @Test
  void cancelling_is_told_to_whoever_waits() throws Exception {
    try (RawServer server = RawServer.start(RawServer.Exchange::hang)) {
      CompletableFuture<HttpResponse<String>> future =
          client.sendAsync(get(server.uri()), BodyHandlers.ofString());
      CompletableFuture<Throwable> seen = future.handle((response, thrown) -> thrown);
      server.awaitHanging();
      future.cancel(true);
      assertThat(seen.get(30, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
    }
  }

  /** One bad call opens its breaker. */
  private static HttpGuard sensitive(Consumer<dev.recloser.CircuitBreakerConfig.Builder> more) {
    return HttpGuard.create(
        calls ->
            calls.circuitBreaker(
                config -> {
                  config.slidingWindowSize(1).waitDurationInOpenState(Duration.ofSeconds(60));
                  more.accept(config);
                }));
  }

  private CircuitBreaker breaker(URI uri) {
    return guard.circuitBreaker(HttpCall.of("GET", uri, name -> List.of()));
  }

  private List<Long> ends(URI uri) {
    return ends(guard, uri);
  }

  /** How many calls ended as each outcome, in the order of the outcomes. */
  static List<Long> ends(HttpGuard guard, URI uri) {
    CircuitBreakerMetrics metrics =
        guard.circuitBreaker(HttpCall.of("GET", uri, name -> List.of())).metrics();
    return List.of(metrics.succeeded(), metrics.failed(), metrics.ignored(), metrics.cancelled());
  }

  /** One call that ended so. */
  static List<Long> only(Outcome outcome) {
    return List.of(Outcome.values()).stream().map(one -> one == outcome ? 1L : 0L).toList();
  }

  static HttpRequest get(URI uri) {
    return HttpRequest.newBuilder(uri).build();
  }

  private static HttpRequest post(URI uri) {
    return HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString("17")).build();
  }
}
