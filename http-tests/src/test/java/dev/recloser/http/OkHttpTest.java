package dev.recloser.http;

import static dev.recloser.http.GuardedClientTest.ends;
import static dev.recloser.http.GuardedClientTest.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CallRefusedIoException;
import dev.recloser.CircuitBreaker;
import dev.recloser.Outcome;
import dev.recloser.okhttp.GuardInterceptor;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownServiceException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.Cache;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionSpec;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okio.BufferedSink;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is peculiar to OkHttp; what it has in common with others is in {@link ClientsAgreeTest}. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class OkHttpTest {
  private final HttpGuard guard = HttpGuard.create();
  private final OkHttpClient client =
      new OkHttpClient.Builder().addInterceptor(GuardInterceptor.of(guard)).build();

  @Test
  void a_refusal_is_an_io_exception_for_whoever_waits() throws Exception {
    URI uri = RawServer.refusing();
    breaker(uri).transitionTo(CircuitBreaker.State.OPEN);
    CompletableFuture<IOException> failure = new CompletableFuture<>();

    assertThatThrownBy(() -> call(client, uri).execute())
        .isInstanceOf(CallRefusedIoException.class)
        .hasCauseInstanceOf(CallNotPermittedException.class)
        .hasMessageContaining("refused the call");
    call(client, uri)
        .enqueue(
            new Callback() {
              @Override
              public void onFailure(Call call, IOException thrown) {
                failure.complete(thrown);
              }

              @Override
              public void onResponse(Call call, Response response) {
                response.close();
              }
            });
    assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(CallRefusedIoException.class);
  }

  @Test
  void a_body_that_the_caller_cannot_make_is_not_the_dependencys_nor_made_again() throws Exception {
    FakeTime time = FakeTime.create();
    HttpGuard retrying =
        HttpGuard.create(calls -> calls.retry(config -> config.ticker(time).scheduler(time)));
    OkHttpClient again =
        new OkHttpClient.Builder().addInterceptor(GuardInterceptor.of(retrying)).build();
    try (RawServer server = RawServer.answering(200, "17 left")) {
      Request request =
          new Request.Builder().url(server.uri().toString()).put(new BrokenFile()).build();

      assertThatThrownBy(() -> again.newCall(request).execute()).hasMessage("the disk");
      assertThat(ends(retrying, server.uri())).isEqualTo(only(Outcome.IGNORED));
      assertThat(time.pendingTimers()).isZero();
    }
  }

  @Test
  void a_body_may_close_what_it_is_written_to() throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left")) {
      Request request =
          new Request.Builder().url(server.uri().toString()).put(new ClosingBody()).build();

      client.newCall(request).execute().close();

      assertThat(server.bodies()).containsExactly("17");
      assertThat(ends(guard, server.uri())).isEqualTo(only(Outcome.SUCCESS));
    }
  }

  /** A body that closes what it is written to, as those do that compress. */
  private static final class ClosingBody extends RequestBody {
    @Override
    public MediaType contentType() {
      return null;
    }

    @Override
    public long contentLength() {
      return 2;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      sink.writeUtf8("17");
      sink.close();
    }
  }

  @Test
  void a_connection_that_breaks_while_a_body_is_sent_is_a_failure() throws Exception {
    OkHttpClient plain = client.newBuilder().retryOnConnectionFailure(false).build();
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      URI uri = URI.create("http://127.0.0.1:" + listening.getLocalPort());
      Thread server = new Thread(() -> resetNext(listening));
      server.start();
      Request request =
          new Request.Builder()
              .url(uri.toString())
              .put(RequestBody.create(new byte[50_000_000], null))
              .build();

      assertThatThrownBy(() -> plain.newCall(request).execute()).isInstanceOf(IOException.class);
      assertThat(ends(guard, uri)).isEqualTo(only(Outcome.FAILURE));
      server.join();
    }
  }

  /** Resets a connection in the middle of its first request. */
  private static void resetNext(ServerSocket listening) {
    try (Socket socket = listening.accept()) {
      socket.getInputStream().readNBytes(1_000);
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A body that breaks off while it is read. */
  private static final class BrokenFile extends RequestBody {
    @Override
    public MediaType contentType() {
      return null;
    }

    @Override
    public long contentLength() {
      return 1_000_000;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      sink.writeUtf8("17");
      throw new IOException("the disk");
    }
  }

  @Test
  void what_gives_breakers_can_throw_and_the_caller_gets_an_io_exception() throws Exception {
    HttpGuard unwired =
        HttpGuard.create(
            calls ->
                calls.circuitBreakers(
                    name -> {
                      throw new IllegalArgumentException("no such breaker: " + name);
                    }));
    OkHttpClient unguarded =
        new OkHttpClient.Builder().addInterceptor(GuardInterceptor.of(unwired)).build();

    assertThatThrownBy(() -> call(unguarded, RawServer.refusing()).execute())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no such breaker")
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void what_gives_retries_can_throw_and_the_caller_gets_an_io_exception() throws Exception {
    HttpGuard unwired =
        HttpGuard.create(
            calls ->
                calls.retries(
                    name -> {
                      throw new IllegalArgumentException("no such retry: " + name);
                    }));
    OkHttpClient unguarded =
        new OkHttpClient.Builder().addInterceptor(GuardInterceptor.of(unwired)).build();

    assertThatThrownBy(() -> call(unguarded, RawServer.refusing()).execute())
        .isInstanceOf(IOException.class)
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_call_that_its_time_out_ends_is_a_failure_and_no_cancellation() throws Exception {
    OkHttpClient impatient = client.newBuilder().callTimeout(Duration.ofMillis(300)).build();
    for (String where : List.of("before the head", "in the body")) {
      try (RawServer server =
          RawServer.start(
              exchange -> {
                if (where.equals("in the body")) {
                  exchange.write(RawServer.head(200, 1_000) + "17 ");
                }
                exchange.hang();
              })) {
        assertThatThrownBy(
                () -> {
                  try (Response response = call(impatient, server.uri()).execute()) {
                    response.body().string();
                  }
                })
            .isInstanceOf(IOException.class);
        assertThat(ends(guard, server.uri())).as(where).isEqualTo(only(Outcome.FAILURE));
      }
    }
  }

  @Test
  void an_answer_from_the_cache_is_no_evidence(@TempDir Path directory) throws Exception {
    OkHttpClient caching =
        client.newBuilder().cache(new Cache(directory.toFile(), 1_000_000)).build();
    try (RawServer server = RawServer.answering(200, "17 left", "Cache-Control: max-age=600")) {
      for (int i = 0; i < 3; i++) {
        try (Response response = call(caching, server.uri()).execute()) {
          assertThat(response.body().string()).isEqualTo("17 left");
        }
      }
      assertThat(server.requests()).hasSize(1);
      assertThat(ends(guard, server.uri())).containsExactly(1L, 0L, 2L, 0L);
    }
    caching.cache().close();
  }

  @Test
  void a_body_that_is_closed_unread_leaves_the_answer_as_good_as_its_head() throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left")) {
      call(client, server.uri()).execute().close();
      assertThat(ends(guard, server.uri())).isEqualTo(only(Outcome.SUCCESS));
    }
  }

  @Test
  void a_call_that_is_cancelled_when_the_answer_is_there_is_no_evidence() throws Exception {
    OkHttpClient cancelling =
        new OkHttpClient.Builder()
            .addInterceptor(
                chain -> {
                  Response response = chain.proceed(chain.request());
                  chain.call().cancel(); // OkHttp then closes the answer by itself.
                  return response;
                })
            .addInterceptor(GuardInterceptor.of(guard))
            .build();
    try (RawServer server = RawServer.answering(200, "17 left")) {
      assertThatThrownBy(() -> call(cancelling, server.uri()).execute())
          .isInstanceOf(IOException.class);
      assertThat(ends(guard, server.uri())).isEqualTo(only(Outcome.CANCELLED));
    }
  }

  @Test
  void a_call_whose_time_is_over_when_the_answer_is_closed_is_a_failure() throws Exception {
    OkHttpClient impatient = client.newBuilder().callTimeout(Duration.ofMillis(300)).build();
    try (RawServer server =
        RawServer.start(
            exchange -> {
              exchange.write(RawServer.head(200, 1_000) + "17 ");
              exchange.hang();
            })) {
      Call call = call(impatient, server.uri());
      Response response = call.execute();
      while (!call.isCanceled()) {
        Thread.onSpinWait();
      }
      response.close();
      assertThat(ends(guard, server.uri())).isEqualTo(only(Outcome.FAILURE));
    }
  }

  @Test
  void a_call_that_no_connection_will_do_for_is_no_evidence_and_not_made_again() throws Exception {
    FakeTime time = FakeTime.create();
    HttpGuard retrying =
        HttpGuard.create(
            calls ->
                calls.retry(
                    config ->
                        config
                            .ignoreExceptions(IllegalStateException.class)
                            .ticker(time)
                            .scheduler(time)));
    OkHttpClient encrypted =
        new OkHttpClient.Builder()
            .addInterceptor(GuardInterceptor.of(retrying))
            .connectionSpecs(List.of(ConnectionSpec.MODERN_TLS))
            .build();
    URI nobody = RawServer.refusing();

    assertThatThrownBy(() -> call(encrypted, nobody).execute())
        .isInstanceOf(UnknownServiceException.class);
    assertThat(ends(retrying, nobody)).isEqualTo(only(Outcome.IGNORED));
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void a_retry_does_not_begin_to_wait_for_longer_than_the_call_has() throws Exception {
    FakeTime time = FakeTime.create();
    HttpGuard retrying =
        HttpGuard.create(
            calls ->
                calls.retry(
                    config ->
                        config
                            .maxWaitDuration(Duration.ofMinutes(1))
                            .ticker(time)
                            .scheduler(time)));
    OkHttpClient impatient =
        new OkHttpClient.Builder()
            .addInterceptor(GuardInterceptor.of(retrying))
            .callTimeout(Duration.ofSeconds(20))
            .build();
    try (RawServer server = RawServer.answering(503, "busy", "Retry-After: 30");
        Response response = call(impatient, server.uri()).execute()) {
      assertThat(response.code()).isEqualTo(503);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void a_web_socket_ends_with_its_handshake() throws Exception {
    CompletableFuture<String> text = new CompletableFuture<>();
    try (MockWebServer server = new MockWebServer()) {
      server.enqueue(
          new MockResponse.Builder()
              .webSocketUpgrade(
                  new WebSocketListener() {
                    @Override
                    public void onOpen(WebSocket socket, Response response) {
                      socket.send("17 left");
                      socket.close(1000, null);
                    }
                  })
              .build());
      server.start();
      URI uri = server.url("/stock").uri();
      client.newWebSocket(
          new Request.Builder().url(uri.toString()).build(),
          new WebSocketListener() {
            @Override
            public void onMessage(WebSocket socket, String message) {
              text.complete(message);
            }

            @Override
            public void onFailure(WebSocket socket, Throwable thrown, Response response) {
              text.completeExceptionally(thrown);
            }
          });

      assertThat(text.get(30, TimeUnit.SECONDS)).isEqualTo("17 left");
      assertThat(ends(guard, uri)).isEqualTo(only(Outcome.SUCCESS));
    }
  }

  private CircuitBreaker breaker(URI uri) {
    return guard.circuitBreaker(HttpCall.of("GET", uri, name -> List.of()));
  }

  private static Call call(OkHttpClient client, URI uri) {
    return client.newCall(new Request.Builder().url(uri.toString()).build());
  }
}
