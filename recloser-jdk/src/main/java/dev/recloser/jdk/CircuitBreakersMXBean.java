package dev.recloser.jdk;

import java.util.List;

/** The breakers of a registry, in JMX. Times are in milliseconds; -1 stands for no limit. */
public interface CircuitBreakersMXBean {
  /** All breakers that can be read, by name: not those whose ticker throws. */
  List<BreakerInfo> getCircuitBreakers();

  /** How many breakers there are. */
  int getSize();

  /** The names of those that are open, half-open or forced open. */
  List<String> getRefusing();

  /**
   * Why a breaker is where it is, and what happens next.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  String explain(String name);

  /**
   * The last transitions of a breaker, the newest last: from, to, cause and reason of each.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  List<String> transitions(String name);

  /**
   * Puts a breaker into a state until somebody changes it.
   *
   * @param state {@code CLOSED}, {@code OPEN}, {@code HALF_OPEN}, {@code FORCED_OPEN}, {@code
   *     DISABLED} or {@code METRICS_ONLY}, in any case
   * @throws IllegalArgumentException when there is none of that name, or no such state
   */
  void transitionTo(String name, String state);

  /**
   * Puts a breaker into one of the operator's states for a time.
   *
   * @param state {@code FORCED_OPEN}, {@code DISABLED} or {@code METRICS_ONLY}
   * @param milliseconds how long, more than 0
   * @throws IllegalArgumentException when there is none of that name, or no such state or time
   */
  void transitionToFor(String name, String state, long milliseconds);

  /**
   * Closes a breaker and forgets its evidence; what it has counted stays.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  void reset(String name);
}
