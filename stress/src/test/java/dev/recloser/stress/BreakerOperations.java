package dev.recloser.stress;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.CircuitBreakerSnapshot;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import dev.recloser.WindowSnapshot;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;

/**
 * A breaker as Lincheck works it: each operation is one step through its public interface. {@link
 * BreakerModel} has the same ones.
 *
 * <p>A permit is kept in a register. Who generates the operations sees to it that no two threads
 * put one into the same register; to end the call in it is anybody's business.
 */
public class BreakerOperations {
  static final int REGISTERS = 10;

  private final Permit[] permits = new Permit[REGISTERS];
  private CircuitBreaker breaker = BreakerSettings.FAILURES.breaker(this::now);
  private long now = Long.MAX_VALUE - 5; // It wraps around at once.

  /** Only at the very beginning. */
  @Operation
  public void start(BreakerSettings settings) {
    breaker = settings.breaker(this::now);
  }

  /** Only while nothing else goes on: what a call sees of the clock is not one step with it. */
  @Operation
  public void pass(int nanos) {
    now += nanos;
  }

  @Operation
  public String acquire(int register) {
    try {
      Permit permit = breaker.acquire();
      permits[register] = permit;
      return permit.isProbe() ? "probe" : "admitted";
    } catch (CallNotPermittedException refused) {
      return "refused: " + refused.reason();
    }
  }

  @Operation
  public void end(int register, Outcome outcome) {
    Permit permit = permits[register];
    if (permit == null) {
      return;
    }
    if (outcome == Outcome.CANCELLED) {
      permit.close();
    } else {
      permit.record(outcome);
    }
  }

  @Operation
  public void transitionTo(CircuitBreaker.State state) {
    breaker.transitionTo(state);
  }

  @Operation
  public void reset() {
    breaker.reset();
  }

  @Operation
  public void resize(int windowSize) {
    breaker.reconfigure(c -> c.slidingWindowSize(windowSize));
  }

  @Operation
  public CircuitBreaker.State state() {
    return breaker.state();
  }

  /**
   * The numbers of a state that judges; that it is another one, else. Only while nothing else goes
   * on: between a verdict and the transition, a few steps later, they are those of the verdict.
   */
  @Operation
  public List<Object> window() {
    CircuitBreakerSnapshot snapshot = breaker.snapshot();
    WindowSnapshot window = snapshot.window();
    return switch (snapshot.state()) {
      case CLOSED, METRICS_ONLY ->
          List.of(
              snapshot.state(),
              window.calls(),
              window.failed(),
              window.slow(),
              window.slowInFlight());
      case HALF_OPEN ->
          List.of(
              snapshot.state(),
              window.calls(),
              window.failed(),
              window.slow(),
              snapshot.probesOut(),
              snapshot.probesLeft());
      case OPEN, FORCED_OPEN, DISABLED -> List.of(snapshot.state());
    };
  }

  /** Only while nothing else goes on: they are many numbers, and not one step. */
  @Operation
  public List<Object> metrics() {
    CircuitBreakerMetrics metrics = breaker.metrics();
    return List.of(
        metrics.admitted(),
        metrics.totalRefused(),
        metrics.succeeded(),
        metrics.failed(),
        metrics.ignored(),
        metrics.cancelled(),
        metrics.slow(),
        metrics.expiredProbes(),
        breaker.transitions().size());
  }

  /** Only while nothing else goes on. */
  @Operation
  public long late() {
    return breaker.metrics().late();
  }

  private long now() {
    return now;
  }
}
