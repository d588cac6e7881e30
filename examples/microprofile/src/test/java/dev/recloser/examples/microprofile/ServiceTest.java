package dev.recloser.examples.microprofile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The service over HTTP. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ServiceTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private Main service;

  @BeforeEach
  void start() throws Exception {
    service = Main.start(0);
  }

  @AfterEach
  void stop() throws Exception {
    service.stop();
  }

  @Test
  void it_answers_with_what_the_warehouse_says() throws Exception {
    assertThat(get("stock?sku=kettle")).isEqualTo("6");
    assertThat(get("later?sku=cup")).isEqualTo("3");
    assertThat(get("explain"))
        .startsWith("dev.recloser.examples.microprofile.Inventory/stock is CLOSED");
  }

  @Test
  void it_answers_without_the_warehouse_and_stops_asking_it() throws Exception {
    post("warehouse?down=true");

    for (int request = 0; request < 4; request++) {
      assertThat(get("stock?sku=kettle")).isEqualTo("unknown");
    }

    assertThat(get("explain"))
        .startsWith("dev.recloser.examples.microprofile.Inventory/stock is OPEN")
        .contains("4 of the last 4 calls failed", "the warehouse does not answer");
    // Two requests with two attempts each; the others were refused.
    assertThat(get("warehouse")).isEqualTo("4");
  }

  @Test
  void it_stops_asking_a_warehouse_that_is_slow() throws Exception {
    post("warehouse?millis=200"); // It is slow at 150, and out of time at 500.

    for (int request = 0; request < 4; request++) {
      assertThat(get("stock?sku=kettle")).isEqualTo("6");
    }

    assertThat(get("stock?sku=kettle")).isEqualTo("unknown");
    assertThat(get("explain"))
        .startsWith("dev.recloser.examples.microprofile.Inventory/stock is OPEN");
    assertThat(get("warehouse")).isEqualTo("4");
  }

  @Test
  void it_refuses_what_its_bulkhead_and_the_queue_do_not_hold() throws Exception {
    post("warehouse?millis=60000"); // Until the service ends.

    List<CompletableFuture<HttpResponse<String>>> calls =
        IntStream.range(0, 11)
            .mapToObj(call -> HttpRequest.newBuilder(at("later?sku=cup")).build())
            .map(request -> client.sendAsync(request, BodyHandlers.ofString()))
            .toList();

    Object first =
        CompletableFuture.anyOf(calls.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
    assertThat(((HttpResponse<?>) first).statusCode()).isEqualTo(503);
    assertThat(calls).filteredOn(CompletableFuture::isDone).hasSize(1);
  }

  private String get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(at(path)).build());
  }

  private void post(String path) throws IOException, InterruptedException {
    String unused = send(HttpRequest.newBuilder(at(path)).POST(BodyPublishers.noBody()).build());
  }

  private String send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private URI at(String path) {
    return service.address().resolve("/" + path);
  }
}
