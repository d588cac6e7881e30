package dev.recloser.config;

import static dev.recloser.config.Kind.COUNT;
import static dev.recloser.config.Kind.DURATION;
import static dev.recloser.config.Kind.NUMBER;
import static dev.recloser.config.Kind.PERCENT;

import dev.recloser.config.Key.Setting;
import java.util.function.BiConsumer;

/** The keys of what is known of the calls. */
final class WorkloadKeys {
  static final Keys<Workload.Builder> ALL =
      Keys.ofAll(
          setting(
              "callsPerSecond",
              NUMBER,
              Workload.Builder::callsPerSecond,
              "How many calls one process makes to the dependency in a second."),
          setting(
              "p99",
              DURATION,
              Workload.Builder::p99,
              "Within which time 99 of 100 calls end on a usual day."),
          setting(
              "errorRate",
              PERCENT,
              Workload.Builder::errorRate,
              "How many calls fail on a usual day."),
          setting(
              "pool",
              COUNT,
              Workload.Builder::pool,
              "How many workers, threads or connections make the calls."),
          setting(
              "replicas",
              COUNT,
              Workload.Builder::replicas,
              "How many processes call the same dependency."));

  private WorkloadKeys() {}

  private static <T> Setting<Workload.Builder, T> setting(
      String name, Kind<T> kind, BiConsumer<Workload.Builder, T> setter, String description) {
    return Setting.<Workload.Builder, T>of(name, kind, setter, description).byDefault("not known");
  }
}
