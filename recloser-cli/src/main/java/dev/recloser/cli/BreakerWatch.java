package dev.recloser.cli;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerMetrics;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Listens to the breaker of a run and keeps what it says until the screen has time for it. */
final class BreakerWatch implements AutoCloseable {
  private final CircuitBreaker breaker;
  private final RunClock clock;
  private final DemoPlan plan;
  private final Queue<StateTransition> transitions = new ConcurrentLinkedQueue<>();
  private final Queue<News> news = new ConcurrentLinkedQueue<>();
  private final Cancellable registration;

  BreakerWatch(CircuitBreaker breaker, RunClock clock, DemoPlan plan) {
    this.breaker = breaker;
    this.clock = clock;
    this.plan = plan;
    registration = breaker.on(StateTransition.class, this::note);
  }

  CircuitBreaker breaker() {
    return breaker;
  }

  /** The oldest news that were not asked for yet; null if there are none. */
  @Nullable News nextNews() {
    return news.poll();
  }

  DemoResult.BreakerStory story() {
    CircuitBreakerMetrics metrics = breaker.metrics();
    Optional<StateTransition> opening = firstOpeningWhileSick();
    return new DemoResult.BreakerStory(
        count(metrics, State.OPEN),
        count(metrics, State.CLOSED),
        metrics.totalRefused(),
        metrics.timeInState().getOrDefault(State.OPEN, Duration.ZERO),
        opening.map(t -> clock.elapsedAt(t.at()).minus(plan.sickFrom())).orElse(null),
        opening.map(StateTransition::slowestCall).orElse(null));
  }

  @Override
  public void close() {
    registration.cancel();
  }

  private void note(StateTransition transition) {
    transitions.add(transition);
    // The breaker may have moved on in the meantime, and would explain another state.
    boolean still = breaker.state() == transition.to();
    news.add(
        new News(
            Text.format(
                ">>> %s  %s -> %s  %s",
                Text.seconds(clock.elapsedAt(transition.at())),
                transition.from(),
                transition.to(),
                transition.cause()),
            Text.wrap("    ", still ? breaker.explain() : transition.reason())));
  }

  private Optional<StateTransition> firstOpeningWhileSick() {
    return transitions.stream()
        .filter(t -> t.from() == State.CLOSED && t.to() == State.OPEN)
        .filter(t -> plan.phaseAt(clock.elapsedAt(t.at())) == Phase.SICK)
        .findFirst();
  }

  private static long count(CircuitBreakerMetrics metrics, State entered) {
    return metrics.transitions().entrySet().stream()
        .filter(kind -> kind.getKey().to() == entered)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
