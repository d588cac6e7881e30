package dev.recloser.microprofile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.smallrye.metrics.MetricRegistries;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.metrics.Gauge;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Metrics beyond the suite of the specification, in both libraries at once. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class MetersTest {
  private static final String LEVEL = "ft.bulkhead.executionsRunning";

  abstract static class Guards {
    @Bulkhead(1)
    void hold(CountDownLatch running, CountDownLatch leave) throws InterruptedException {
      running.countDown();
      leave.await();
    }

    @CircuitBreaker(requestVolumeThreshold = 1)
    void fail() throws IOException {
      throw new IOException("down");
    }
  }

  @ApplicationScoped
  static class One extends Guards {}

  @ApplicationScoped
  static class Other extends Guards {}

  static class Libraries {
    static final InMemoryMetricReader READER = InMemoryMetricReader.create();
    static final SdkMeterProvider PROVIDER =
        SdkMeterProvider.builder().registerMetricReader(READER).build();

    @Produces
    @Singleton
    static Meter meter() {
      return PROVIDER.get("test");
    }
  }

  @Test
  void beans_that_inherit_a_method_are_summed_and_leave_nothing_behind() throws Exception {
    MetricRegistry registry = MetricRegistries.get(MetricRegistry.Type.BASE);
    try (Container container =
        Container.of(One.class, Other.class, Libraries.class, MetricRegistries.class)) {
      CountDownLatch running = new CountDownLatch(2);
      CountDownLatch leave = new CountDownLatch(1);
      List<FutureTask<Void>> calls =
          List.of(
              hold(container.get(One.class), running, leave),
              hold(container.get(Other.class), running, leave));
      assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(level(registry)).isEqualTo(2);
      assertThat(observed(LEVEL)).containsExactly(2L);

      leave.countDown();
      for (FutureTask<Void> call : calls) {
        call.get(20, TimeUnit.SECONDS);
      }
      assertThat(catchThrowable(container.get(One.class)::fail)).isInstanceOf(IOException.class);
      assertThat(observed("ft.circuitbreaker.state.total")).hasSize(3);
    }

    assertThat(registry.getMetrics()).isEmpty();
    assertThat(observed(LEVEL)).isEmpty();
    assertThat(observed("ft.circuitbreaker.state.total")).isEmpty();
  }

  private static FutureTask<Void> hold(Guards bean, CountDownLatch running, CountDownLatch leave) {
    FutureTask<Void> call =
        new FutureTask<>(
            () -> {
              bean.hold(running, leave);
              return null;
            });
    new Thread(call, "caller").start();
    return call;
  }

  private static long level(MetricRegistry registry) {
    Tag tag = new Tag("method", Guards.class.getCanonicalName() + ".hold");
    Gauge<?> gauge = registry.getGauge(new MetricID(LEVEL, tag));
    return ((Number) gauge.getValue()).longValue();
  }

  private static List<Long> observed(String name) {
    return Libraries.READER.collectAllMetrics().stream()
        .filter(metric -> metric.getName().equals(name))
        .map(MetricData::getLongSumData)
        .flatMap(data -> data.getPoints().stream())
        .map(LongPointData::getValue)
        .toList();
  }
}
