package dev.recloser.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Tells one reader how something changes: all of it first, then what has changed since. The reader
 * sets the pace. Nothing is queued for it; it gets the difference between what it has and what is
 * now.
 */
final class EventStream<M extends Moment<M>> {
  /** Proxies and readers take a silent connection for a dead one. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(5);

  private static final byte[] RETRY = "retry: 1000\n\n".getBytes(StandardCharsets.UTF_8);

  private final Moment.Source<M> moments;
  private final Streams streams;
  private final Duration interval;
  private final String instance;

  EventStream(Moment.Source<M> moments, Streams streams, Duration interval, String instance) {
    this.moments = moments;
    this.streams = streams;
    this.interval = interval;
    this.instance = instance;
  }

  ConsoleAnswer open() {
    Streams.Place place = streams.enter();
    return ConsoleAnswer.stream(Headers.EVENTS, out -> tell(place, out), place::close);
  }

  private void tell(Streams.Place place, OutputStream out) throws IOException {
    M told = moments.recent();
    place.write(out, RETRY);
    place.write(out, event("snapshot", told.number(), told.since(moments.nothing())));
    Duration silence = Duration.ZERO;
    Duration pace = interval.compareTo(HEARTBEAT) > 0 ? HEARTBEAT : interval;
    while (streams.sleep(pace)) {
      M now = moments.present();
      Moment.Difference change = now.since(told);
      told = now;
      silence = silence.plus(pace);
      if (!change.isNothing()) {
        place.write(out, event("changes", now.number(), change));
        silence = Duration.ZERO;
      } else if (silence.compareTo(HEARTBEAT) >= 0) {
        place.write(out, event("heartbeat", now.number(), change));
        silence = Duration.ZERO;
      }
    }
  }

  private byte[] event(String type, long number, Moment.Difference change) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String head = "event: " + type + "\nid: " + instance + "-" + number + "\ndata: ";
    bytes.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(
        Json.bytes(
            json -> {
              json.writeStringProperty("instance", instance);
              change.writeTo(json);
            }));
    bytes.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
    return bytes.toByteArray();
  }
}
