package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which dependency a call goes to, and whether it may be made twice. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class HttpCallTest {
  @ParameterizedTest
  @CsvSource({
    "http://inventory:8080/stock/17?q=1#a, http://inventory:8080",
    "http://inventory/stock, http://inventory",
    "http://inventory:80/stock, http://inventory",
    "https://inventory:443, https://inventory",
    "https://inventory:80, https://inventory:80",
    "HTTPS://Inventory.Example:8443/A, https://inventory.example:8443",
    "http://user:secret@inventory:8080/, http://inventory:8080",
    "http://[::1]:8080/stock, http://[::1]:8080",
    "http://my_service:8080/stock, http://my_service:8080",
    "http://user:secret@my_service:8080/stock, http://my_service:8080",
    "mailto:someone@example.com, mailto://",
    "/stock/17, ://"
  })
  void its_origin(String uri, String origin) {
    assertThat(call("GET", uri).origin()).isEqualTo(origin);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, true",
    "HEAD, true",
    "OPTIONS, true",
    "TRACE, true",
    "PUT, true",
    "DELETE, true",
    "POST, false",
    "PATCH, false",
    "CONNECT, false",
    "get, false",
    "LOCK, false"
  })
  void whether_its_method_may_be_repeated(String method, boolean idempotent) {
    assertThat(call(method, "http://inventory/").isIdempotent()).isEqualTo(idempotent);
  }

  @Test
  void a_post_may_be_repeated_with_an_idempotency_key() {
    HttpRequest.Builder post =
        HttpRequest.newBuilder(URI.create("http://inventory/"))
            .POST(HttpRequest.BodyPublishers.noBody());

    assertThat(HttpCall.of(post.build()).isIdempotent()).isFalse();
    assertThat(HttpCall.of(post.copy().header("idempotency-key", " ").build()).isIdempotent())
        .isFalse();
    assertThat(HttpCall.of(post.copy().header("idempotency-key", "4711").build()).isIdempotent())
        .isTrue();
  }

  @Test
  void keys_name_the_dependency() {
    HttpCall call = call("PUT", "http://inventory:8080/reserve/17");

    assertThat(HttpKey.origin().of(call)).isEqualTo("http://inventory:8080");
    assertThat(HttpKey.originAndMethod().of(call)).isEqualTo("http://inventory:8080 PUT");
    assertThat(HttpKey.originAnd(any -> "reserve").of(call))
        .isEqualTo("http://inventory:8080 reserve");
  }

  static HttpCall call(String method, String uri) {
    return HttpCall.of(method, URI.create(uri), name -> List.of());
  }
}
