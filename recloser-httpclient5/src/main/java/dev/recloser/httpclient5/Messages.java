package dev.recloser.httpclient5;

import dev.recloser.http.HttpAnswer;
import dev.recloser.http.HttpCall;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.MessageHeaders;

/** The client's messages as those of a guard. */
final class Messages {
  private Messages() {}

  static HttpCall call(HttpRequest request, HttpRoute route) {
    return HttpCall.of(request.getMethod(), uri(request, route), name -> values(request, name));
  }

  static HttpAnswer answer(HttpResponse response) {
    return HttpAnswer.of(response.getCode(), name -> values(response, name));
  }

  /** The route says where it goes to, when its URI is one that Java cannot read. */
  private static URI uri(HttpRequest request, HttpRoute route) {
    try {
      return request.getUri();
    } catch (URISyntaxException e) {
      return URI.create(route.getTargetHost().toURI());
    }
  }

  private static List<String> values(MessageHeaders message, String name) {
    return Arrays.stream(message.getHeaders(name)).map(Header::getValue).toList();
  }
}
