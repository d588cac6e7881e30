package dev.recloser.console;

import static dev.recloser.console.Requests.breaker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Policies;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Places for readers, and readers that do not read. */
@Timeout(60)
final class StreamsTest {
  private final FakeTime time = FakeTime.create();
  private final Streams streams = new Streams(1, time);

  @Test
  void a_reader_that_does_not_read_loses_its_place_to_another_after_a_while() throws Exception {
    Streams.Place place = streams.enter();
    Pipe unread = Pipe.open();
    OutputStream out = Channels.newOutputStream(unread.sink());
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread writer =
        new Thread(
            () -> {
              try {
                place.write(out, new byte[1]);
                begun.countDown();
                place.write(out, new byte[100_000_000]); // No pipe takes so much.
                end.complete(null);
              } catch (IOException e) {
                end.complete(e);
              }
              end.complete(null);
            });
    writer.start();
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

    assertThatThrownBy(streams::enter).isInstanceOf(Problem.class).hasMessageContaining("streams");
    Streams.Place another = enterAsTimePasses();
    assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(ClosedByInterruptException.class);
    place.close();
    assertThat(streams.taken()).as("the place of another is not given back").isEqualTo(1);
    another.close();
    assertThat(streams.taken()).isZero();
    writer.join();
    unread.source().close();
  }

  /** The write may begin a little later, on the other thread. */
  private Streams.Place enterAsTimePasses() {
    while (true) {
      time.advance(Duration.ofSeconds(11));
      try {
        return streams.enter();
      } catch (Problem e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void one_that_reads_keeps_its_place_however_long_it_watches() throws Exception {
    Streams.Place place = streams.enter();
    place.write(OutputStream.nullOutputStream(), new byte[10]);
    time.advance(Duration.ofDays(1));
    assertThatThrownBy(streams::enter).isInstanceOf(Problem.class);
    place.close();
    streams.enter().close();
  }

  @Test
  void an_answer_that_is_closed_or_for_a_head_gives_its_place_back() {
    Policies policies = Policies.create();
    Requests.succeed(breaker(policies, "a"), 1);
    ConsoleHandler panel = ConsoleHandler.create(policies, s -> s.maxStreams(1));
    for (int i = 0; i < 5; i++) {
      ConsoleAnswer answer = panel.answer(Requests.get("/api/events"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.length()).isEqualTo(-1);
      answer.close();
      answer = panel.answer(Requests.request("HEAD", "/api/events", ""));
      assertThat(answer.status()).isEqualTo(200);
      answer.close();
    }
  }

  @Test
  void a_closed_panel_has_no_streams() {
    streams.close();
    assertThatThrownBy(streams::enter).isInstanceOf(Problem.class);
  }
}
