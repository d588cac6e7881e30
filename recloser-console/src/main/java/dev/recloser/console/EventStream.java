package dev.recloser.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Tells one reader how breakers change: all of them first, then those that have changed since. The
 * reader sets the pace. Nothing is queued for it; it gets the difference between what it has and
 * what is now.
 */
final class EventStream {
  /** Proxies and readers take a silent connection for a dead one. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(5);

  private static final byte[] RETRY = "retry: 1000\n\n".getBytes(StandardCharsets.UTF_8);

  private final Boards boards;
  private final Streams streams;
  private final Duration interval;
  private final String instance;

  EventStream(Boards boards, Streams streams, Duration interval, String instance) {
    this.boards = boards;
    this.streams = streams;
    this.interval = interval;
    this.instance = instance;
  }

  ConsoleAnswer open() {
    Streams.Place place = streams.enter();
    return ConsoleAnswer.stream(Headers.EVENTS, out -> tell(place, out), place::close);
  }

  private void tell(Streams.Place place, OutputStream out) throws IOException {
    Board told = boards.recent();
    place.write(out, RETRY);
    place.write(out, event("snapshot", told.number(), told.rows().values(), List.of()));
    Duration silence = Duration.ZERO;
    Duration pace = interval.compareTo(HEARTBEAT) > 0 ? HEARTBEAT : interval;
    while (streams.sleep(pace)) {
      Board now = boards.present();
      Board.Change change = now.since(told);
      told = now;
      silence = silence.plus(pace);
      if (!change.isNothing()) {
        place.write(out, event("changes", now.number(), change.rows(), change.gone()));
        silence = Duration.ZERO;
      } else if (silence.compareTo(HEARTBEAT) >= 0) {
        place.write(out, event("heartbeat", now.number(), List.of(), List.of()));
        silence = Duration.ZERO;
      }
    }
  }

  private byte[] event(
      String type, long number, Collection<BreakerRow> rows, Collection<String> gone) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String head = "event: " + type + "\nid: " + instance + "-" + number + "\ndata: ";
    bytes.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(
        Json.bytes(
            json -> {
              json.writeStringProperty("instance", instance);
              Json.array(json, "breakers", rows, row -> row.writeTo(json));
              json.writeArrayPropertyStart("gone");
              gone.forEach(json::writeString);
              json.writeEndArray();
            }));
    bytes.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
    return bytes.toByteArray();
  }
}
