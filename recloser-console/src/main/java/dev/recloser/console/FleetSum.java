package dev.recloser.console;

import tools.jackson.core.JsonGenerator;

/**
 * A breaker over all instances that are live.
 *
 * @param instances those that have it
 * @param refusing those where it refuses all calls
 * @param probing those where it lets some through
 */
record FleetSum(
    String name, int instances, int refusing, int probing, long callsInFlight, Rates rates) {

  /** Calls a second; NaN before they are known. */
  record Rates(double succeeded, double failed, double refused) {
    static final Rates UNKNOWN = new Rates(Double.NaN, Double.NaN, Double.NaN);
  }

  static FleetSum none(String name) {
    return new FleetSum(name, 0, 0, 0, 0, Rates.UNKNOWN);
  }

  FleetSum plus(FleetCell cell) {
    return new FleetSum(
        name,
        instances + 1,
        refusing + (cell.refuses() ? 1 : 0),
        probing + (cell.probes() ? 1 : 0),
        callsInFlight + cell.callsInFlight(),
        rates);
  }

  FleetSum with(Rates known) {
    return new FleetSum(name, instances, refusing, probing, callsInFlight, known);
  }

  void writeTo(JsonGenerator json) {
    json.writeStringProperty("name", name);
    json.writeNumberProperty("instances", instances);
    json.writeNumberProperty("refusing", refusing);
    json.writeNumberProperty("probing", probing);
    json.writeNumberProperty("callsInFlight", callsInFlight);
    Json.rate(json, "succeededPerSecond", rates.succeeded);
    Json.rate(json, "failedPerSecond", rates.failed);
    Json.rate(json, "refusedPerSecond", rates.refused);
  }
}
