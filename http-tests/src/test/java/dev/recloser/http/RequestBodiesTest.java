package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.httpclient5.GuardAsyncExecHandler;
import dev.recloser.httpclient5.GuardExecHandler;
import dev.recloser.okhttp.GuardInterceptor;
import dev.recloser.test.FakeTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.apache.hc.client5.http.classic.methods.HttpPut;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.entity.StringAsyncEntityConsumer;
import org.apache.hc.core5.http.nio.support.AsyncRequestBuilder;
import org.apache.hc.core5.http.nio.support.BasicResponseConsumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a request carries is sent with each attempt, and a request that can be sent once is. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RequestBodiesTest {
  private final FakeTime time = FakeTime.create();
  private final HttpGuard guard =
      HttpGuard.create(
          calls -> calls.retry(config -> config.ticker(time).scheduler(new PassingTime(time))));

  @Test
  void of_ok_http() throws Exception {
    OkHttpClient client =
        new OkHttpClient.Builder().addInterceptor(GuardInterceptor.of(guard)).build();
    assertThat(attempts(server -> put(client, server, RequestBody.create("17", null))))
        .isEqualTo(3);
    assertThat(attempts(server -> put(client, server, new OneShot()))).isEqualTo(1);
  }

  @Test
  void of_the_classic_http_client() throws Exception {
    try (CloseableHttpClient client =
        HttpClients.custom()
            .disableAutomaticRetries()
            .addExecInterceptorFirst("recloser", GuardExecHandler.of(guard))
            .build()) {
      assertThat(attempts(server -> put(client, server, new StringEntity("17")))).isEqualTo(3);
      HttpEntity stream =
          new InputStreamEntity(
              new ByteArrayInputStream("17".getBytes(StandardCharsets.UTF_8)),
              2,
              ContentType.TEXT_PLAIN);
      assertThat(attempts(server -> put(client, server, stream))).isEqualTo(1);
    }
  }

  @Test
  void of_the_asynchronous_http_client() throws Exception {
    try (CloseableHttpAsyncClient client =
        HttpAsyncClients.custom()
            .disableAutomaticRetries()
            .addExecInterceptorFirst("recloser", GuardAsyncExecHandler.of(guard))
            .build()) {
      client.start();
      assertThat(
              attempts(
                  server ->
                      put(
                          client,
                          server,
                          new BasicAsyncEntityProducer("17", ContentType.TEXT_PLAIN))))
          .isEqualTo(3);
      AsyncEntityProducer once =
          new BasicAsyncEntityProducer("17", ContentType.TEXT_PLAIN) {
            @Override
            public boolean isRepeatable() {
              return false;
            }
          };
      assertThat(attempts(server -> put(client, server, once))).isEqualTo(1);
    }
  }

  private interface Call {
    void make(RawServer server) throws Exception;
  }

  private static int attempts(Call call) throws Exception {
    try (RawServer server = RawServer.answering(503, "busy")) {
      call.make(server);
      assertThat(server.bodies()).containsOnly("17");
      return server.requests().size();
    }
  }

  private static void put(OkHttpClient client, RawServer server, RequestBody body)
      throws IOException {
    Request request = new Request.Builder().url(server.uri().toString()).put(body).build();
    try (Response response = client.newCall(request).execute()) {
      assertThat(response.code()).isEqualTo(503);
      assertThat(response.body().string()).isEqualTo("busy");
    }
  }

  private static void put(CloseableHttpClient client, RawServer server, HttpEntity body)
      throws IOException {
    HttpPut put = new HttpPut(server.uri());
    put.setEntity(body);
    assertThat(client.execute(put, ClassicHttpResponse::getCode)).isEqualTo(503);
  }

  private static void put(
      CloseableHttpAsyncClient client, RawServer server, AsyncEntityProducer body)
      throws Exception {
    var response =
        client
            .execute(
                AsyncRequestBuilder.put(server.uri()).setEntity(body).build(),
                new BasicResponseConsumer<>(new StringAsyncEntityConsumer()),
                null)
            .get(30, TimeUnit.SECONDS);
    assertThat(response.getHead().getCode()).isEqualTo(503);
    assertThat(response.getBody()).isEqualTo("busy");
  }

  /** A body that can be sent once only. */
  private static final class OneShot extends RequestBody {
    @Override
    public okhttp3.MediaType contentType() {
      return null;
    }

    @Override
    public long contentLength() {
      return 2;
    }

    @Override
    public boolean isOneShot() {
      return true;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      sink.writeUtf8("17");
    }
  }
}
