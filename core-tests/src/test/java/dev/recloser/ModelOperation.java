package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens to a breaker. Means the same wherever it stands in a list of operations,
 * so that a list can be shortened: what it picks, it picks by share of what is there.
 */
sealed interface ModelOperation {
  /** Asks for admission, with or without an exception for a refusal. */
  record Acquire(boolean throwing) implements ModelOperation {}

  /** Ends one of the calls in flight, or one that has ended; 0 is the oldest and 1 the newest. */
  record End(double which, ModelEnding how, boolean again) implements ModelOperation {}

  /** Lets time pass. */
  record Advance(long nanos) implements ModelOperation {}

  /** Lets time pass up to about one of the moments at which something becomes different. */
  record AdvanceTo(double which, int offset) implements ModelOperation {}

  /** An operator's command. */
  record TransitionTo(State target, @Nullable Duration duration) implements ModelOperation {}

  /** An operator's reset. */
  record Reset() implements ModelOperation {}

  /** Draws one group of settings anew. */
  record Reconfigure(ModelSettings group, long seed) implements ModelOperation {}

  /**
   * Draws an operation.
   *
   * @param healthy whether nearly all calls succeed
   */
  static ModelOperation draw(RandomGenerator random, boolean healthy) {
    int dice = random.nextInt(100);
    if (dice < 36) {
      return new Acquire(random.nextBoolean());
    }
    if (dice < 68) {
      boolean fine = healthy && random.nextInt(10) > 0;
      ModelEnding how = fine ? ModelEnding.FINE : ModelSettings.pick(random, ModelEnding.values());
      return new End(share(random), how, random.nextInt(10) == 0);
    }
    if (dice < 80) {
      return new Advance(nanos(random));
    }
    if (dice < 93) {
      return new AdvanceTo(share(random), random.nextInt(-1, 2));
    }
    if (dice < 97) {
      return transition(random);
    }
    return dice < 98
        ? new Reset()
        : new Reconfigure(
            ModelSettings.pick(random, ModelSettings.values()), random.nextLong(1_000_000));
  }

  private static ModelOperation transition(RandomGenerator random) {
    State target = ModelSettings.pick(random, State.values());
    boolean lasting = target == State.CLOSED || target == State.HALF_OPEN || random.nextBoolean();
    return new TransitionTo(target, lasting ? null : Duration.ofNanos(1 + nanos(random)));
  }

  /** Often one of the ends. */
  private static double share(RandomGenerator random) {
    return ModelSettings.pick(random, 0.0, 1.0, random.nextDouble(), random.nextDouble());
  }

  private static long nanos(RandomGenerator random) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> random.nextLong(100 * ModelSettings.MS);
      default -> random.nextLong(6 * ModelSettings.MS);
    };
  }
}
