package dev.recloser.stress;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.Outcome;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.CTestStructure;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionGenerator;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.CTestConfiguration;
import org.jetbrains.lincheck.datastructures.RandomProvider;

/**
 * Scenarios that begin where it becomes interesting, and end with a look at what has come of it.
 */
public final class CallsGenerator extends ExecutionGenerator {
  /** The register of a call that several threads may end. */
  private static final int CONTESTED = 0;

  /** How many registers come next, each of which belongs to one thread, with calls of before. */
  private static final int SHARED = 6;

  /** What a thread does; the end of a call comes last. */
  private enum Step {
    ACQUIRE,
    LOOK,
    COMMAND,
    END
  }

  /**
   * Where some time has passed that nobody has noticed yet: the first call to come moves the
   * breaker, and is let in or not, in two steps.
   */
  private static final Step[] CALLS = {Step.ACQUIRE, Step.END, Step.END};

  private static final Step[] LOOKS = {Step.ACQUIRE, Step.LOOK, Step.END, Step.END, Step.END};

  private final Random random;
  private final Class<?> operations;
  private final int threads;
  private final int length;

  public CallsGenerator(
      CTestConfiguration configuration, CTestStructure structure, RandomProvider seeds) {
    super(configuration, structure);
    random = seeds.createRandom();
    operations = configuration.getTestClass();
    threads = configuration.getThreads();
    length = configuration.getActorsPerThread();
  }

  @Override
  public ExecutionScenario nextExecution() {
    List<Actor> before = new ArrayList<>(List.of(actor("start", pick(BreakerSettings.values()))));
    boolean unnoticed = random.nextInt(3) == 0;
    switch (random.nextInt(unnoticed ? 3 : 2)) {
      case 0 -> endedCalls(before);
      case 1 -> before.add(actor("transitionTo", State.HALF_OPEN));
      default -> before.add(actor("transitionTo", State.OPEN));
    }
    runningCalls(before);
    if (unnoticed) {
      before.add(actor("pass", pick(11, BreakerSettings.WAIT)));
    }
    boolean commands = !unnoticed && random.nextBoolean();
    Step[] choices = unnoticed ? CALLS : commands ? withCommands() : LOOKS;
    List<List<Actor>> parallel = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      parallel.add(actors(thread, steps(choices, commands)));
    }
    return new ExecutionScenario(before, parallel, after(commands), /* validationFunction= */ null);
  }

  /**
   * A call that ends while an operator's command goes on may be late a few steps before others see
   * another state. So the thread that ends it does nothing else after that; nor does a third one,
   * which would see the one and not the other.
   */
  private Step[] withCommands() {
    if (threads == 2) {
      return new Step[] {Step.ACQUIRE, Step.LOOK, Step.COMMAND, Step.END, Step.END};
    }
    return random.nextBoolean()
        ? new Step[] {Step.ACQUIRE, Step.LOOK, Step.COMMAND}
        : new Step[] {Step.COMMAND, Step.END, Step.END};
  }

  private List<Step> steps(Step[] choices, boolean endsLast) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      steps.add(pick(choices));
    }
    if (endsLast) {
      Collections.sort(steps);
    }
    return steps;
  }

  private List<Actor> actors(int thread, List<Step> steps) {
    List<Actor> actors = new ArrayList<>();
    int own = 1 + SHARED + thread;
    for (Step step : steps) {
      boolean last = actors.size() == length - 1;
      int begun = random.nextInt(3) == 0 ? own : begun(thread, last);
      actors.add(
          switch (step) {
            case ACQUIRE -> actor("acquire", own);
            case LOOK -> random.nextBoolean() ? actor("state") : actor("resize", pick(3, 4));
            case COMMAND ->
                random.nextInt(3) == 0
                    ? actor("reset")
                    : actor("transitionTo", pick(State.values()));
            case END -> actor("end", begun, outcome());
          });
    }
    return actors;
  }

  private void endedCalls(List<Actor> actors) {
    for (int i = random.nextInt(3); i > 0; i--) {
      actors.add(actor("acquire", 0));
      actors.add(actor("end", 0, pick(Outcome.SUCCESS, Outcome.FAILURE)));
    }
  }

  private void runningCalls(List<Actor> actors) {
    for (int i = random.nextInt(5); i >= 0; i--) {
      actors.add(actor("acquire", i));
    }
  }

  /**
   * A call that was begun before, each of one thread. There is one that two threads may end, but
   * only at their very end: who comes second does nothing, and does not wait until what the first
   * does is done.
   */
  private int begun(int thread, boolean last) {
    return last && threads == 2 && random.nextBoolean()
        ? CONTESTED
        : 1 + thread + threads * random.nextInt(SHARED / threads);
  }

  private Outcome outcome() {
    return pick(
        Outcome.SUCCESS,
        Outcome.SUCCESS,
        Outcome.FAILURE,
        Outcome.FAILURE,
        Outcome.IGNORED,
        Outcome.CANCELLED);
  }

  /**
   * What a call that meets an operator counts as is not one step with what comes of it: it may be
   * on time and still move nothing.
   */
  private List<Actor> after(boolean commands) {
    return List.of(
        actor("window"),
        actor("metrics"),
        actor(commands ? "state" : "late"),
        actor("pass", pick(0, 11, BreakerSettings.WAIT)),
        actor("acquire", 0),
        actor("acquire", 1));
  }

  private Actor actor(String name, Object... arguments) {
    Method method =
        Arrays.stream(operations.getMethods())
            .filter(m -> m.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return new Actor(method, List.of(arguments));
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
