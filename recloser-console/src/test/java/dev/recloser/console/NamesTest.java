package dev.recloser.console;

import static dev.recloser.console.Requests.breaker;
import static dev.recloser.console.Requests.command;
import static dev.recloser.console.Requests.get;
import static dev.recloser.console.Requests.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.Policies;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Whatever a breaker is called, it can be asked for. */
final class NamesTest {
  private final Policies policies = Policies.create();
  private final ConsoleHandler panel =
      ConsoleHandler.create(policies, settings -> settings.controls(request -> "alice"));

  static List<String> names() {
    return List.of(
        "inventory",
        ".",
        "..",
        "a/b",
        "/",
        "a/control",
        "a\\b;c",
        "100%",
        "%2E",
        "a+b c",
        "a&name=b",
        "?x#y",
        "\u0000\u0001\t\r\n\u007f\u0085\u2028",
        "grün",
        "日本",
        "😀",
        "\ud800",
        "x\udfffy",
        "\udc00\ud800",
        "\ufeff",
        "界".repeat(10_000),
        "\ud800".repeat(10_000));
  }

  @ParameterizedTest
  @MethodSource("names")
  void a_name_is_found_and_told_again_as_it_is(String name) {
    breaker(policies, name).transitionTo(State.DISABLED);
    ConsoleAnswer answer = panel.answer(get("/api/breaker?name=" + encoded(name)));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(json(answer).get("name").asString()).isEqualTo(name);
    assertThat(json(panel.answer(get("/api/breakers"))).at("/breakers/0/name").asString())
        .isEqualTo(name);

    String reset = "{\"action\":\"reset\",\"reason\":\"drill\"}";
    String control = "/api/breaker/control?name=" + encoded(name);
    assertThat(panel.answer(command(control, reset)).status()).isEqualTo(200);
    assertThat(breaker(policies, name).state()).isEqualTo(State.CLOSED);
  }

  @Test
  void a_form_may_write_a_space_as_a_plus_and_a_path_may_not() {
    breaker(policies, "a b");
    breaker(policies, "a+b");
    assertThat(nameOf("/api/breaker?name=a+b")).isEqualTo("a b");
    assertThat(nameOf("/api/breaker?x=1&name=a%2Bb&y")).isEqualTo("a+b");
    assertThat(nameOf("/api/breakers/a+b")).isEqualTo("a+b");
  }

  @ParameterizedTest
  @CsvSource({
    "'', name: missing",
    "x=1, name: missing",
    "name=a&name=b, name: there 2 times",
    "name=%, percent-encoded in UTF-8",
    "name=%4, percent-encoded in UTF-8",
    "name=%zz, percent-encoded in UTF-8",
    "name=%C3%28, percent-encoded in UTF-8",
    "name=%ED%A0, percent-encoded in UTF-8",
    "name=%F5%80%80%80, percent-encoded in UTF-8"
  })
  void what_is_no_name_is_said(String query, String fault) {
    JsonNode problem = json(panel.answer(get("/api/breaker?" + query)));
    assertThat(problem.get("status").asInt()).isEqualTo(400);
    assertThat(problem.get("detail").asString()).contains(fault);
  }

  @Test
  void an_endless_query_is_not_looked_at() {
    JsonNode problem = json(panel.answer(get("/api/breaker?name=" + "a".repeat(100_000))));
    assertThat(problem.get("status").asInt()).isEqualTo(414);
    assertThat(problem.get("detail").asString())
        .isEqualTo("query: 100005 characters (expected: at most 100000)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/?x", "/index.html?v=1", "/api/breakers?", "/api/console?a=b"})
  void elsewhere_a_query_says_nothing(String path) {
    assertThat(panel.answer(get(path)).status()).isEqualTo(200);
  }

  private String nameOf(String path) {
    return json(panel.answer(get(path))).get("name").asString();
  }

  /** As the page does it. */
  private static String encoded(String name) {
    StringBuilder encoded = new StringBuilder();
    name.codePoints()
        .forEach(
            c ->
                encoded.append(
                    Character.getType(c) == Character.SURROGATE
                        ? "%%ED%%%02X%%%02X".formatted(0x80 | (c >> 6 & 0x3F), 0x80 | (c & 0x3F))
                        : URLEncoder.encode(Character.toString(c), StandardCharsets.UTF_8)));
    return encoded.toString();
  }
}
