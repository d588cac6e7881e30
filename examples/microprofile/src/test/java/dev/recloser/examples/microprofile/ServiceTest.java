package dev.recloser.examples.microprofile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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
