package dev.recloser.console;

import static dev.recloser.console.Requests.breaker;
import static dev.recloser.console.Requests.command;
import static dev.recloser.console.Requests.get;
import static dev.recloser.console.Requests.json;
import static dev.recloser.console.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.recloser.Bulkhead;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Pipeline;
import dev.recloser.Policies;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The document says what the panel does: real answers are checked by its schemas. */
final class OpenApiTest {
  private final Policies policies = Policies.create();
  private final ConsoleHandler panel =
      ConsoleHandler.create(
          policies,
          settings -> {
            settings.controls(request -> "alice");
            Pipeline<String> pipeline =
                Pipeline.create(
                    "orders",
                    calls ->
                        calls
                            .fallback(f -> f.onRefusal(() -> "none"))
                            .retry(r -> r.maxAttempts(2))
                            .circuitBreaker(breaker(policies, "inventory"))
                            .bulkhead(Bulkhead.create("inventory", b -> b.maxConcurrentCalls(3)))
                            .timeout(Duration.ofSeconds(1)));
            settings.pipeline(pipeline);
          });
  private final JsonNode document = json(panel.answer(get("/api/openapi.json")));

  @Test
  void every_path_of_the_document_is_answered_and_documented_as_it_is() {
    assertThat(new TreeSet<>(document.get("paths").propertyNames()))
        .containsExactly(
            "/api/breaker",
            "/api/breaker/control",
            "/api/breakers",
            "/api/breakers/{name}",
            "/api/breakers/{name}/control",
            "/api/console",
            "/api/events",
            "/api/export",
            "/api/fleet",
            "/api/fleet/events",
            "/api/openapi.json",
            "/api/policies");
    breaker(policies, "inventory");
    assertValid("Console", panel.answer(get("/api/console")));
    assertValid("Breakers", panel.answer(get("/api/breakers")));
    assertValid("Policies", panel.answer(get("/api/policies")));
    assertValid("Breaker", panel.answer(get("/api/breakers/inventory")));
    assertValid("Breaker", panel.answer(get("/api/breaker?name=inventory")));
    assertValid("Export", panel.answer(get("/api/export")));
    String command = "{\"action\":\"disable\",\"reason\":\"drill\",\"expirySeconds\":9}";
    assertThat(schema("Command").validate(command, InputFormat.JSON)).isEmpty();
    assertValid("Breaker", panel.answer(command("/api/breakers/inventory/control", command)));
    assertValid("Breaker", panel.answer(command("/api/breaker/control?name=inventory", command)));
    assertValid("Problem", panel.answer(get("/api/nothing")), 404);
  }

  @ParameterizedTest
  @EnumSource
  void a_breaker_of_any_state_is_as_documented(State state) {
    CircuitBreaker breaker =
        policies
            .circuitBreakers()
            .circuitBreaker(
                "by-time",
                CircuitBreakerConfig.of(c -> c.slidingWindowSize(Duration.ofSeconds(10))));
    Requests.succeed(breaker, 3);
    Requests.fail(breaker, 2);
    breaker.transitionTo(state);
    assertValid("Breaker", panel.answer(get("/api/breakers/by-time")));
    JsonNode answer = json(panel.answer(get("/api/breakers/by-time")));
    assertThat(answer.get("state").asString()).isEqualTo(state.name());
  }

  @Test
  void what_a_fleet_tells_is_as_documented() throws Exception {
    Policies others = Policies.create();
    breaker(others, "inventory").transitionTo(State.OPEN);
    try (Console instance = Console.start(others);
        Console fleet =
            Console.start(
                policies,
                s ->
                    s.instances(
                        Map.of("a", instance.uri(), "b", URI.create("http://127.0.0.1:1/"))));
        FleetReader reader = new FleetReader(fleet.uri())) {
      reader.until("all", f -> f.live("a") && f.hasSum("inventory") && !f.problem("b").isEmpty());
      assertThat(reader.told())
          .allSatisfy(
              event -> assertThat(schema("Fleet").validate(event, InputFormat.JSON)).isEmpty());
      String all =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(fleet.uri().resolve("api/fleet")).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      assertThat(schema("Fleet").validate(all, InputFormat.JSON)).as(all).isEmpty();
      assertThat(all).contains("\"refusing\":1", "\"live\":true", "\"live\":false");
    }
  }

  @Test
  void without_instances_there_is_no_fleet() {
    for (String path : List.of("/api/fleet", "/api/fleet/events")) {
      ConsoleAnswer answer = panel.answer(get(path));
      assertThat(answer.status()).isEqualTo(404);
      assertThat(text(answer)).contains("instances: none (expected: instances in the settings)");
    }
    assertThat(json(panel.answer(get("/api/console"))).get("fleet").asBoolean()).isFalse();
  }

  @Test
  void every_reference_leads_somewhere() {
    document
        .findValues("$ref")
        .forEach(
            reference ->
                assertThat(document.at(reference.asString().substring(1)).isMissingNode())
                    .as(reference.asString())
                    .isFalse());
  }

  @Test
  void a_wrong_answer_would_be_found() {
    assertThat(schema("Console").validate("{\"title\":1}", InputFormat.JSON)).isNotEmpty();
  }

  private void assertValid(String type, ConsoleAnswer answer) {
    assertValid(type, answer, 200);
  }

  private void assertValid(String type, ConsoleAnswer answer, int status) {
    String text = text(answer);
    assertThat(answer.status()).as(text).isEqualTo(status);
    assertThat(schema(type).validate(text, InputFormat.JSON)).as(text).isEmpty();
  }

  private Schema schema(String name) {
    ObjectNode root = Requests.JSON.createObjectNode();
    root.put("$ref", "#/components/schemas/" + name);
    root.set("components", document.get("components"));
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(root.toString(), InputFormat.JSON);
  }
}
