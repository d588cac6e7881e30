package dev.recloser.test;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Makes breakers that live on one {@link FakeTime}, in any state, and remembers them.
 *
 * <pre>{@code
 * Breakers breakers = Breakers.on(time);
 * CircuitBreaker healthy = breakers.create("inventory");
 * CircuitBreaker down = breakers.inState(State.OPEN, "payments");
 * CircuitBreaker asInProduction = breakers.create("shipping", productionConfig);
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Breakers {
  private final FakeTime time;
  private final List<CircuitBreaker> breakers = new CopyOnWriteArrayList<>();

  private Breakers(FakeTime time) {
    this.time = time;
  }

  /** Returns a maker of breakers that read this time and set their timers on it. */
  public static Breakers on(FakeTime time) {
    return new Breakers(Objects.requireNonNull(time, "time"));
  }

  /**
   * Makes a closed breaker with the default settings and with timers.
   *
   * @param name what it is called; not blank
   * @throws IllegalArgumentException when the name is blank
   */
  public CircuitBreaker create(String name) {
    return create(name, settings -> {});
  }

  /**
   * Makes a closed breaker with timers.
   *
   * @param name what it is called; not blank
   * @param settings sets what shall differ from the defaults; a ticker or a scheduler is replaced
   * @throws IllegalArgumentException when the name is blank
   * @throws dev.recloser.InvalidConfigurationException when settings are wrong; lists them all
   */
  public CircuitBreaker create(
      String name, Consumer<? super CircuitBreakerConfig.Builder> settings) {
    return create(name, CircuitBreakerConfig.of(settings).with(config -> config.scheduler(time)));
  }

  /**
   * Makes a closed breaker with settings that were not made for a test. Its ticker is replaced, and
   * so is its scheduler if it has one; without, it acts when it is called, as it would elsewhere.
   *
   * @param name what it is called; not blank
   * @param config its settings
   * @throws IllegalArgumentException when the name is blank
   */
  public CircuitBreaker create(String name, CircuitBreakerConfig config) {
    boolean timers = config.scheduler() != null;
    CircuitBreakerConfig onFakeTime =
        config.with(fake -> (timers ? fake.scheduler(time) : fake).ticker(time));
    return watch(CircuitBreaker.create(name, onFakeTime));
  }

  /**
   * Makes a breaker with the default settings and with timers, and puts it into a state.
   *
   * @param state the state it shall be in
   * @param name what it is called; not blank
   * @throws IllegalArgumentException when the name is blank
   */
  public CircuitBreaker inState(CircuitBreaker.State state, String name) {
    return inState(state, name, settings -> {});
  }

  /**
   * Makes a breaker with timers, and puts it into a state. It gets there as by an operator, so that
   * neither time nor its counts have moved; from then on it does what it always does.
   *
   * @param state the state it shall be in
   * @param name what it is called; not blank
   * @param settings sets what shall differ from the defaults; a ticker or a scheduler is replaced
   * @throws IllegalArgumentException when the name is blank
   * @throws dev.recloser.InvalidConfigurationException when settings are wrong; lists them all
   * @throws IllegalStateException when the breaker does not stay in the state, because of a health
   *     check that gives its verdict at once
   */
  public CircuitBreaker inState(
      CircuitBreaker.State state,
      String name,
      Consumer<? super CircuitBreakerConfig.Builder> settings) {
    CircuitBreaker breaker = create(name, settings);
    breaker.transitionTo(state);
    if (breaker.state() != state) {
      throw new IllegalStateException(
          name + ": " + breaker.state() + " (expected: " + state + "); " + breaker.explain());
    }
    return breaker;
  }

  /**
   * Remembers a breaker that was made elsewhere, by a registry for example: {@code
   * registry.onAdded(breakers::watch)}.
   *
   * @return the same breaker
   */
  public CircuitBreaker watch(CircuitBreaker breaker) {
    breakers.add(Objects.requireNonNull(breaker, "breaker"));
    return breaker;
  }

  /** The breakers made or watched so far, in that order. An immutable copy. */
  public List<CircuitBreaker> all() {
    return List.copyOf(breakers);
  }

  /**
   * Checks that every call that one of the breakers has admitted has ended.
   *
   * @throws AssertionError when a permit has been left out; names each breaker and the number of
   *     its calls
   */
  public void assertNoCallsInFlight() {
    List<String> faults =
        breakers.stream()
            .filter(breaker -> breaker.snapshot().callsInFlight() != 0)
            .map(breaker -> breaker.name() + ": " + breaker.snapshot().callsInFlight())
            .toList();
    if (!faults.isEmpty()) {
      throw new AssertionError(
          "calls in flight of "
              + String.join(", ", faults)
              + " (expected: none; complete or close every permit)");
    }
  }
}
