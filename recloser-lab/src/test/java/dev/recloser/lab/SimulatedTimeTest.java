package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Cancellable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedTimeTest {
  private final SimulatedTime time = new SimulatedTime();
  private final List<String> log = new ArrayList<>();

  @Test
  void eventsRunInTheOrderOfTheirTimesAndReadThem() {
    timer("late", 30);
    call("middle", 20);
    timer("early", 10);
    runUntil(25);
    assertThat(log).containsExactly("early at 10", "middle at 20");
    assertThat(time.nanoTime()).isEqualTo(25);
    runUntil(30);
    assertThat(log).endsWith("late at 30");
  }

  @Test
  void atOneInstantTimersRunBeforeTheEndsOfCallsAndEachInOrder() {
    call("call 1", 10);
    timer("timer 1", 10);
    call("call 2", 10);
    timer("timer 2", 10);
    runUntil(10);
    assertThat(log)
        .containsExactly("timer 1 at 10", "timer 2 at 10", "call 1 at 10", "call 2 at 10");
  }

  @Test
  void aTimerForTheSameInstantRunsBeforeTheNextEndOfACall() {
    time.endCallAfter(10, () -> timer("timer", 0));
    call("call", 10);
    runUntil(10);
    assertThat(log).containsExactly("timer at 10", "call at 10");
  }

  @Test
  void aTimerThatIsTakenBackDoesNotRun() {
    Cancellable timer = timer("timer", 10);
    timer.cancel();
    timer.cancel();
    runUntil(20);
    assertThat(log).isEmpty();
  }

  @Test
  void aTimerBeyondTheEndOfTimeNeverRuns() {
    runUntil(Long.MAX_VALUE - 5);
    timer("timer", 10);
    runUntil(Long.MAX_VALUE - 1);
    assertThat(log).isEmpty();
  }

  @Test
  void knowsWhetherCallsAreInFlight() {
    timer("timer", 30);
    assertThat(time.hasCallsInFlight()).isFalse();
    call("call", 10);
    assertThat(time.hasCallsInFlight()).isTrue();
    time.runNext();
    assertThat(time.hasCallsInFlight()).isFalse();
    assertThat(time.nanoTime()).isEqualTo(10);
  }

  private Cancellable timer(String name, long delay) {
    return time.schedule(() -> note(name), Duration.ofNanos(delay));
  }

  private void call(String name, long duration) {
    time.endCallAfter(duration, () -> note(name));
  }

  private void note(String name) {
    log.add(name + " at " + time.nanoTime());
  }

  private void runUntil(long moment) {
    while (time.runNext(moment)) {}
  }
}
