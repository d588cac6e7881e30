package dev.recloser.microprofile.tck;

import io.opentelemetry.api.OpenTelemetry;
import jakarta.enterprise.inject.spi.CDI;
import java.lang.reflect.Method;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.test.spi.event.suite.Before;
import org.jboss.arquillian.test.spi.event.suite.BeforeClass;

/** Two bits of per-test housekeeping that a MicroProfile server would do on its own. */
public final class TestLifecycle {
  private static final String SUITE = "org.eclipse.microprofile.fault.tolerance.tck.";

  /**
   * The MP Metrics "base" registry outlives deployments in smallrye-metrics; start each class from
   * empty.
   */
  public void resetMetrics(@Observes BeforeClass event) {
    if (!event.getTestClass().getName().startsWith(SUITE + "metrics.")) {
      return;
    }
    try {
      Method drop = Class.forName("io.smallrye.metrics.MetricRegistries").getMethod("dropAll");
      drop.invoke(null);
    } catch (ClassNotFoundException noMetricsImplementation) {
      // nothing to reset
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The suite's in-memory reader only exists once the SDK was built, so build it before the test
   * body runs.
   */
  public void startTelemetry(@Observes Before event) {
    if (event.getTestClass().getName().startsWith(SUITE + "telemetryMetrics.")) {
      CDI.current().select(OpenTelemetry.class).get().getMeterProvider();
    }
  }
}
