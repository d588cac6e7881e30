package dev.recloser.microprofile.tck;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * MP Telemetry keeps the SDK off unless otel.sdk.disabled=false, which the suite sets only in its
 * telemetry deployments. No exporter is needed: the suite registers its own pull reader through
 * AutoConfigurationCustomizerProvider.
 */
@Singleton
public class TelemetryBeans {
  @Produces
  @Singleton
  OpenTelemetry openTelemetry() {
    Config config = ConfigProvider.getConfig();
    if (config.getOptionalValue("otel.sdk.disabled", Boolean.class).orElse(true)) {
      return OpenTelemetry.noop();
    }
    Map<String, String> settings = new HashMap<>();
    settings.put("otel.traces.exporter", "none");
    settings.put("otel.metrics.exporter", "none");
    settings.put("otel.logs.exporter", "none");
    for (String name : config.getPropertyNames()) {
      if (name.startsWith("otel.")) {
        config.getOptionalValue(name, String.class).ifPresent(value -> settings.put(name, value));
      }
    }
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .setServiceClassLoader(Thread.currentThread().getContextClassLoader())
        .addPropertiesSupplier(() -> settings)
        .build()
        .getOpenTelemetrySdk();
  }

  @Produces
  @Singleton
  Meter meter(OpenTelemetry openTelemetry) {
    return openTelemetry.getMeter("dev.recloser.microprofile.tck");
  }

  void stop(@Disposes OpenTelemetry openTelemetry) {
    if (openTelemetry instanceof OpenTelemetrySdk sdk) {
      sdk.shutdown().join(10, TimeUnit.SECONDS);
    }
  }
}
