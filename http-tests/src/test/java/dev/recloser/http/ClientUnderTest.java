package dev.recloser.http;

import dev.recloser.Timeout;
import dev.recloser.httpclient5.GuardAsyncExecHandler;
import dev.recloser.httpclient5.GuardExecHandler;
import dev.recloser.okhttp.GuardInterceptor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** The clients that a guard stands before, each with a timeout for what hangs and no retries. */
enum ClientUnderTest {
  JDK_SEND {
    @Override
    Guarded guard(HttpGuard guard, Duration limit) {
      HttpClient client = guard.client(jdk());
      Timeout timeout = Timeout.create("call", config -> config.timeoutDuration(limit));
      return new Guarded() {
        @Override
        public void get(URI uri) throws Exception {
          HttpRequest request = HttpRequest.newBuilder(uri).build();
          timeout.<HttpResponse<String>, Exception>call(
              () -> client.send(request, HttpResponse.BodyHandlers.ofString()));
        }

        @Override
        public Runnable begin(URI uri, CompletableFuture<Void> end) {
          return interruptible(
              () ->
                  client.send(
                      HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()),
              end);
        }

        @Override
        public void close() {}
      };
    }
  },

  JDK_SEND_ASYNC {
    @Override
    Guarded guard(HttpGuard guard, Duration limit) {
      HttpClient client = guard.client(jdk());
      return new Guarded() {
        @Override
        public void get(URI uri) throws Exception {
          send(uri).orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).get(30, TimeUnit.SECONDS);
        }

        @Override
        public Runnable begin(URI uri, CompletableFuture<Void> end) {
          CompletableFuture<HttpResponse<String>> future = send(uri);
          var unused = future.whenComplete((response, thrown) -> end.complete(null));
          return () -> future.cancel(true);
        }

        private CompletableFuture<HttpResponse<String>> send(URI uri) {
          return client.sendAsync(
              HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }

        @Override
        public void close() {}
      };
    }
  },

  OKHTTP_EXECUTE {
    @Override
    Guarded guard(HttpGuard guard, Duration limit) {
      return new OkHttp(guard, limit) {
        @Override
        public void get(URI uri) throws Exception {
          try (Response response = call(uri).execute()) {
            response.body().string();
          }
        }
      };
    }
  },

  OKHTTP_ENQUEUE {
    @Override
    Guarded guard(HttpGuard guard, Duration limit) {
      return new OkHttp(guard, limit) {
        @Override
        public void get(URI uri) throws Exception {
          CompletableFuture<String> body = new CompletableFuture<>();
          call(uri)
              .enqueue(
                  new Callback() {
                    @Override
                    public void onFailure(Call call, IOException thrown) {
                      body.completeExceptionally(thrown);
                    }

                    @Override
                    public void onResponse(Call call, Response response) {
                      try (response) {
                        body.complete(response.body().string());
                      } catch (IOException thrown) {
                        body.completeExceptionally(thrown);
                      }
                    }
                  });
          body.get(30, TimeUnit.SECONDS);
        }
      };
    }
  },

  HTTPCLIENT_CLASSIC {
    @Override
    Guarded guard(HttpGuard guard, Duration limit) {
      CloseableHttpClient client =
          HttpClients.custom()
              .setDefaultRequestConfig(timeouts(limit))
              .disableAutomaticRetries()
              .addExecInterceptorFirst("recloser", GuardExecHandler.of(guard))
              .build();
      return new Guarded() {
        @Override
        public void get(URI uri) throws Exception {
          client.execute(new HttpGet(uri), response -> EntityUtils.toString(response.getEntity()));
        }

        @Override
        public Runnable begin(URI uri, CompletableFuture<Void> end) {
          HttpGet request = new HttpGet(uri);
          interruptible(
              () -> client.execute(request, response -> EntityUtils.toString(response.getEntity())),
              end);
          return request::cancel;
        }

        @Override
        public void close() throws IOException {
          client.close();
        }
      };
    }
  },

  HTTPCLIENT_ASYNC {
    @Override
    Guarded guard(HttpGuard guard, Duration limit) {
      CloseableHttpAsyncClient client =
          HttpAsyncClients.custom()
              .setDefaultRequestConfig(timeouts(limit))
              .disableAutomaticRetries()
              .addExecInterceptorFirst("recloser", GuardAsyncExecHandler.of(guard))
              .build();
      client.start();
      return new Guarded() {
        @Override
        public void get(URI uri) throws Exception {
          client.execute(request(uri), null).get(30, TimeUnit.SECONDS);
        }

        @Override
        public Runnable begin(URI uri, CompletableFuture<Void> end) {
          var future = client.execute(request(uri), new Ended(end));
          return () -> future.cancel(true);
        }

        private SimpleHttpRequest request(URI uri) {
          return SimpleRequestBuilder.get(uri).build();
        }

        @Override
        public void close() throws IOException {
          client.close();
        }
      };
    }
  };

  /**
   * Puts a guard before a client of this kind.
   *
   * @param limit how long a call that hangs has
   */
  abstract Guarded guard(HttpGuard guard, Duration limit);

  /** A client with a guard before it. */
  interface Guarded extends AutoCloseable {
    /** Gets something, reads it to its end, and throws what the client throws. */
    void get(URI uri) throws Exception;

    /**
     * Begins to get something.
     *
     * @param end completed when the caller learns of the end
     * @return gives up
     */
    Runnable begin(URI uri, CompletableFuture<Void> end);

    @Override
    void close() throws IOException;
  }

  private interface Calling {
    void call() throws Exception;
  }

  private static HttpClient jdk() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  private static RequestConfig timeouts(Duration limit) {
    return RequestConfig.custom()
        .setResponseTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
        .build();
  }

  private static Runnable interruptible(Calling calling, CompletableFuture<Void> end) {
    Thread thread =
        new Thread(
            () -> {
              try {
                calling.call();
              } catch (Exception e) {
                // What the breaker makes of it is what matters.
              }
              end.complete(null);
            });
    thread.start();
    return thread::interrupt;
  }

  /** Learns only that it is over. */
  private record Ended(CompletableFuture<Void> end)
      implements org.apache.hc.core5.concurrent.FutureCallback<SimpleHttpResponse> {
    @Override
    public void completed(SimpleHttpResponse response) {
      end.complete(null);
    }

    @Override
    public void failed(Exception thrown) {
      end.complete(null);
    }

    @Override
    public void cancelled() {
      end.complete(null);
    }
  }

  private abstract static class OkHttp implements Guarded {
    private final OkHttpClient client;

    OkHttp(HttpGuard guard, Duration limit) {
      client =
          new OkHttpClient.Builder()
              .addInterceptor(GuardInterceptor.of(guard))
              .readTimeout(limit)
              .retryOnConnectionFailure(false)
              .build();
    }

    Call call(URI uri) {
      return client.newCall(new Request.Builder().url(uri.toString()).build());
    }

    @Override
    public Runnable begin(URI uri, CompletableFuture<Void> end) {
      Call call = call(uri);
      interruptible(
          () -> {
            try (Response response = call.execute()) {
              response.body().string();
            }
          },
          end);
      return call::cancel;
    }

    @Override
    public void close() {
      client.dispatcher().executorService().shutdown();
      client.connectionPool().evictAll();
    }
  }
}
