package dev.recloser.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Every query of the dashboard, asked of a real Prometheus that scrapes a real process. */
@Timeout(180)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class DashboardTest {
  private static final Path DASHBOARD = Tool.FOLDER.resolve("grafana/recloser.json");
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(90);

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path folder;

  @Test
  void no_query_is_empty() throws Exception {
    Process application = application();
    Process prometheus = null;
    try {
      int port = freePort();
      prometheus = prometheus(portOf(application), port);
      Map<String, String> open = new LinkedHashMap<>(queries());
      assertThat(open).hasSizeGreaterThan(30);
      assertThat(variables()).hasSize(3);
      variables().forEach(query -> open.put("variable " + query, query));

      long deadline = System.nanoTime() + PATIENCE;
      while (!open.isEmpty() && System.nanoTime() - deadline < 0) {
        open.values().removeIf(query -> hasAnswer(port, query));
        Thread.sleep(500); // Real time: Prometheus scrapes once a second.
      }
      assertThat(open).as("queries without an answer").isEmpty();
      assertThat(healthOfRules(port)).hasSize(9).containsOnly("ok");
    } finally {
      application.destroyForcibly().waitFor();
      if (prometheus != null) {
        prometheus.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void every_panel_has_a_title_and_every_query_a_legend() throws IOException {
    for (Map<?, ?> panel : panels()) {
      assertThat((String) panel.get("title")).isNotBlank();
      for (Map<?, ?> target : maps(panel.get("targets"))) {
        assertThat((String) target.get("legendFormat")).as("%s", panel.get("title")).isNotBlank();
      }
    }
  }

  @Test
  void a_share_is_none_of_a_sum_over_instances_and_nested_fallbacks_are_not_added_up()
      throws IOException {
    for (Map<?, ?> panel : panels()) {
      for (Map<?, ?> target : maps(panel.get("targets"))) {
        Map<?, ?> defaults = (Map<?, ?>) ((Map<?, ?>) panel.get("fieldConfig")).get("defaults");
        String query = (String) target.get("expr");
        if ("percentunit".equals(defaults.get("unit"))) {
          assertThat(query).startsWith("avg by (");
        }
        if (query.contains("recloser_fallback_answers_total")) {
          assertThat(query).contains("position");
        }
      }
    }
  }

  @Test
  void panels_do_not_cover_each_other() throws IOException {
    List<String> taken = new ArrayList<>();
    for (Map<?, ?> panel : panels()) {
      Map<?, ?> place = (Map<?, ?>) panel.get("gridPos");
      int x = (Integer) place.get("x");
      int y = (Integer) place.get("y");
      for (int dx = 0; dx < (Integer) place.get("w"); dx++) {
        for (int dy = 0; dy < (Integer) place.get("h"); dy++) {
          taken.add((x + dx) + "," + (y + dy));
        }
      }
      assertThat(x + (Integer) place.get("w")).isLessThanOrEqualTo(24);
    }
    assertThat(taken).doesNotHaveDuplicates();
  }

  private static Process application() throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            System.getProperty("java.class.path"),
            MeteredProcess.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static int portOf(Process application) throws IOException {
    BufferedReader printed =
        new BufferedReader(
            new InputStreamReader(application.getInputStream(), StandardCharsets.UTF_8));
    return Integer.parseInt(printed.readLine());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private Process prometheus(int target, int port) throws IOException {
    Path config = folder.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: 1s, evaluation_interval: 1s}
        rule_files: ["%s"]
        scrape_configs:
          - job_name: orders
            static_configs: [{targets: ["localhost:%d"]}]
        """
            .formatted(Tool.FOLDER.resolve("prometheus/recloser-rules.yml"), target));
    return new ProcessBuilder(
            "prometheus",
            "--config.file=" + config,
            "--storage.tsdb.path=" + folder.resolve("data"),
            "--web.listen-address=localhost:" + port)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("prometheus.log").toFile())
        .start();
  }

  private boolean hasAnswer(int port, String query) {
    URI uri =
        URI.create(
            "http://localhost:"
                + port
                + "/api/v1/query?query="
                + URLEncoder.encode(query, StandardCharsets.UTF_8));
    try {
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        assertThat(answer.statusCode()).as("%s: %s", query, answer.body()).isEqualTo(503);
        return false; // Not ready yet.
      }
      Map<?, ?> data = (Map<?, ?>) ((Map<?, ?>) parse(answer.body())).get("data");
      return maps(data.get("result")).stream().anyMatch(DashboardTest::isFinite);
    } catch (IOException notThereYet) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A series has its value as text, in the second place. */
  private static boolean isFinite(Map<?, ?> series) {
    return Double.isFinite(number((String) ((List<?>) series.get("value")).get(1)));
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private List<Object> healthOfRules(int port) throws IOException, InterruptedException {
    URI uri = URI.create("http://localhost:" + port + "/api/v1/rules");
    HttpResponse<String> answer =
        client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    Map<?, ?> data = (Map<?, ?>) ((Map<?, ?>) parse(answer.body())).get("data");
    List<Object> health = new ArrayList<>();
    for (Map<?, ?> group : maps(data.get("groups"))) {
      maps(group.get("rules")).forEach(rule -> health.add(rule.get("health")));
    }
    return health;
  }

  /** The queries by panel, with the variables filled in as Grafana does it. */
  private static Map<String, String> queries() throws IOException {
    Map<String, String> queries = new LinkedHashMap<>();
    for (Map<?, ?> panel : panels()) {
      for (Map<?, ?> target : maps(panel.get("targets"))) {
        queries.put(
            panel.get("title") + " " + target.get("refId"), filled((String) target.get("expr")));
      }
    }
    return queries;
  }

  private static String filled(String query) {
    String filled =
        query
            .replace("$__rate_interval", "15s")
            .replace("$name", ".+")
            .replace("$instance", ".+")
            .replace("$job", ".+");
    assertThat(filled).doesNotContain("$");
    return filled;
  }

  /** The series that the variables take their values from. */
  private static List<String> variables() throws IOException {
    Pattern values = Pattern.compile("label_values\\((.*), (\\w+)\\)");
    List<String> queries = new ArrayList<>();
    Map<?, ?> templating = (Map<?, ?>) dashboard().get("templating");
    for (Map<?, ?> variable : maps(templating.get("list"))) {
      Matcher definition = values.matcher(String.valueOf(variable.get("definition")));
      if (definition.matches()) {
        String label = definition.group(2);
        queries.add("count by (" + label + ") (" + filled(definition.group(1)) + ")");
      }
    }
    return queries;
  }

  private static List<Map<?, ?>> panels() throws IOException {
    return maps(dashboard().get("panels"));
  }

  private static Map<?, ?> dashboard() throws IOException {
    return (Map<?, ?>) parse(Files.readString(DASHBOARD));
  }

  private static Object parse(String json) {
    return new Load(LoadSettings.builder().setCodePointLimit(20_000_000).build())
        .loadFromString(json);
  }

  private static List<Map<?, ?>> maps(Object list) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (list instanceof List<?> each) {
      each.forEach(one -> maps.add((Map<?, ?>) one));
    }
    return maps;
  }
}
