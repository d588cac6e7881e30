package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RoutesTest {
  @ParameterizedTest
  @CsvSource({
    "GET / HTTP/1.1, GET /",
    "GET /stock/4711?x=1 HTTP/1.1, GET /stock/*",
    "GET /v1/stock HTTP/2.0, GET /v1/stock",
    "POST /v1/orders/5b6e5a0c-3f0b-9f51-8d0f-3a5a0a3f9a01/lines/2/ HTTP/1.1,"
        + " POST /v1/orders/*/lines/*/",
    "GET /oauth2/token HTTP/1.1, GET /oauth2/token",
    "GET https://shop.example:443/stock/7 HTTP/1.1, GET /stock/*",
    "GET http://shop.example, GET /",
    "nonsense, nonsense"
  })
  void ids_and_queries_are_left_out(String request, String route) {
    assertThat(Routes.of(List.of(request))).isEqualTo(route);
  }

  @Test
  void method_and_path_may_come_apart() {
    assertThat(Routes.of(List.of("GET", "/stock/7?x"))).isEqualTo("GET /stock/*");
  }
}
