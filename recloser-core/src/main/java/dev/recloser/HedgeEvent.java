package dev.recloser;

import java.time.Duration;

/** Something that happened to a {@link Hedge}. */
public sealed interface HedgeEvent extends PolicyEvent {
  /**
   * Another attempt of a call is being made while those before go on.
   *
   * @param policy the name of the hedge
   * @param attempt its number, from 2
   * @param delay how long the one before had
   */
  record Hedged(String policy, int attempt, Duration delay) implements HedgeEvent {}

  /**
   * An attempt other than the first has succeeded first.
   *
   * @param policy the name of the hedge
   * @param attempt its number, from 2
   */
  record Won(String policy, int attempt) implements HedgeEvent {}
}
