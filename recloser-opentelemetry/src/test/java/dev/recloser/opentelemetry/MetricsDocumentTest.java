package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Bulkhead;
import dev.recloser.CircuitBreaker;
import dev.recloser.Hedge;
import dev.recloser.Pipeline;
import dev.recloser.RateLimiter;
import dev.recloser.Retry;
import dev.recloser.Timeout;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} has every metric, with its instrument and unit, and no other. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class MetricsDocumentTest {
  private static final Path PAGE = Path.of("..", "docs", "metrics.md");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(recloser\\.[a-z._]+)` \\| ([a-z -]+) \\| `([^`]+)` \\|");

  /** Not known before calls have been made for a while. */
  private static final String LATER = "recloser.bulkhead.baseline_latency gauge s";

  @Test
  void has_every_metric() throws IOException {
    Set<String> documented = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(PAGE));
    while (row.find()) {
      documented.add(row.group(1) + " " + row.group(2) + " " + row.group(3));
    }

    assertThat(documented).contains(LATER);
    documented.remove(LATER);
    assertThat(documented).isEqualTo(collected());
  }

  private static Set<String> collected() {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (OpenTelemetrySdk sdk =
        OpenTelemetrySdk.builder()
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build()) {
      CircuitBreaker breaker = CircuitBreaker.create("orders");
      Pipeline<String> everything =
          Pipeline.create(
              "orders",
              calls ->
                  calls
                      .fallback(f -> f.onTimeout(() -> "later"))
                      .retry(Retry.create("orders", r -> {}))
                      .hedge(
                          Hedge.create(
                              "orders", h -> h.idempotent(true).delay(Duration.ofMillis(50))))
                      .circuitBreaker(breaker)
                      .rateLimiter(RateLimiter.create("orders", l -> {}))
                      .bulkhead(Bulkhead.create("orders", b -> {}))
                      .timeout(Timeout.create("orders", Duration.ofSeconds(1))));
      CircuitBreaker forced = CircuitBreaker.create("forced");
      forced.transitionTo(CircuitBreaker.State.FORCED_OPEN, Duration.ofDays(1)); // It has an end.
      PolicyTelemetry.create(
          sdk, all -> all.pipeline(everything).policy(forced).callDurations(true));
      breaker.call(() -> "in stock");
      breaker.transitionTo(CircuitBreaker.State.OPEN);
      breaker.transitionTo(CircuitBreaker.State.HALF_OPEN);
      breaker.call(() -> "in stock"); // The rates are those of the probes.
      return reader.collectAllMetrics().stream()
          .map(metric -> metric.getName() + " " + instrument(metric) + " " + metric.getUnit())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String instrument(MetricData metric) {
    return switch (metric.getType()) {
      case LONG_SUM -> metric.getLongSumData().isMonotonic() ? "counter" : "up-down counter";
      case DOUBLE_SUM -> metric.getDoubleSumData().isMonotonic() ? "counter" : "up-down counter";
      case HISTOGRAM -> "histogram";
      default -> "gauge";
    };
  }
}
