package dev.recloser.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.Permit;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On real recordings. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class FlightRecordingTest {
  private final FakeTime time = FakeTime.create();
  private final CircuitBreakerRegistry breakers =
      CircuitBreakerRegistry.create(
          registry ->
              registry.defaultConfig(
                  config ->
                      config
                          .slidingWindowSize(2)
                          .slowCallDurationThreshold(Duration.ofMillis(100))
                          .waitDurationInOpenState(Duration.ofSeconds(30))
                          .ticker(time)));

  private final CircuitBreaker inventory = breakers.circuitBreaker("inventory");
  private final FlightRecording recording = FlightRecording.of(breakers);

  @TempDir private Path folder;

  @AfterEach
  void close() {
    recording.close();
  }

  @Test
  void a_recording_has_what_breakers_did() throws IOException {
    try (Recording flight = recordingOfCalls()) {
      flight.start();
      Permit slow = inventory.acquire();
      time.advance(Duration.ofMillis(150));
      slow.complete("in stock");
      inventory.acquire().fail(new IOException("reset"));
      assertThat(inventory.tryAcquire()).isNull();
      flight.stop();
      List<RecordedEvent> events = eventsOf(flight);

      RecordedEvent opening = only(events, "dev.recloser.Transition");
      assertThat(opening.getString("name")).isEqualTo("inventory");
      assertThat(opening.getString("from")).isEqualTo("CLOSED");
      assertThat(opening.getString("to")).isEqualTo("OPEN");
      assertThat(opening.getString("cause")).isEqualTo("FAILURE_RATE");
      assertThat(opening.getString("reason"))
          .isEqualTo("1 of the last 2 calls failed (50 % >= 50 %), last with IOException");
      assertThat(opening.getInt("calls")).isEqualTo(2);
      assertThat(opening.getDouble("failureRate")).isEqualTo(0.5);
      assertThat(opening.getDouble("slowCallRate")).isEqualTo(0.5);
      assertThat(opening.getDuration("waitDuration")).isEqualTo(Duration.ofSeconds(30));
      assertThat(opening.getStackTrace()).isNull();
      RecordedEvent refusal = only(events, "dev.recloser.Refusal");
      assertThat(refusal.getString("reason")).isEqualTo("OPEN");
      RecordedEvent slowCall = only(events, "dev.recloser.SlowCall");
      assertThat(slowCall.getString("outcome")).isEqualTo("SUCCESS");
      assertThat(slowCall.getDuration("took")).isEqualTo(Duration.ofMillis(150));
    }
  }

  @Test
  void explanations_come_by_themselves() throws IOException {
    try (Recording flight = new Recording()) {
      flight.enable("dev.recloser.Explanation").with("period", "endChunk");
      flight.start();
      flight.stop();

      RecordedEvent explanation = only(eventsOf(flight), "dev.recloser.Explanation");
      assertThat(explanation.getString("explanation")).isEqualTo(inventory.explain());
      assertThat(explanation.getString("state")).isEqualTo("CLOSED");
    }
  }

  @Test
  void one_that_cannot_be_read_costs_the_others_no_explanation() throws IOException {
    AtomicBoolean broken = new AtomicBoolean();
    for (String name : List.of("a", "b", "c", "d")) { // A registry has them in any order.
      breakers.circuitBreaker(
          name, CircuitBreakerConfig.of(config -> config.ticker(() -> nanoTime(broken))));
    }
    try (Recording flight = new Recording()) {
      flight.enable("dev.recloser.Explanation").with("period", "endChunk");
      flight.start();
      broken.set(true);
      flight.stop();

      assertThat(only(eventsOf(flight), "dev.recloser.Explanation").getString("name"))
          .isEqualTo("inventory");
    }
  }

  private static long nanoTime(AtomicBoolean broken) {
    if (broken.get()) {
      throw new NoClassDefFoundError("no clock");
    }
    return 0;
  }

  @Test
  void refusals_are_not_there_unless_they_are_switched_on() throws IOException {
    try (Recording flight = new Recording()) {
      flight.start();
      inventory.transitionTo(State.FORCED_OPEN);
      assertThat(inventory.tryAcquire()).isNull();
      flight.stop();

      assertThat(eventsOf(flight))
          .extracting(event -> event.getEventType().getName())
          .contains("dev.recloser.Transition")
          .doesNotContain("dev.recloser.Refusal");
    }
  }

  @Test
  void nothing_is_paid_for_calls_while_nobody_records_them() {
    inventory.transitionTo(State.FORCED_OPEN);
    assertThat(bytesOfRefusals()).as("before").isLessThan(1_000);
    try (Recording transitions = new Recording()) {
      transitions.start();
      assertThat(bytesOfRefusals()).as("of transitions only").isLessThan(1_000);
    }
    try (Recording flight = recordingOfCalls()) {
      flight.start();
      assertThat(bytesOfRefusals()).as("recorded").isGreaterThan(100_000);
      flight.stop();
    }
    assertThat(bytesOfRefusals()).as("after").isLessThan(1_000);
  }

  @Test
  void breakers_made_later_are_in_and_after_closing_there_is_nothing() throws IOException {
    try (Recording flight = recordingOfCalls()) {
      flight.start();
      CircuitBreaker later = breakers.circuitBreaker("later");
      later.transitionTo(State.FORCED_OPEN);
      later.tryAcquire();
      recording.close();
      later.tryAcquire();
      later.transitionTo(State.CLOSED);
      flight.stop();

      List<RecordedEvent> events = eventsOf(flight);
      assertThat(only(events, "dev.recloser.Transition").getString("name")).isEqualTo("later");
      only(events, "dev.recloser.Refusal");
    }
  }

  @Test
  void what_is_switched_on_in_a_running_recording_is_seen_with_the_next_explanation()
      throws IOException {
    inventory.transitionTo(State.FORCED_OPEN);
    try (Recording flight = new Recording()) {
      flight.enable("dev.recloser.Explanation").with("period", "beginChunk");
      flight.start();
      flight.enable("dev.recloser.Refusal");
      flight.dump(folder.resolve("rotated.jfr")); // Begins a chunk.
      inventory.tryAcquire();
      flight.stop();

      only(eventsOf(flight), "dev.recloser.Refusal");
    }
  }

  @Test
  void a_command_switches_on_the_events_of_calls_by_a_plus() throws Exception {
    inventory.transitionTo(State.FORCED_OPEN);
    command("jfrStart", "name=calls", "+dev.recloser.Refusal#enabled=true");
    inventory.tryAcquire();
    Path file = folder.resolve("commanded.jfr");
    command("jfrDump", "name=calls", "filename=" + file);
    command("jfrStop", "name=calls");

    only(RecordingFile.readAllEvents(file), "dev.recloser.Refusal");
  }

  /** What {@code jcmd} does. */
  private static void command(String operation, String... arguments) throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            operation,
            new Object[] {arguments},
            new String[] {String[].class.getName()});
  }

  private static Recording recordingOfCalls() {
    Recording flight = new Recording();
    flight.enable("dev.recloser.Refusal");
    flight.enable("dev.recloser.SlowCall");
    return flight;
  }

  private long bytesOfRefusals() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int warm = 0; warm < 100; warm++) {
      inventory.tryAcquire();
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int call = 0; call < 10_000; call++) {
      inventory.tryAcquire();
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private List<RecordedEvent> eventsOf(Recording flight) throws IOException {
    Path file = folder.resolve("flight.jfr");
    flight.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("dev.recloser."))
        .toList();
  }

  private static RecordedEvent only(List<RecordedEvent> events, String type) {
    List<RecordedEvent> found =
        events.stream().filter(event -> event.getEventType().getName().equals(type)).toList();
    assertThat(found).as(type).hasSize(1);
    return found.get(0);
  }
}
