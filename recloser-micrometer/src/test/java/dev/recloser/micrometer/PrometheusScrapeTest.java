package dev.recloser.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.Permit;
import dev.recloser.Retry;
import dev.recloser.test.FakeTime;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What Prometheus reads, to the letter. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class PrometheusScrapeTest {
  private final FakeTime time = FakeTime.create();

  @Test
  void a_breaker_that_opened_and_tests_the_dependency() throws IOException {
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
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    PolicyMetrics.create(all -> all.policy(inventory).policy(orders).callTimers(true))
        .bindTo(registry);

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

    assertIsGolden(registry.scrape(), "scrape.txt");
  }

  /** With {@code -Dtest.jvm.args=-Dgolden.write=true} it becomes what it is compared with. */
  private static void assertIsGolden(String scrape, String name) throws IOException {
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(Path.of("src/test/resources/golden", name), scrape);
    }
    try (InputStream golden = PrometheusScrapeTest.class.getResourceAsStream("/golden/" + name)) {
      assertThat(golden).as(name).isNotNull();
      assertThat(scrape).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
