package dev.recloser;

import static java.util.stream.Collectors.joining;

import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A real and a naive breaker to which the same happens. */
final class ModelRun {
  private static final String NAME = "model";

  private final ModelSetup setup;
  private final FakeTime time;
  private final CircuitBreaker real;
  private final NaiveBreaker naive;
  private final List<StateTransition> events = new ArrayList<>();
  private final List<Call> inFlight = new ArrayList<>();
  private final List<Call> ended = new ArrayList<>();
  private double draw;

  private ModelRun(ModelSetup setup) {
    this.setup = setup;
    time = FakeTime.startingAt(setup.origin());
    real = CircuitBreaker.create(NAME, this::configure);
    real.on(StateTransition.class, events::add);
    naive = new NaiveBreaker(real.config(), setup.runsTimers());
  }

  /**
   * Lets it all happen.
   *
   * @return the first difference, with all that is needed to see it again; null for none
   */
  static @Nullable String firstDifference(ModelSetup setup, List<ModelStep> steps) {
    ModelRun run = new ModelRun(setup);
    for (int i = 0; i < steps.size(); i++) {
      String difference = run.differenceAfter(steps.get(i));
      if (difference != null) {
        return "%s at step %d of%n%s%n%s"
            .formatted(difference, i + 1, setup, run.describe(steps.subList(0, i + 1)));
      }
    }
    return null;
  }

  /** Runs it all and returns the real breaker, to see what has been tried. */
  static CircuitBreaker breakerAfter(ModelSetup setup, List<ModelStep> steps) {
    ModelRun run = new ModelRun(setup);
    steps.forEach(run::differenceAfter);
    return run.real;
  }

  private void configure(CircuitBreakerConfig.Builder config) {
    setup.configure(config);
    config.ticker(time).random(() -> draw);
    switch (setup.timers()) {
      case NONE -> {}
      case ON_TIME -> config.scheduler(this::schedule);
      case LOST -> config.scheduler((task, delay) -> () -> {});
      case BROKEN ->
          config.scheduler(
              (task, delay) -> {
                throw new IllegalStateException("broken");
              });
    }
  }

  /** A timer may ring early; the model then looks as well, but never needs it to. */
  private Cancellable schedule(Runnable task, Duration delay) {
    return time.schedule(
        () -> {
          naive.advance(time.elapsed().toNanos() - naive.now());
          naive.ring();
          task.run();
        },
        delay);
  }

  private @Nullable String differenceAfter(ModelStep step) {
    try {
      draw = step.draw();
      naive.draw(draw);
      String difference = apply(step.operation());
      return difference != null ? difference : difference(step.look());
    } catch (RuntimeException | Error e) {
      return e.toString() + " in " + List.of(e.getStackTrace()).subList(0, 3);
    }
  }

  private @Nullable String apply(ModelOperation operation) {
    if (operation instanceof ModelOperation.Acquire acquire) {
      return acquire(acquire.throwing());
    }
    if (operation instanceof ModelOperation.End end) {
      end(end);
    } else if (operation instanceof ModelOperation.Advance advance) {
      advance(advance.nanos());
    } else if (operation instanceof ModelOperation.AdvanceTo to) {
      advanceTo(to);
    } else if (operation instanceof ModelOperation.TransitionTo command) {
      transition(command);
    } else if (operation instanceof ModelOperation.Reset) {
      naive.reset();
      real.reset();
    } else if (operation instanceof ModelOperation.Reconfigure reconfigure) {
      real.reconfigure(config -> setup.reconfigure(config, reconfigure));
      naive.reconfigure(real.config());
    }
    return null;
  }

  private @Nullable String acquire(boolean throwing) {
    NaiveCall call = naive.acquire();
    String expected = call == null ? refusal() : "admitted, probe " + call.probe;
    String actual;
    try {
      Permit permit = throwing ? real.acquire() : real.tryAcquire();
      actual = permit == null ? "refused" : "admitted, probe " + permit.isProbe();
      if (permit != null && call != null) {
        inFlight.add(new Call(permit, call));
      }
    } catch (CallNotPermittedException e) {
      actual = "refused in %s by %s until %s".formatted(e.state(), e.reason(), e.retryAfter());
    }
    return expected.startsWith(actual) ? null : differs("admission", expected, actual);
  }

  private String refusal() {
    return "refused in %s by %s until %s"
        .formatted(naive.state(), naive.refusal(), naive.retryAfter());
  }

  private void end(ModelOperation.End end) {
    List<Call> calls = end.again() ? ended : inFlight;
    if (calls.isEmpty()) {
      return;
    }
    Call call = calls.remove((int) (end.which() * (calls.size() - 1)));
    ended.add(call);
    CircuitBreakerConfig config = real.config();
    naive.end(call.naive(), end.how().outcome(config), end.how().asksToWait(config));
    end.how().apply(call.permit());
  }

  private void advance(long nanos) {
    long end = naive.now() + nanos;
    time.advance(Duration.ofNanos(nanos));
    naive.advance(end - naive.now());
  }

  private void advanceTo(ModelOperation.AdvanceTo to) {
    List<Long> moments = naive.momentsToCome();
    if (!moments.isEmpty()) {
      long moment = moments.get((int) (to.which() * (moments.size() - 1))) + to.offset();
      advance(Math.max(0, moment - naive.now()));
    }
  }

  private void transition(ModelOperation.TransitionTo command) {
    naive.transitionTo(command.target(), command.duration());
    if (command.duration() == null) {
      real.transitionTo(command.target());
    } else {
      real.transitionTo(command.target(), command.duration());
    }
  }

  /** Compares what is free to read, and the rest if asked to: reading must not change anything. */
  private @Nullable String difference(boolean look) {
    if (naive.state() != real.state()) {
      return differs("state", naive.state(), real.state());
    }
    List<NaiveMove> expected = naive.moves();
    if (events.size() != expected.size()) {
      return differs("transitions", expected, moves(events));
    }
    int seen = Math.max(0, expected.size() - 3);
    String difference =
        difference(
            "last transitions",
            expected.subList(seen, expected.size()),
            moves(events.subList(seen, expected.size())));
    return difference != null || !look ? difference : differenceInNumbers();
  }

  private @Nullable String differenceInNumbers() {
    int kept = Math.min(20, events.size());
    String difference =
        difference(
            "history", events.subList(events.size() - kept, events.size()), real.transitions());
    if (difference == null) {
      difference = difference("snapshot", naive.snapshot(NAME), rounded(real.snapshot()));
    }
    return difference != null ? difference : difference("metrics", naive.metrics(), real.metrics());
  }

  private List<NaiveMove> moves(List<StateTransition> transitions) {
    return transitions.stream().map(move -> NaiveMove.of(move, setup.origin())).toList();
  }

  /** Takes a percentage that is right to a millionth for the exact one. */
  private CircuitBreakerSnapshot rounded(CircuitBreakerSnapshot snapshot) {
    double exact = naive.snapshot(NAME).admittedPercentage();
    boolean close = Math.abs(snapshot.admittedPercentage() - exact) < 1e-5;
    return new CircuitBreakerSnapshot(
        snapshot.breaker(),
        snapshot.state(),
        snapshot.inStateFor(),
        snapshot.window(),
        snapshot.remaining(),
        snapshot.probesOut(),
        snapshot.probesLeft(),
        close ? exact : snapshot.admittedPercentage(),
        snapshot.openings(),
        snapshot.callsInFlight());
  }

  private String describe(List<ModelStep> steps) {
    return "configured at last as "
        + real.config()
        + steps.stream().map(Object::toString).collect(joining("\n  ", "\n  ", ""));
  }

  private static @Nullable String difference(String what, Object expected, Object actual) {
    return Objects.equals(expected, actual) ? null : differs(what, expected, actual);
  }

  private static String differs(String what, Object expected, Object actual) {
    return "%s%n  by the rules: %s%n  in fact:      %s%n".formatted(what, expected, actual);
  }

  /** One call, admitted by both. */
  private record Call(Permit permit, NaiveCall naive) {}
}
