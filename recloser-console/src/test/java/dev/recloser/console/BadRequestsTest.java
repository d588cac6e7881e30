package dev.recloser.console;

import static dev.recloser.console.Requests.breaker;
import static dev.recloser.console.Requests.command;
import static dev.recloser.console.Requests.get;
import static dev.recloser.console.Requests.json;
import static dev.recloser.console.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Policies;
import java.io.InputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What is wrong with a request is said in the answer, and does nothing. */
final class BadRequestsTest {
  private static final String CONTROL = "/api/breakers/inventory/control";
  private static final String RESET = "{\"action\":\"reset\",\"reason\":\"drill\"}";

  private final Policies policies = Policies.create();
  private final ConsoleHandler panel = ConsoleHandler.create(policies, s -> s.controls(r -> "eve"));

  BadRequestsTest() {
    breaker(policies, "inventory").transitionTo(State.FORCED_OPEN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | /api/nothing             | 404 | path: "/api/nothing"
          GET    | /nothing.html            | 404 | path: "/nothing.html"
          GET    | /../secret               | 404 | path: "/../secret"
          GET    | /page/index.html         | 404 | path
          GET    | /api/breakers/           | 404 | name: ""
          GET    | /api/breakers/Inventory  | 404 | name: "Inventory" (expected: that of a circuit breaker)
          GET    | /api/breakers/a/b/c      | 404 | path
          GET    | /api/breakers/inventory/control | 405 | method: "GET" (expected: POST)
          GET    | /api/breakers/%          | 400 | path: "%" (expected: a name, percent-encoded in UTF-8)
          GET    | /api/breakers/%zz        | 400 | path
          GET    | /api/breakers/%C3        | 400 | path
          GET    | /api/breakers/%C3%28     | 400 | path
          POST   | /api/breakers            | 405 | method: "POST" (expected: GET, HEAD)
          DELETE | /api/breakers/inventory  | 405 | method: "DELETE"
          PUT    | /                        | 405 | method: "PUT"
          TRACE  | /api/events              | 405 | method: "TRACE"
          get    | /api/breakers            | 405 | method: "get"
          """)
  void a_wrong_path_or_method_is_named(String method, String path, int status, String fault) {
    assertProblem(panel.answer(request(method, path, "")), status, fault);
  }

  @Test
  void a_field_that_is_there_in_two_spellings_is_there_twice() {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    headers.put("Host", List.of("evil.example"));
    headers.put("host", List.of("localhost"));

    ConsoleRequest request = ConsoleRequest.of("GET", "/api/breakers", headers);

    assertProblem(panel.answer(request), 400, "Host: sent 2 times (expected: once)");
    assertThatThrownBy(() -> request.headers().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void an_endless_path_is_not_looked_at() {
    assertProblem(panel.answer(get("/api/breakers/" + "a".repeat(5_000))), 414, "path: 5014 char");
  }

  @Test
  void what_is_told_again_is_cut_and_on_one_line() {
    ConsoleAnswer answer = panel.answer(get("/api/breakers/%0D%0Aevil" + "x".repeat(500)));
    String fault = json(answer).get("detail").asString();
    assertThat(fault).hasSizeLessThan(200).doesNotContain("\n", "\r").contains("\"  evilxxx");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%C2%9B", "%1B", "%E2%80%AE", "%E2%81%A6", "%E2%80%A8"})
  void what_is_told_again_steers_no_terminal_and_turns_no_text(String sent) {
    ConsoleAnswer answer = panel.answer(get("/api/breaker?name=a" + sent + "b"));
    assertThat(json(answer).get("detail").asString()).contains("\"a b\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:80",
        "localhost.evil.example",
        "[::2]:80",
        "",
        ":",
        "[",
        "[::1",
        "[zz]",
        "[localhost]"
      })
  void a_host_that_is_not_ours_may_be_a_foreign_page(String host) {
    assertProblem(panel.answer(get("/api/breakers", "Host", host)), 421, "Host: \"" + host + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST:1", "127.0.0.1:65535", "[::1]", "[::1]:8080"})
  void loopback_by_any_name_and_port_is_ours(String host) {
    assertThat(panel.answer(get("/api/breakers", "Host", host)).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "[2001:DB8:0:0:0:0:0:1], [2001:db8::1]:80",
    "[2001:0db8::0001], [2001:db8::1]",
    "[2001:db8::1], [2001:DB8:0::1]",
    "[::ffff:10.0.0.1], [::ffff:a00:1]:80",
    "Orders.Example.com, ORDERS.example.COM:443"
  })
  void an_address_is_the_same_however_it_is_spelled(String set, String sent) {
    ConsoleHandler named = ConsoleHandler.create(policies, settings -> settings.hosts(set));
    assertThat(named.answer(get("/api/breakers", "Host", sent)).status()).isEqualTo(200);
    assertThat(named.answer(get("/api/breakers", "Host", "[2001:db8::2]")).status()).isEqualTo(421);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[::1", "[]", "[1:2]", "[::1]:80", "[fe80::1%eth0]", "[localhost]", "a:80"})
  void what_is_no_host_is_no_setting(String host) {
    assertThatThrownBy(() -> ConsoleHandler.create(policies, settings -> settings.hosts(host)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("hosts: \"" + host + "\"");
  }

  @Test
  void a_host_is_sent_once() {
    assertProblem(
        panel.answer(ConsoleRequest.of("GET", "/", Map.of())), 421, "Host: missing (expected: one");
    assertProblem(
        panel.answer(ConsoleRequest.of("GET", "/", Map.of("Host", List.of("localhost", "evil")))),
        400,
        "Host: sent 2 times (expected: once)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://evil.example",
        "null",
        "http://localhost",
        "http://localhost:81",
        "::",
        ""
      })
  void a_foreign_origin_reads_nothing(String origin) {
    assertProblem(
        panel.answer(get("/api/breakers", "Origin", origin)), 403, "Origin: \"" + origin + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "X-Recloser-Console, '', 403, X-Recloser-Console: missing",
    "Sec-Fetch-Site, cross-site, 403, Sec-Fetch-Site",
    "Sec-Fetch-Site, same-site, 403, Sec-Fetch-Site",
    "Origin, http://evil.example, 403, Origin",
    "Content-Type, '', 415, Content-Type: missing",
    "Content-Type, text/plain, 415, Content-Type",
    "Content-Type, application/x-www-form-urlencoded, 415, Content-Type",
    "Content-Type, application/jsonp, 415, Content-Type"
  })
  void a_command_that_a_form_could_send_is_none(
      String header, String value, int status, String fault) {
    assertProblem(panel.answer(command(CONTROL, RESET, header, value)), status, fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                   | body: expected a JSON object
          null                                 | body: expected a JSON object
          []                                   | body: expected a JSON object
          {                                    | body: expected a JSON object
          {} {}                                | body: expected a JSON object
          {"action":{}}                        | body: expected a JSON object
          {"action":["reset"]}                 | body: expected a JSON object
          {"action":"reset","action":"reset"}  | there twice
          {}                                   | action: missing (expected: one of force-open, disable, metrics-only, probe, reset)
          {"action":"close","reason":"x"}      | action: "close"
          {"action":"reset"}                   | reason: missing (expected: a line of at most 200
          {"action":"reset","reason":" "}      | reason: " "
          {"action":"reset","reason":"a\\nb"}  | reason
          {"action":"reset","reason":"x","expirySeconds":5}      | expirySeconds: 5 (expected: none, reset
          {"action":"disable","reason":"x","expirySeconds":0}    | expirySeconds: "0" (expected: 1 to 604800)
          {"action":"disable","reason":"x","expirySeconds":-1}   | expirySeconds: "-1"
          {"action":"disable","reason":"x","expirySeconds":1.5}  | expirySeconds: "1.5"
          {"action":"disable","reason":"x","expirySeconds":1e99} | expirySeconds: "1e99"
          {"action":"disable","reason":"x","expirySeconds":true} | expirySeconds: "true"
          {"action":"disable","reason":"x","for":5}              | "for": unknown (expected: action, reason
          """)
  void a_wrong_command_says_what_is_wrong(String body, String fault) {
    assertProblem(panel.answer(command(CONTROL, body)), 400, fault);
  }

  @Test
  void all_that_is_wrong_is_said_at_once() {
    ConsoleAnswer answer =
        panel.answer(command(CONTROL, "{\"action\":\"x\",\"expirySeconds\":0,\"y\":1}"));
    assertThat(json(answer).get("faults")).hasSize(4);
  }

  @Test
  void a_body_is_read_no_further_than_needed() {
    InputStream endless =
        new InputStream() {
          private int bytes;

          @Override
          public int read() {
            assertThat(++bytes).isLessThan(10_000);
            return ' ';
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            bytes += length;
            assertThat(bytes).isLessThan(20_000);
            Arrays.fill(into, offset, offset + length, (byte) ' ');
            return length;
          }
        };
    ConsoleRequest request = command(CONTROL, "");
    ConsoleAnswer answer =
        panel.answer(new ConsoleRequest("POST", CONTROL, request.headers(), endless));
    assertProblem(answer, 413, "body: more than 8192 bytes");
  }

  @Test
  void nested_json_without_end_is_answered() {
    assertProblem(panel.answer(command(CONTROL, "[".repeat(8_000))), 400, "body");
    assertProblem(panel.answer(command(CONTROL, "{\"a\":".repeat(1_500))), 400, "body");
  }

  @Test
  void a_closed_breaker_is_not_probed() {
    breaker(policies, "inventory").reset();
    assertProblem(
        panel.answer(command(CONTROL, "{\"action\":\"probe\",\"reason\":\"x\"}")),
        409,
        "state: CLOSED (expected: OPEN or FORCED_OPEN, to probe)",
        State.CLOSED);
  }

  private void assertProblem(ConsoleAnswer answer, int status, String fault) {
    assertProblem(answer, status, fault, State.FORCED_OPEN);
  }

  private void assertProblem(ConsoleAnswer answer, int status, String fault, State state) {
    JsonNode problem = json(answer);
    assertThat(answer.status()).as(problem.toString()).isEqualTo(status);
    assertThat(answer.headers()).containsEntry("Content-Type", "application/problem+json");
    assertThat(answer.headers()).containsKey("Content-Security-Policy");
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.get("detail").asString()).contains(fault);
    assertThat(breaker(policies, "inventory").state()).isEqualTo(state);
  }
}
