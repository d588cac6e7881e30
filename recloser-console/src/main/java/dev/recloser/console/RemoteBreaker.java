package dev.recloser.console;

import dev.recloser.CircuitBreaker.State;
import org.jspecify.annotations.Nullable;

/**
 * What an instance tells of a breaker, as far as the fleet's page needs it.
 *
 * @param remainingNanos null for no limit
 */
record RemoteBreaker(
    String name,
    State state,
    long inStateForNanos,
    @Nullable Long remainingNanos,
    double admittedPercentage,
    int openings,
    long transitions,
    long callsInFlight,
    Counts counts) {}
