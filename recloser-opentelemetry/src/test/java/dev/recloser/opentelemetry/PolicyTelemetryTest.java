package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.Permit;
import dev.recloser.Pipeline;
import dev.recloser.Policies;
import dev.recloser.Policy;
import dev.recloser.PolicySource;
import dev.recloser.test.FakeTime;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class PolicyTelemetryTest {
  private final FakeTime time = FakeTime.create();
  private final InMemoryMetricReader reader = InMemoryMetricReader.create();
  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .build();

  private final CircuitBreaker inventory =
      CircuitBreaker.create(
          "inventory",
          config ->
              config
                  .slidingWindowSize(2)
                  .minimumNumberOfCalls(2)
                  .slowCallDurationThreshold(Duration.ofMillis(100))
                  .ticker(time));

  @AfterEach
  void closeSdk() {
    sdk.close();
  }

  @Test
  void a_breaker_shows_what_it_has_counted_when_it_is_asked() {
    PolicyTelemetry.create(sdk, all -> all.policy(inventory));

    inventory.acquire().complete("in stock");
    assertThat(breaker("calls", "outcome", "success")).isOne();
    inventory.acquire().fail(new IOException("reset"));
    assertThat(inventory.tryAcquire()).isNull();

    assertThat(breaker("calls", "outcome", "failure")).isOne();
    assertThat(breaker("refused_calls", "refusal.reason", "open")).isOne();
    assertThat(breaker("status", "state", "open")).isOne();
    assertThat(breaker("status", "state", "closed")).isZero();
    assertThat(breaker("state_value", null, null)).isEqualTo(2);
    assertThat(breaker("transitions", "transition.cause", "failure_rate")).isOne();
  }

  @Test
  void rates_are_left_out_while_there_are_no_calls() {
    PolicyTelemetry.create(sdk, all -> all.policy(inventory));
    assertThat(names()).doesNotContain("recloser.circuit_breaker.failure_rate");

    inventory.acquire().complete("in stock");
    assertThat(names()).contains("recloser.circuit_breaker.failure_rate");
  }

  @Test
  void policies_made_later_are_in_and_removed_ones_are_out() {
    Policies policies = Policies.create();
    PolicyTelemetry.of(sdk, policies);
    policies.circuitBreakers().circuitBreaker("first");
    policies.retries().retry("orders");

    assertThat(policiesOf("recloser.circuit_breaker.calls")).containsExactly("first");
    assertThat(policiesOf("recloser.retry.calls")).containsExactly("orders");
    policies.circuitBreakers().remove("first");
    policies.circuitBreakers().circuitBreaker("second");
    assertThat(policiesOf("recloser.circuit_breaker.calls")).containsExactly("second");
  }

  @Test
  void a_breaker_that_cannot_be_read_costs_the_others_nothing() {
    AtomicBoolean broken = new AtomicBoolean();
    CircuitBreaker unreadable =
        CircuitBreaker.create("unreadable", config -> config.ticker(() -> nanoTime(broken)));
    PolicyTelemetry.create(sdk, all -> all.policy(unreadable).policy(inventory));

    broken.set(true);

    assertThat(policiesOf("recloser.circuit_breaker.calls")).containsExactly("inventory");
  }

  private static long nanoTime(AtomicBoolean broken) {
    if (broken.get()) {
      throw new NoClassDefFoundError("no clock");
    }
    return 0;
  }

  @Test
  void durations_are_there_only_if_asked_for_and_tell_what_went_wrong() {
    PolicyTelemetry.create(sdk, all -> all.policy(inventory));
    fail(Duration.ofMillis(40));
    assertThat(names()).doesNotContain("recloser.circuit_breaker.call.duration");

    PolicyTelemetry.create(sdk, all -> all.policy(inventory).callDurations(true));
    fail(Duration.ofMillis(150));
    HistogramPointData point =
        (HistogramPointData) points("recloser.circuit_breaker.call.duration").get(0);
    assertThat(point.getSum()).isEqualTo(0.15);
    assertThat(point.getAttributes())
        .isEqualTo(
            Attributes.builder()
                .put("recloser.policy.name", "inventory")
                .put("recloser.circuit_breaker.outcome", "failure")
                .put("recloser.circuit_breaker.slow", true)
                .put("error.type", "java.io.IOException")
                .build());
  }

  @Test
  void the_type_of_an_error_is_not_that_of_what_a_stage_wraps_around_it() {
    PolicyTelemetry.create(sdk, all -> all.policy(inventory).callDurations(true));

    inventory.acquire().fail(new CompletionException(new IOException("reset")));
    inventory.acquire().fail(new CompletionException(null));

    assertThat(points("recloser.circuit_breaker.call.duration"))
        .extracting(point -> point.getAttributes().get(Attribute.ERROR_TYPE))
        .containsExactlyInAnyOrder(
            "java.io.IOException", "java.util.concurrent.CompletionException");
  }

  @Test
  void a_breaker_shows_how_long_it_has_been_where_it_is_and_how_long_it_stays() {
    PolicyTelemetry.create(sdk, all -> all.policy(inventory));
    assertThat(names()).doesNotContain("recloser.circuit_breaker.state.remaining");
    fail(Duration.ZERO);
    fail(Duration.ZERO);

    time.advance(Duration.ofSeconds(20));

    assertThat(seconds("state.age")).isEqualTo(20);
    assertThat(seconds("state.remaining")).isEqualTo(40);
  }

  @Test
  void the_current_span_hears_of_breaker_state_and_outcome() {
    PolicyTelemetry.create(sdk, all -> all.policy(inventory).spans(true));
    Span span = sdk.getTracer("test").spanBuilder("GET /orders").startSpan();
    within(
        span,
        () -> {
          inventory.call(() -> "in stock");
          assertThatThrownBy(
                  () ->
                      inventory.call(
                          () -> {
                            throw new IOException("reset");
                          }))
              .isInstanceOf(IOException.class);
        });

    SpanData told = spans.getFinishedSpanItems().get(0);
    assertThat(told.getAttributes().toBuilder().build())
        .isEqualTo(
            Attributes.builder()
                .put("recloser.policy.name", "inventory")
                .put("recloser.circuit_breaker.state", "open")
                .put("recloser.circuit_breaker.outcome", "failure")
                .put("recloser.circuit_breaker.slow", false)
                .build());
    assertThat(told.getEvents())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getName()).isEqualTo("recloser.circuit_breaker.transition");
              assertThat(event.getAttributes().get(Attribute.TO)).isEqualTo("open");
            });
  }

  @Test
  void a_refusal_is_a_short_span_inside_the_current_one() {
    PolicyTelemetry.create(sdk, all -> all.policy(inventory).spans(true));
    inventory.transitionTo(State.FORCED_OPEN);
    Span span = sdk.getTracer("test").spanBuilder("GET /orders").startSpan();
    within(
        span,
        () ->
            assertThatThrownBy(() -> inventory.call(() -> "in stock"))
                .isInstanceOf(CallNotPermittedException.class));

    SpanData refusal = spans.getFinishedSpanItems().get(0);
    assertThat(refusal.getName()).isEqualTo("circuit_breaker inventory");
    assertThat(refusal.getParentSpanId()).isEqualTo(span.getSpanContext().getSpanId());
    assertThat(refusal.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(refusal.getAttributes().toBuilder().build())
        .isEqualTo(
            Attributes.builder()
                .put("recloser.policy.name", "inventory")
                .put("recloser.circuit_breaker.state", "forced_open")
                .put("recloser.circuit_breaker.refusal.reason", "forced_open")
                .put("error.type", "dev.recloser.CallNotPermittedException")
                .build());
  }

  @Test
  void breakers_made_later_have_spans_and_removed_ones_have_none() {
    Policies policies = Policies.create();
    PolicyTelemetry.create(sdk, all -> all.policies(policies).spans(true));
    CircuitBreaker breaker = policies.circuitBreakers().circuitBreaker("payments");
    breaker.transitionTo(State.FORCED_OPEN);

    breaker.tryAcquire();
    policies.circuitBreakers().remove("payments");
    breaker.tryAcquire();

    assertThat(spans.getFinishedSpanItems()).hasSize(1);
  }

  @Test
  void a_breaker_that_is_in_two_sources_has_spans_until_it_is_in_none() {
    Policies some = Policies.create();
    CircuitBreaker breaker = some.circuitBreakers().circuitBreaker("payments");
    PolicySource<Policy> same = PolicySource.of(List.of(breaker));
    PolicyTelemetry.create(sdk, all -> all.policies(some).policies(same).spans(true));
    breaker.transitionTo(State.FORCED_OPEN);

    breaker.tryAcquire();
    some.circuitBreakers().remove("payments");
    breaker.tryAcquire();

    assertThat(spans.getFinishedSpanItems()).hasSize(2);
  }

  @Test
  void after_closing_there_is_nothing() {
    PolicyTelemetry telemetry =
        PolicyTelemetry.create(sdk, all -> all.policy(inventory).spans(true).callDurations(true));
    telemetry.close();

    inventory.transitionTo(State.FORCED_OPEN);
    inventory.tryAcquire();

    assertThat(spans.getFinishedSpanItems()).isEmpty();
    assertThat(names()).isEmpty();
  }

  @Test
  void a_pipeline_shows_where_its_answers_come_from() {
    Pipeline<String> orders =
        Pipeline.create(
            "orders",
            calls -> calls.fallback(f -> f.onRefusal(() -> "later")).circuitBreaker(inventory));
    PolicyTelemetry.create(sdk, all -> all.pipeline(orders));
    inventory.transitionTo(State.FORCED_OPEN);

    assertThat(orders.call(() -> "now")).isEqualTo("later");

    assertThat(value("recloser.fallback.answers", "recloser.answer.source", "fallback")).isOne();
    assertThat(breaker("refused_calls", "refusal.reason", "forced_open")).isOne();
  }

  private static void within(Span span, Runnable calls) {
    Scope scope = span.makeCurrent();
    try {
      calls.run();
    } finally {
      scope.close();
      span.end();
    }
  }

  private void fail(Duration duration) {
    Permit permit = inventory.acquire();
    time.advance(duration);
    permit.fail(new IOException("reset"));
  }

  private long breaker(String metric, String attribute, String value) {
    return value(
        "recloser.circuit_breaker." + metric,
        attribute == null ? null : "recloser.circuit_breaker." + attribute,
        value);
  }

  private long value(String metric, String attribute, String value) {
    PointData found =
        points(metric).stream()
            .filter(
                point ->
                    attribute == null
                        || value.equals(
                            point.getAttributes().get(AttributeKey.stringKey(attribute))))
            .findFirst()
            .orElseThrow();
    return ((LongPointData) found).getValue();
  }

  private double seconds(String metric) {
    return ((DoublePointData) points("recloser.circuit_breaker." + metric).get(0)).getValue();
  }

  private List<PointData> points(String metric) {
    Optional<MetricData> found =
        reader.collectAllMetrics().stream()
            .filter(each -> each.getName().equals(metric))
            .findFirst();
    assertThat(found).as(metric).isPresent();
    return List.copyOf(found.get().getData().getPoints());
  }

  private Set<String> names() {
    return reader.collectAllMetrics().stream().map(MetricData::getName).collect(Collectors.toSet());
  }

  private Set<String> policiesOf(String metric) {
    return points(metric).stream()
        .map(point -> point.getAttributes().get(Attribute.NAME))
        .collect(Collectors.toSet());
  }
}
