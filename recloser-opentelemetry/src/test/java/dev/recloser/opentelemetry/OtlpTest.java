package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.recloser.CircuitBreaker;
import dev.recloser.Permit;
import dev.recloser.Retry;
import dev.recloser.test.FakeTime;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What a collector on loopback is sent. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class OtlpTest {
  private final FakeTime time = FakeTime.create();
  private final BlockingQueue<ExportMetricsServiceRequest> sent = new LinkedBlockingQueue<>();

  @Test
  void a_breaker_that_opened_and_tests_the_dependency() throws Exception {
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/metrics",
        exchange -> {
          sent.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    String endpoint = "http://localhost:" + collector.getAddress().getPort() + "/v1/metrics";
    PeriodicMetricReader reader =
        PeriodicMetricReader.builder(OtlpHttpMetricExporter.builder().setEndpoint(endpoint).build())
            .setInterval(Duration.ofDays(1))
            .build();
    try (OpenTelemetrySdk sdk =
        OpenTelemetrySdk.builder()
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build()) {
      runInto(sdk);
      assertThat(reader.forceFlush().join(30, TimeUnit.SECONDS).isSuccess()).isTrue();
    } finally {
      collector.stop(0);
    }

    assertIsGolden(textOf(sent.take()), "otlp.txt");
  }

  private void runInto(OpenTelemetrySdk sdk) {
    CircuitBreaker inventory =
        CircuitBreaker.create(
            "inventory",
            config ->
                config
                    .slidingWindowSize(4)
                    .minimumNumberOfCalls(4)
                    .slowCallDurationThreshold(Duration.ofMillis(100))
                    .waitDurationInOpenState(Duration.ofSeconds(30))
                    .permittedNumberOfCallsInHalfOpenState(2)
                    .ticker(time)
                    .scheduler(time));
    Retry orders = Retry.create("orders", r -> r.maxAttempts(3));
    PolicyTelemetry.create(
        sdk, all -> all.policies(List.of(inventory, orders)).callDurations(true));

    orders.call(() -> "paid");
    for (int call = 0; call < 4; call++) {
      Permit permit = inventory.acquire();
      time.advance(Duration.ofMillis(60L * call));
      if (call == 0) {
        permit.complete("in stock");
      } else {
        permit.fail(new IOException("reset"));
      }
    }
    time.advance(Duration.ofSeconds(20));
    assertThat(inventory.tryAcquire()).isNull();
    time.advance(Duration.ofSeconds(10));
    inventory.acquire().complete("in stock");
  }

  /** A line for each metric and each of its points, without their times. */
  private static String textOf(ExportMetricsServiceRequest request) {
    return request.getResourceMetricsList().stream()
        .flatMap(resource -> resource.getScopeMetricsList().stream())
        .flatMap(
            scope ->
                scope.getMetricsList().stream()
                    .map(metric -> scope.getScope().getName() + " " + linesOf(metric)))
        .sorted()
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String linesOf(Metric metric) {
    List<String> points = new ArrayList<>();
    String type;
    if (metric.hasHistogram()) {
      type = "histogram";
      metric.getHistogram().getDataPointsList().forEach(point -> points.add(textOf(point)));
    } else if (metric.hasSum()) {
      type = metric.getSum().getIsMonotonic() ? "counter" : "up-down counter";
      metric.getSum().getDataPointsList().forEach(point -> points.add(textOf(point)));
    } else {
      type = "gauge";
      metric.getGauge().getDataPointsList().forEach(point -> points.add(textOf(point)));
    }
    String head = metric.getName() + " [" + metric.getUnit() + "] " + type;
    return points.stream()
        .sorted()
        .collect(Collectors.joining("\n  ", head + ": " + metric.getDescription() + "\n  ", ""));
  }

  private static String textOf(NumberDataPoint point) {
    return textOf(point.getAttributesList())
        + " "
        + (point.hasAsInt()
            ? Long.toString(point.getAsInt())
            : Double.toString(point.getAsDouble()));
  }

  private static String textOf(HistogramDataPoint point) {
    return textOf(point.getAttributesList())
        + " "
        + point.getCount()
        + " calls, "
        + point.getSum()
        + " s, in buckets "
        + point.getBucketCountsList();
  }

  private static String textOf(Collection<KeyValue> attributes) {
    return attributes.stream()
        .map(each -> each.getKey() + "=" + textOf(each.getValue()))
        .sorted()
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String textOf(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
      default -> Long.toString(value.getIntValue());
    };
  }

  /** With {@code -Dtest.jvm.args=-Dgolden.write=true} it becomes what it is compared with. */
  private static void assertIsGolden(String text, String name) throws IOException {
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(Path.of("src/test/resources/golden", name), text);
    }
    try (InputStream golden = OtlpTest.class.getResourceAsStream("/golden/" + name)) {
      assertThat(golden).as(name).isNotNull();
      assertThat(text).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
