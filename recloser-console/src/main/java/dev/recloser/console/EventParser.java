package dev.recloser.console;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/**
 * Takes server-sent events out of bytes, in whatever pieces they come, and keeps no more of them
 * than one event of a limited size: whoever sends is not trusted to end it. That is why the lines
 * are not those of the JDK's client, which collects one until it ends. Not thread-safe.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">the format</a>
 */
final class EventParser {
  private final int mostBytes;
  private final BiConsumer<String, byte[]> events;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private String type = "";
  private boolean endedByCarriageReturn;

  /**
   * @param mostBytes how large an event may be
   * @param events takes the type and the data of each
   */
  EventParser(int mostBytes, BiConsumer<String, byte[]> events) {
    this.mostBytes = mostBytes;
    this.events = events;
  }

  /**
   * Takes more bytes.
   *
   * @throws FeedFault when an event is too large; also what {@code events} throws
   */
  void accept(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      boolean secondOfTwo = next == '\n' && endedByCarriageReturn;
      endedByCarriageReturn = next == '\r';
      if (next == '\n' || next == '\r') {
        if (!secondOfTwo) {
          endLine();
        }
      } else {
        line.write(next);
        checkSize();
      }
    }
  }

  private void checkSize() {
    if (line.size() + data.size() > mostBytes) {
      throw new FeedFault(
          "sends an event that is too large (expected: at most " + mostBytes + " bytes)");
    }
  }

  private void endLine() {
    byte[] bytes = line.toByteArray();
    line.reset();
    if (bytes.length == 0) {
      endEvent();
    } else if (startsWith(bytes, "data:")) {
      int from = afterSpace(bytes, "data:".length());
      data.write(bytes, from, bytes.length - from);
      data.write('\n');
    } else if (startsWith(bytes, "event:")) {
      int from = afterSpace(bytes, "event:".length());
      type = new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    }
  }

  private void endEvent() {
    byte[] bytes = data.toByteArray();
    String ended = type;
    data.reset();
    type = "";
    if (bytes.length > 0) {
      events.accept(ended, bytes);
    }
  }

  private static int afterSpace(byte[] bytes, int from) {
    return from < bytes.length && bytes[from] == ' ' ? from + 1 : from;
  }

  private static boolean startsWith(byte[] bytes, String name) {
    if (bytes.length < name.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (bytes[i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
