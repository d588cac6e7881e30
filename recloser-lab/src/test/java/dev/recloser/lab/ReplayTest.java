package dev.recloser.lab;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.HalfOpenRule;
import dev.recloser.RefusalReason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplayTest {
  /** Opens when two of the last two calls fail, for a second; then one probe decides. */
  private final CircuitBreakerConfig config =
      CircuitBreakerConfig.of(
          builder ->
              builder
                  .slidingWindowSize(2)
                  .minimumNumberOfCalls(2)
                  .failureRateThreshold(100)
                  .slowCallDurationThreshold(ofMillis(100))
                  .waitDurationInOpenState(ofSeconds(1))
                  .permittedNumberOfCallsInHalfOpenState(1));

  private final Log log = new Log();

  @Test
  void anEmptyTraceEndsAtOnce() throws IOException {
    ReplaySummary summary = replay(config);
    assertThat(log.lines).containsExactly("end after 0");
    assertThat(summary.calls()).isZero();
    assertThat(summary.busyTimeSpared()).isZero();
  }

  @Test
  void aCallEndsWhenItsDurationIsOverAndARefusedOneIsNotRecorded() throws IOException {
    ReplaySummary summary =
        replay(config, "0,10,500", "5,10,500", "14.9,1,ok", "15,50,500", "16,70,ok", "17,1,422");
    assertThat(log.lines)
        .containsExactly(
            "call 1 admitted by CLOSED",
            "call 2 admitted by CLOSED",
            "call 3 admitted by CLOSED",
            "15: OPEN by FAILURE_RATE",
            "call 4 refused by OPEN",
            "call 5 refused by OPEN",
            "call 6 refused by OPEN",
            "end after 17");
    assertThat(summary.calls()).isEqualTo(6);
    assertThat(summary.metrics().admitted()).isEqualTo(3);
    assertThat(summary.metrics().failed()).isEqualTo(2);
    assertThat(summary.metrics().late()).isEqualTo(1);
    assertThat(summary.metrics().refused()).containsEntry(RefusalReason.OPEN, 3L);
    assertThat(summary.refusedThatWouldHaveFailed()).isEqualTo(1);
    assertThat(summary.refusedThatWouldHaveSucceeded()).isEqualTo(1);
    assertThat(summary.busyTimeSpared()).isEqualTo(ofMillis(121));
  }

  @Test
  void theStateThatAProbeFindsIsTheOneThatDecides() throws IOException {
    replay(config, "0,0,500", "0,0,500", "999.999999,1,ok", "1000,20,ok", "1010,1,ok", "1020,1,ok");
    assertThat(log.lines)
        .containsExactly(
            "call 1 admitted by CLOSED",
            "call 2 admitted by CLOSED",
            "0: OPEN by FAILURE_RATE",
            "call 3 refused by OPEN",
            "1000: HALF_OPEN by WAIT_ELAPSED",
            "call 4 admitted by HALF_OPEN",
            "call 5 refused by HALF_OPEN",
            "1020: CLOSED by PROBES_SUCCEEDED",
            "call 6 admitted by CLOSED",
            "end after 1021");
  }

  @Test
  void callsInFlightCountAsSlowOneNanosecondPastTheLimit() throws IOException {
    replay(config, "0,5000,ok", "10,5000,ok", "110,1,ok", "110.000001,1,ok");
    assertThat(log.lines)
        .containsExactly(
            "call 1 admitted by CLOSED",
            "call 2 admitted by CLOSED",
            "call 3 admitted by CLOSED",
            "110.000001: OPEN by SLOW_CALL_RATE",
            "call 4 refused by OPEN",
            "end after 5010");
  }

  @Test
  void aCallOfExactlyTheLimitIsNotSlow() throws IOException {
    ReplaySummary summary = replay(config, "0,100,ok", "0,100,ok", "0,100.000001,ok");
    assertThat(summary.metrics().slow()).isEqualTo(1);
    assertThat(log.lines).endsWith("end after 100.000001").hasSize(4);
  }

  @Test
  void withTheAutomaticTransitionATimerProbesWithoutACall() throws IOException {
    CircuitBreakerConfig automatic =
        config.with(builder -> builder.automaticTransitionFromOpenToHalfOpenEnabled(true));
    replay(automatic, "0,0,500", "0,0,500", "1000,1,ok");
    assertThat(log.lines)
        .contains("1000: HALF_OPEN by WAIT_ELAPSED", "call 3 admitted by HALF_OPEN");

    log.lines.clear();
    replay(automatic, "0,0,500", "0,0,500", "1500,1,ok");
    assertThat(log.lines)
        .containsSubsequence("1000: HALF_OPEN by WAIT_ELAPSED", "call 3 admitted by HALF_OPEN");
  }

  @Test
  void aLeaseEndsAtItsMomentAndTheProbeIsLate() throws IOException {
    ReplaySummary summary =
        replay(
            config.with(builder -> builder.maxProbeDuration(ofMillis(50))),
            "0,0,500",
            "0,0,500",
            "1000,200,ok");
    assertThat(log.lines)
        .containsSubsequence("1000: HALF_OPEN by WAIT_ELAPSED", "1050: OPEN by PROBES_FAILED")
        .endsWith("end after 1200");
    assertThat(summary.metrics().late()).isEqualTo(1);
    assertThat(summary.metrics().expiredProbes()).isEqualTo(1);
  }

  @Test
  void timersAfterTheLastEndDoNotRun() throws IOException {
    replay(
        config.with(builder -> builder.automaticTransitionFromOpenToHalfOpenEnabled(true)),
        "0,0,500",
        "0,0,500",
        "999,30,ok");
    assertThat(log.lines).endsWith("call 3 refused by OPEN", "end after 999");
  }

  @Test
  void aBreakerThatMovesByItselfIsHeardAtEachMoveDuringALongPause() throws IOException {
    CircuitBreakerConfig restless =
        config.with(
            builder ->
                builder
                    .automaticTransitionFromOpenToHalfOpenEnabled(true)
                    .maxWaitDurationInHalfOpenState(ofSeconds(1)));
    replay(restless, "0,0,500", "0,0,500", "9500,1,ok");
    assertThat(log.lines)
        .contains("1000: HALF_OPEN by WAIT_ELAPSED", "2000: OPEN by HALF_OPEN_TIMEOUT")
        .contains("9000: HALF_OPEN by WAIT_ELAPSED", "call 3 admitted by HALF_OPEN");
  }

  @Test
  void timeInStatesAddsUpToTheLengthOfTheReplay() throws IOException {
    ReplaySummary summary = replay(config, "500,0,500", "500,0,500", "2000,100,ok", "2300,700,ok");
    Map<State, Duration> times = summary.metrics().timeInState();
    assertThat(times)
        .containsEntry(State.CLOSED, ofMillis(500 + 900))
        .containsEntry(State.OPEN, ofMillis(1500))
        .containsEntry(State.HALF_OPEN, ofMillis(100))
        .containsEntry(State.DISABLED, Duration.ZERO);
    assertThat(summary.length()).isEqualTo(ofSeconds(3));
  }

  @Test
  void outcomesMeanWhatTheIssueOfTheServiceIs() throws IOException {
    ReplaySummary summary =
        replay(
            config.with(builder -> builder.recordExceptions(java.io.IOException.class)),
            "0,0,ok",
            "1,0,timeout",
            "2,0,cancelled",
            "3,0,java.net.ConnectException",
            "4,0,ok",
            "5,0,java.lang.IllegalStateException",
            "6,0,404",
            "7,0,422");
    assertThat(summary.metrics().succeeded()).isEqualTo(1);
    assertThat(summary.metrics().failed()).isEqualTo(2);
    assertThat(summary.metrics().cancelled()).isEqualTo(1);
    assertThat(summary.refusedThatWouldHaveSucceeded()).isEqualTo(2);
    assertThat(summary.refusedThatWouldHaveFailed()).isZero();
  }

  @Test
  void timesUpToACenturyDoNotOverflow() throws IOException {
    String century = "3153600000000";
    ReplaySummary summary =
        replay(
            config.with(builder -> builder.waitDurationInOpenState(Duration.ofDays(36_500))),
            "0,0,500",
            "0,0,500",
            century + "," + century + ",500",
            century + "," + century + ",500",
            century + "," + century + ",500",
            century + "," + century + ",500");
    assertThat(log.lines)
        .containsSubsequence(
            "0: OPEN by FAILURE_RATE",
            century + ": HALF_OPEN by WAIT_ELAPSED",
            "call 3 admitted by HALF_OPEN",
            "call 4 refused by HALF_OPEN")
        .endsWith("end after 6307200000000");
    assertThat(summary.busyTimeSpared()).isEqualTo(Duration.ofDays(3 * 36_500));
  }

  @Test
  void jitterIsTheSameInEachReplay() throws IOException {
    CircuitBreakerConfig jittery =
        config.with(builder -> builder.randomizedWaitFactor(0.5).halfOpenRule(HalfOpenRule.RATE));
    List<Duration> first = waits(jittery);
    assertThat(first).hasSize(50).doesNotHaveDuplicates();
    assertThat(waits(jittery)).isEqualTo(first);
  }

  @Test
  void whatAListenerThrowsEndsTheReplayAndReachesItsCaller() {
    IOException full = new IOException("disk full");
    ReplayListener failing =
        new ReplayListener() {
          @Override
          public void transition(StateTransition transition) throws IOException {
            throw full;
          }
        };
    assertThatThrownBy(() -> Replay.run(config, Traces.of("0,0,500", "0,0,500", "1,0,ok"), failing))
        .isSameAs(full);
  }

  @Test
  void aWrongRowEndsTheReplayWithoutASummary() {
    assertThatThrownBy(() -> replay(config, "0,0,500", "0,0,500", "1,0,ok", "huh"))
        .isInstanceOf(InvalidTraceException.class);
    assertThat(log.lines).contains("0: OPEN by FAILURE_RATE").endsWith("call 3 refused by OPEN");
  }

  @Test
  void aTraceThatGoesBackInTimeIsRefused() {
    RecordedOutcome ok = RecordedOutcome.parse("ok");
    Trace trace = traceOf(new RecordedCall(1, 20, 0, ok), new RecordedCall(2, 19, 0, ok));
    assertThatThrownBy(() -> Replay.run(config, trace, log))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("atNanos of row 2: 19 (expected: 20 or more, as in the row before)");
  }

  @Test
  void aHealthCheckCannotBeReplayed() {
    CircuitBreakerConfig checked =
        config.with(builder -> builder.healthCheck(() -> CompletableFuture.completedFuture(1)));
    assertThatThrownBy(() -> replay(checked, "0,0,ok"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("healthCheck: set (expected: none, a recorded call cannot answer it)");
  }

  private ReplaySummary replay(CircuitBreakerConfig config, String... rows) throws IOException {
    try (Trace trace = Traces.of(rows)) {
      return Replay.run(config, trace, log);
    }
  }

  private static List<Duration> waits(CircuitBreakerConfig config) throws IOException {
    String[] rows = new String[100];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = 2000 * (i / 2) + ",0,500";
    }
    List<Duration> waits = new ArrayList<>();
    ReplayListener listener =
        new ReplayListener() {
          @Override
          public void transition(StateTransition transition) {
            if (transition.waitDuration() != null) {
              waits.add(transition.waitDuration());
            }
          }
        };
    Replay.run(config, Traces.of(rows), listener);
    return waits;
  }

  private static Trace traceOf(RecordedCall... calls) {
    return new Trace() {
      private int next;

      @Override
      public @Nullable RecordedCall next() {
        return next == calls.length ? null : calls[next++];
      }

      @Override
      public void close() {}
    };
  }
}
