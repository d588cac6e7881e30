package dev.recloser.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Somebody who watches a fleet, and knows of it what the stream of events has told. */
final class FleetReader implements AutoCloseable {
  private final Socket socket;
  private final BufferedReader lines;
  private final Map<String, JsonNode> instances = new TreeMap<>();
  private final Map<String, Map<String, JsonNode>> cells = new TreeMap<>();
  private final Map<String, JsonNode> sums = new TreeMap<>();
  private final List<String> told = new ArrayList<>();

  FleetReader(URI panel) throws IOException {
    socket = new Socket(panel.getHost(), panel.getPort());
    socket
        .getOutputStream()
        .write(
            "GET /api/fleet/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .getBytes(StandardCharsets.UTF_8));
    lines =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    assertThat(lines.readLine()).contains(" 200 ");
  }

  /** Reads until something is so; a test that waits in vain ends by its limit. */
  void until(String what, Predicate<FleetReader> isSo) throws IOException {
    while (!isSo.test(this)) {
      String line = lines.readLine();
      assertThat(line).as("the stream ended before " + what).isNotNull();
      if (line.startsWith("data: ")) {
        told.add(line.substring("data: ".length()));
        take(Requests.JSON.readTree(told.get(told.size() - 1)));
      }
    }
  }

  private void take(JsonNode change) {
    for (JsonNode instance : change.get("instances")) {
      String name = instance.get("name").asString();
      instances.put(name, instance);
      Map<String, JsonNode> own = cells.computeIfAbsent(name, unused -> new TreeMap<>());
      instance.get("breakers").forEach(cell -> own.put(cell.get("name").asString(), cell));
      instance.get("gone").forEach(gone -> own.remove(gone.asString()));
    }
    change.get("breakers").forEach(sum -> sums.put(sum.get("name").asString(), sum));
    change.get("goneBreakers").forEach(name -> sums.remove(name.asString()));
    change
        .get("goneInstances")
        .forEach(
            name -> {
              instances.remove(name.asString());
              cells.remove(name.asString());
            });
  }

  /** The data of all events. */
  List<String> told() {
    return told;
  }

  JsonNode instance(String name) {
    return instances.get(name);
  }

  boolean live(String name) {
    JsonNode instance = instances.get(name);
    return instance != null && instance.get("live").asBoolean();
  }

  /** Empty for none. */
  String problem(String name) {
    JsonNode instance = instances.get(name);
    return instance == null || instance.get("problem").isNull()
        ? ""
        : instance.get("problem").asString();
  }

  @Nullable JsonNode cell(String instance, String breaker) {
    return cells.getOrDefault(instance, Map.of()).get(breaker);
  }

  boolean hasSum(String breaker) {
    return sums.containsKey(breaker);
  }

  int sum(String breaker, String member) {
    JsonNode sum = sums.get(breaker);
    return sum == null ? -1 : sum.get(member).asInt();
  }

  double rate(String breaker, String member) {
    JsonNode sum = sums.get(breaker);
    return sum == null || sum.get(member).isNull() ? 0 : sum.get(member).asDouble();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
