package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.config.ConfigurationWatch;
import dev.recloser.config.ConfiguredPolicies;
import dev.recloser.config.PolicyConfigs;
import dev.recloser.console.ConsoleAnswer;
import dev.recloser.console.ConsoleHandler;
import dev.recloser.console.ConsoleRequest;
import dev.recloser.jdk.FlightRecording;
import dev.recloser.jdk.JmxRegistration;
import dev.recloser.jdk.TransitionLog;
import dev.recloser.micrometer.PolicyMetrics;
import dev.recloser.opentelemetry.PolicyTelemetry;
import dev.recloser.test.FakeTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.LogRecord;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a changed file adds is seen by everything that shows policies, with nothing else done. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ReloadObservedTest {
  private static final String BEFORE =
      "recloser.circuitbreaker.instances.inventory: {slidingWindowSize: 10}\n";

  private final FakeTime time = FakeTime.create();
  @TempDir private Path folder;
  private Path file;
  private ConfiguredPolicies policies;
  private final List<AutoCloseable> opened = new ArrayList<>();

  @BeforeEach
  void loadAndWatch() throws IOException {
    file = folder.resolve("application.yml");
    Files.writeString(file, BEFORE);
    policies = PolicyConfigs.load(file, base -> base.ticker(time).scheduler(time)).policies();
    opened.add(ConfigurationWatch.start(policies, List.of(file), all -> all.scheduler(time)));
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @Test
  void it_has_meters() throws IOException {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    try (PolicyMetrics metrics = PolicyMetrics.of(policies)) {
      metrics.bindTo(meters);
      addPayments().acquire().complete("paid");

      assertThat(
              meters
                  .get("recloser.circuitbreaker.calls")
                  .tags("name", "payments", "outcome", "success")
                  .functionCounter()
                  .count())
          .isOne();
    }
    assertThat(meters.getMeters()).isEmpty();
  }

  @Test
  void it_has_metrics_of_OpenTelemetry() throws IOException {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
    try (OpenTelemetrySdk sdk = OpenTelemetrySdk.builder().setMeterProvider(provider).build()) {
      opened.add(PolicyTelemetry.of(sdk, policies));
      addPayments().acquire().complete("paid");

      assertThat(reader.collectAllMetrics())
          .filteredOn(metric -> metric.getName().equals("recloser.circuit_breaker.calls"))
          .flatExtracting(metric -> metric.getLongSumData().getPoints())
          .extracting(LongPointData.class::cast)
          .filteredOn(point -> point.getAttributes().asMap().containsValue("payments"))
          .extracting(LongPointData::getValue)
          .containsExactlyInAnyOrder(1L, 0L, 0L, 0L);
    }
  }

  @Test
  void it_is_in_JMX() throws Exception {
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    try (JmxRegistration jmx = JmxRegistration.of(policies, "files", server)) {
      CircuitBreaker payments = addPayments();
      Object unused =
          server.invoke(
              jmx.objectName(),
              "transitionTo",
              new Object[] {"payments", "FORCED_OPEN"},
              new String[] {String.class.getName(), String.class.getName()});

      assertThat(payments.state()).isEqualTo(CircuitBreaker.State.FORCED_OPEN);
      assertThat(server.getAttribute(jmx.objectName(), "Size")).isEqualTo(2);
      assertThat((String[]) server.getAttribute(jmx.objectName(), "Refusing"))
          .containsExactly("payments");
    }
  }

  @Test
  void it_is_in_the_flight_recorder() throws IOException {
    Path recorded = folder.resolve("flight.jfr");
    opened.add(FlightRecording.of(policies));
    try (Recording flight = new Recording()) {
      flight.enable("dev.recloser.Refusal");
      flight.start();
      CircuitBreaker payments = addPayments();
      payments.transitionTo(CircuitBreaker.State.FORCED_OPEN);
      assertThat(payments.tryAcquire()).isNull();
      flight.stop();
      flight.dump(recorded);
    }

    assertThat(RecordingFile.readAllEvents(recorded))
        .filteredOn(event -> event.getEventType().getName().startsWith("dev.recloser."))
        .extracting(ReloadObservedTest::told)
        .contains("dev.recloser.Transition payments", "dev.recloser.Refusal payments");
  }

  private static String told(RecordedEvent event) {
    return event.getEventType().getName() + " " + event.getString("name");
  }

  @Test
  void it_is_in_the_log() throws IOException {
    try (CapturedLog lines = new CapturedLog()) {
      opened.add(TransitionLog.of(policies, System.getLogger("dev.recloser.transitions")));
      addPayments().transitionTo(CircuitBreaker.State.DISABLED);

      assertThat(lines.entries())
          .extracting(LogRecord::getMessage)
          .filteredOn(line -> line.startsWith("event=transition"))
          .singleElement()
          .asString()
          .contains(" breaker=payments from=CLOSED to=DISABLED ");
    }
  }

  @Test
  void it_is_on_the_console() throws IOException {
    try (ConsoleHandler panel = ConsoleHandler.create(policies)) {
      assertThat(get(panel, "/api/breakers/payments")).contains("\"status\":404");
      addPayments();

      // Asked for once, for all breakers are read anew twice a second at most.
      assertThat(get(panel, "/api/breakers")).contains("\"inventory\"", "\"payments\"");
      assertThat(get(panel, "/api/breakers/payments"))
          .contains("\"name\":\"payments\"", "\"kind\":\"timeout\"");
      assertThat(get(panel, "/api/policies")).contains("\"name\":\"payments\"");
    }
  }

  private static String get(ConsoleHandler panel, String path) throws IOException {
    Map<String, List<String>> headers = Map.of("Host", List.of("localhost"));
    try (ConsoleAnswer answer =
        panel.answer(new ConsoleRequest("GET", path, headers, InputStream.nullInputStream()))) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      answer.writeTo(body);
      return body.toString(StandardCharsets.UTF_8);
    }
  }

  /** Adds a breaker, and a timeout of its name, by changing the file. */
  private CircuitBreaker addPayments() throws IOException {
    Files.writeString(
        file,
        BEFORE
            + """
            recloser.circuitbreaker.instances.payments: {slidingWindowSize: 20}
            recloser.timelimiter.instances.payments: {timeoutDuration: 200ms}
            """);
    time.advance(ConfigurationWatch.DEFAULT_INTERVAL);
    time.advance(ConfigurationWatch.DEFAULT_INTERVAL);
    return policies.circuitBreaker("payments");
  }
}
