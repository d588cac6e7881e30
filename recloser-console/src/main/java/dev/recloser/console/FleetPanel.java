package dev.recloser.console;

import dev.recloser.Scheduler;
import dev.recloser.Ticker;
import org.jspecify.annotations.Nullable;

/** What the panel answers about other processes. Thread-safe. */
final class FleetPanel implements AutoCloseable {
  private final Fleet fleet;
  private final EventStream<FleetBoard> events;
  private final String instance;

  private FleetPanel(Fleet fleet, EventStream<FleetBoard> events, String instance) {
    this.fleet = fleet;
    this.events = events;
    this.instance = instance;
  }

  /** Null if there are none. */
  static @Nullable FleetPanel of(
      ConsoleSettings settings, Streams streams, String instance, Ticker ticker) {
    if (settings.instances == null) {
      return null;
    }
    Fleet fleet =
        new Fleet(
            settings.instances,
            settings.instanceHeaders,
            settings.refreshInterval,
            ticker,
            Scheduler.system());
    return new FleetPanel(
        fleet, new EventStream<>(fleet, streams, settings.refreshInterval, instance), instance);
  }

  /** All of it. The first answer after a while knows little: it begins to ask the instances. */
  ConsoleAnswer all() {
    FleetBoard board = fleet.present();
    return Json.answer(
        json -> {
          json.writeStringProperty("instance", instance);
          board.since(FleetBoard.NONE).writeTo(json);
        });
  }

  ConsoleAnswer events() {
    return events.open();
  }

  @Override
  public void close() {
    fleet.close();
  }
}
