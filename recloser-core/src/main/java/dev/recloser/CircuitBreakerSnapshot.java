package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A breaker at one moment. The parts that belong to one state are consistent with each other.
 *
 * @param breaker the name of the breaker
 * @param state its state
 * @param inStateFor how long it has been in it
 * @param window the calls it judges by: the live window while closed or {@code METRICS_ONLY}, the
 *     probes that have reported while half-open, what opened it while open, nothing in other states
 * @param remaining how long it stays unless something else happens: until the next call probes
 *     while open, until an operator's setting runs out; zero when the next call will end it, null
 *     for no limit
 * @param probesOut probes that have not reported yet
 * @param probesLeft probes that may still be admitted
 * @param admittedPercentage the share of the calls that is admitted: 100 while closed, less during
 *     the ramp-up, 0 in the open states and while half-open
 * @param openings how many times it has opened in a row; forgotten once it has been closed for the
 *     base wait
 * @param callsInFlight admitted calls that have not ended yet, whichever state admitted them
 */
public record CircuitBreakerSnapshot(
    String breaker,
    CircuitBreaker.State state,
    Duration inStateFor,
    WindowSnapshot window,
    @Nullable Duration remaining,
    int probesOut,
    int probesLeft,
    double admittedPercentage,
    int openings,
    long callsInFlight) {}
