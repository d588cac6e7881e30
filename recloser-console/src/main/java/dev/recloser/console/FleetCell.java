package dev.recloser.console;

import dev.recloser.CircuitBreaker.State;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A breaker of an instance. Immutable.
 *
 * @param look what somebody who looks would see change; the same object as long as it is the same
 * @param since when its state began, as a reading of the panel's ticker
 * @param until when it ends; means nothing unless the look is limited
 */
record FleetCell(Look look, long since, long until, long callsInFlight, Counts counts) {
  /** How far two readings of one end may be apart that came over a network. */
  private static final long TREMBLE_NANOS = 1_000_000_000L;

  /** All but the time that passes, and the calls, which are shown as sums. */
  record Look(
      String name,
      State state,
      boolean limited,
      double admittedPercentage,
      int openings,
      long transitions) {}

  /** What was told just now, after what was told before. */
  static FleetCell of(RemoteBreaker told, @Nullable FleetCell before, long now) {
    Long remaining = told.remainingNanos();
    Look look =
        new Look(
            told.name(),
            told.state(),
            remaining != null,
            told.admittedPercentage(),
            told.openings(),
            told.transitions());
    long since = now - told.inStateForNanos();
    long until = remaining == null ? now : now + remaining;
    if (before != null && before.look.equals(look) && before.endsAt(until)) {
      return new FleetCell(
          before.look, before.since, before.until, told.callsInFlight(), told.counts());
    }
    return new FleetCell(look, since, until, told.callsInFlight(), told.counts());
  }

  private boolean endsAt(long other) {
    return !look.limited || Math.abs(until - other) < TREMBLE_NANOS;
  }

  /** Whether it refuses all calls. */
  boolean refuses() {
    return look.state == State.OPEN || look.state == State.FORCED_OPEN;
  }

  /** Whether it lets some calls through, to find out whether it should all. */
  boolean probes() {
    return look.state == State.HALF_OPEN
        || (look.state == State.CLOSED && look.admittedPercentage < 100);
  }

  /**
   * Writes the members of an object.
   *
   * @param asOf the reading at which it was so
   */
  void writeTo(JsonGenerator json, long asOf) {
    json.writeStringProperty("name", look.name);
    json.writeStringProperty("state", look.state.name());
    Json.millis(json, "inStateForMillis", Json.nanos(asOf - since));
    Json.millis(json, "remainingMillis", look.limited ? Json.nanos(until - asOf) : null);
    json.writeNumberProperty("admittedPercentage", look.admittedPercentage);
    json.writeNumberProperty("openings", look.openings);
  }
}
