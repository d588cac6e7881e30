package dev.recloser.microprofile.tck;

import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;

/**
 * Stand-in for a MicroProfile Telemetry implementation: registers the OpenTelemetry and Meter
 * producers.
 */
public class TelemetryExtension implements Extension {
  void register(@Observes BeforeBeanDiscovery discovery) {
    discovery.addAnnotatedType(TelemetryBeans.class, TelemetryBeans.class.getName());
  }
}
