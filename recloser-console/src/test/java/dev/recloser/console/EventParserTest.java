package dev.recloser.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventParserTest {
  private static final String STREAM =
      "retry: 1000\n\n: a comment\nevent: snapshot\nid: 7\ndata: {\"a\":\ndata:1}\n\n"
          + "data: no type\n\nevent: nothing\n\nevent: changes\ndata: grün\n\nevent: cut off\ndata: 1";

  private final List<String> events = new ArrayList<>();
  private final EventParser parser =
      new EventParser(
          100, (type, data) -> events.add(type + "|" + new String(data, StandardCharsets.UTF_8)));

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void pieces_of_any_size_and_lines_of_any_end_make_the_same_events(String end) {
    byte[] bytes = STREAM.replace("\n", end).getBytes(StandardCharsets.UTF_8);
    for (int size = 1; size <= bytes.length; size++) {
      events.clear();
      EventParser fresh =
          new EventParser(
              100,
              (type, data) -> events.add(type + "|" + new String(data, StandardCharsets.UTF_8)));
      for (int from = 0; from < bytes.length; from += size) {
        fresh.accept(ByteBuffer.wrap(bytes, from, Math.min(size, bytes.length - from)));
      }
      assertThat(events)
          .as("pieces of " + size)
          .containsExactly("snapshot|{\"a\":\n1}\n", "|no type\n", "changes|grün\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "data: x\n", ": x\n", "event: x\n"})
  void an_event_that_does_not_end_is_given_up(String part) {
    ByteBuffer endless = ByteBuffer.wrap(part.repeat(300).getBytes(StandardCharsets.UTF_8));
    boolean isKept = part.startsWith("x") || part.startsWith("data");
    if (isKept) {
      assertThatThrownBy(() -> parser.accept(endless))
          .isInstanceOf(FeedFault.class)
          .hasMessageContaining("expected: at most 100 bytes");
    } else {
      parser.accept(endless); // Nothing of it is kept.
    }
    assertThat(events).isEmpty();
  }

  @Test
  void many_small_events_are_no_large_one() {
    parser.accept(
        ByteBuffer.wrap("data: 0123456789\n\n".repeat(100).getBytes(StandardCharsets.UTF_8)));
    assertThat(events).hasSize(100);
  }
}
