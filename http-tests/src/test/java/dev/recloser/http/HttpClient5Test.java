package dev.recloser.http;

import static dev.recloser.http.GuardedClientTest.ends;
import static dev.recloser.http.GuardedClientTest.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.Outcome;
import dev.recloser.httpclient5.GuardAsyncExecHandler;
import dev.recloser.httpclient5.GuardExecHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.CharBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.async.methods.AbstractCharResponseConsumer;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.async.methods.SimpleRequestProducer;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is peculiar to Apache's client; the rest is in {@link ClientsAgreeTest}. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class HttpClient5Test {
  private final HttpGuard guard = HttpGuard.create();

  @Test
  void as_the_first_of_the_chain_it_sees_whole_calls_and_after_retries_each_attempt()
      throws Exception {
    for (boolean first : new boolean[] {true, false}) {
      try (RawServer server = busyOnce();
          CloseableHttpClient client = classic(first).build()) {
        assertThat(client.execute(new HttpGet(server.uri()), ClassicHttpResponse::getCode))
            .isEqualTo(200);
        assertThat(ends(guard, server.uri())).containsExactly(1L, first ? 0L : 1L, 0L, 0L);
      }
      try (RawServer server = busyOnce();
          CloseableHttpAsyncClient client = async(first).build()) {
        client.start();
        var future = client.execute(SimpleRequestBuilder.get(server.uri()).build(), null);
        assertThat(future.get(30, TimeUnit.SECONDS).getCode()).isEqualTo(200);
        assertThat(ends(guard, server.uri())).containsExactly(1L, first ? 0L : 1L, 0L, 0L);
      }
    }
  }

  @Test
  void a_refusal_is_what_it_is_for_every_breaker() throws Exception {
    URI uri = RawServer.refusing();
    breaker(uri).transitionTo(CircuitBreaker.State.OPEN);
    try (CloseableHttpClient client = classic(true).build();
        CloseableHttpAsyncClient async = async(true).build()) {
      async.start();
      assertThatThrownBy(() -> client.execute(new HttpGet(uri), ClassicHttpResponse::getCode))
          .isInstanceOf(CallNotPermittedException.class);
      assertThatThrownBy(
              () ->
                  async
                      .execute(SimpleRequestBuilder.get(uri).build(), null)
                      .get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(CallNotPermittedException.class);
    }
  }

  @Test
  @SuppressWarnings("deprecation") // The way that hands the response out open.
  void a_response_that_is_closed_unread_leaves_the_answer_as_good_as_its_head() throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left");
        CloseableHttpClient client = classic(true).build()) {
      client.execute(new HttpGet(server.uri())).close();
      assertThat(ends(guard, server.uri())).isEqualTo(only(Outcome.SUCCESS));
    }
  }

  @Test
  @SuppressWarnings("deprecation") // As above.
  void a_response_that_is_closed_after_its_request_was_cancelled_is_no_evidence() throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left");
        CloseableHttpClient client = classic(true).build()) {
      HttpGet request = new HttpGet(server.uri());
      ClassicHttpResponse response = client.execute(request);
      request.cancel();
      response.close();
      assertThat(ends(guard, server.uri())).isEqualTo(only(Outcome.CANCELLED));
    }
  }

  @Test
  void however_an_entity_is_read_the_call_ends() throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left");
        CloseableHttpClient client = classic(true).build()) {
      String written =
          client.execute(
              new HttpGet(server.uri()),
              response -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                response.getEntity().writeTo(out);
                return out.toString(java.nio.charset.StandardCharsets.UTF_8);
              });
      int first =
          client.execute(
              new HttpGet(server.uri()), response -> response.getEntity().getContent().read());
      String text =
          client.execute(
              new HttpGet(server.uri()), response -> EntityUtils.toString(response.getEntity()));

      assertThat(written).isEqualTo("17 left");
      assertThat(first).isEqualTo('1');
      assertThat(text).isEqualTo("17 left");
      assertThat(ends(guard, server.uri())).containsExactly(3L, 0L, 0L, 0L);
    }
  }

  @Test
  void what_the_callers_consumer_throws_is_not_the_dependencys() throws Exception {
    try (RawServer server = RawServer.answering(200, "17 left");
        CloseableHttpAsyncClient client = async(true).build()) {
      client.start();
      for (boolean atOnce : new boolean[] {true, false}) {
        assertThatThrownBy(
                () ->
                    client
                        .execute(
                            SimpleRequestProducer.create(
                                SimpleRequestBuilder.get(server.uri()).build()),
                            new Picky(atOnce),
                            null)
                        .get(30, TimeUnit.SECONDS))
            .hasRootCauseMessage("not to my taste");
      }
      assertThat(ends(guard, server.uri())).containsExactly(2L, 0L, 0L, 0L);
    }
  }

  @Test
  void what_gives_retries_can_throw_into_the_future_only() throws Exception {
    HttpGuard unwired =
        HttpGuard.create(
            calls ->
                calls.retries(
                    name -> {
                      throw new IllegalArgumentException("no such retry: " + name);
                    }));
    try (CloseableHttpAsyncClient client =
        HttpAsyncClients.custom()
            .addExecInterceptorFirst("recloser", GuardAsyncExecHandler.of(unwired))
            .build()) {
      client.start();
      var future = client.execute(SimpleRequestBuilder.get(RawServer.refusing()).build(), null);
      assertThatThrownBy(() -> future.get(30, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Takes no answer, from its head on or from its body on. */
  private static final class Picky extends AbstractCharResponseConsumer<String> {
    private final boolean atOnce;

    Picky(boolean atOnce) {
      this.atOnce = atOnce;
    }

    @Override
    protected void start(HttpResponse response, ContentType type) throws HttpException {
      if (atOnce) {
        throw new HttpException("not to my taste");
      }
    }

    @Override
    protected int capacityIncrement() {
      return Integer.MAX_VALUE;
    }

    @Override
    protected void data(CharBuffer part, boolean isLast) throws IOException {
      throw new IOException("not to my taste");
    }

    @Override
    protected String buildResult() {
      return "";
    }

    @Override
    public void releaseResources() {}
  }

  private CircuitBreaker breaker(URI uri) {
    return guard.circuitBreaker(HttpCall.of("GET", uri, name -> List.of()));
  }

  private HttpClientBuilder classic(boolean first) {
    HttpClientBuilder builder = HttpClients.custom().setRetryStrategy(once());
    GuardExecHandler handler = GuardExecHandler.of(guard);
    return first
        ? builder.addExecInterceptorFirst("recloser", handler)
        : builder.addExecInterceptorAfter(ChainElement.RETRY.name(), "recloser", handler);
  }

  private HttpAsyncClientBuilder async(boolean first) {
    HttpAsyncClientBuilder builder = HttpAsyncClients.custom().setRetryStrategy(once());
    GuardAsyncExecHandler handler = GuardAsyncExecHandler.of(guard);
    return first
        ? builder.addExecInterceptorFirst("recloser", handler)
        : builder.addExecInterceptorAfter(ChainElement.RETRY.name(), "recloser", handler);
  }

  private static DefaultHttpRequestRetryStrategy once() {
    return new DefaultHttpRequestRetryStrategy(1, TimeValue.ofMilliseconds(1));
  }

  private static RawServer busyOnce() throws java.io.IOException {
    return RawServer.start(
        exchange ->
            exchange.write(
                exchange.number() == 1
                    ? RawServer.answer(503, "busy")
                    : RawServer.answer(200, "17 left")));
  }
}
