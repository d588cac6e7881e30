package dev.recloser.http;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** The two ways in which the JDK's client sends. */
enum JdkWay {
  SEND {
    @Override
    <T> HttpResponse<T> send(HttpClient client, HttpRequest request, BodyHandler<T> handler)
        throws Exception {
      return client.send(request, handler);
    }
  },
  SEND_ASYNC {
    @Override
    <T> HttpResponse<T> send(HttpClient client, HttpRequest request, BodyHandler<T> handler)
        throws Exception {
      try {
        return client.sendAsync(request, handler).get(30, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Exception thrown) {
          throw thrown;
        }
        throw e;
      }
    }
  };

  abstract <T> HttpResponse<T> send(HttpClient client, HttpRequest request, BodyHandler<T> handler)
      throws Exception;
}
