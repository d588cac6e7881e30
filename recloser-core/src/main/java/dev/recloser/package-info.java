/**
 * The circuit breaker, the policies that belong around it, and the pipeline that orders them.
 *
 * <h2>The idea</h2>
 *
 * A slow or failing dependency holds its callers' threads, connections and deadlines. A {@link
 * dev.recloser.CircuitBreaker} stands before the calls to one dependency, watches how they end, and
 * refuses further ones while the evidence is bad. After a wait it lets a few through as
 * <em>probes</em>, and by what they report it closes or opens again.
 *
 * <h2>The words</h2>
 *
 * <ul>
 *   <li>A call that is admitted holds a {@link dev.recloser.Permit}, which reports once how the
 *       call ended: one of four {@linkplain dev.recloser.Outcome outcomes}, judged by a {@link
 *       dev.recloser.Classifier}.
 *   <li>Successes and failures enter a <em>window</em>, of the last calls or of the last time. When
 *       it holds enough calls, the <em>failure rate</em> and the <em>slow-call rate</em> are
 *       compared with their thresholds.
 *   <li>A call is <em>slow</em> when it takes longer than a limit, and counts as such from the
 *       moment it passes it.
 *   <li>A result is <em>late</em> when the state that admitted its call has passed; it is counted
 *       and moves nothing.
 *   <li>A probe has a <em>lease</em>: if it has not reported by then, it counts as failed.
 * </ul>
 *
 * <h2>Where to look</h2>
 *
 * {@link dev.recloser.CircuitBreakerConfig.Builder} explains each setting, {@link
 * dev.recloser.CircuitBreaker#explain()} what a breaker is doing, {@link
 * dev.recloser.CircuitBreakerEvent} what it tells, {@link dev.recloser.CircuitBreakerMetrics} what
 * it counts, and {@link dev.recloser.CircuitBreakerRegistry} keeps many of them.
 *
 * <h2>The policies</h2>
 *
 * A breaker is one {@link dev.recloser.Policy} of several. Each can be used alone; a {@link
 * dev.recloser.Pipeline} puts them around calls in an order that it can describe, outermost first.
 * The order that is right for most is that of this list:
 *
 * <ul>
 *   <li>A {@link dev.recloser.Fallback} answers for calls that were refused or failed, and marks
 *       the {@link dev.recloser.Answer}.
 *   <li>A {@link dev.recloser.Retry} makes a failed call again, as far as its {@link
 *       dev.recloser.RetryBudget} allows.
 *   <li>A {@link dev.recloser.Hedge} makes a slow call again while the first attempt goes on.
 *   <li>A {@link dev.recloser.CircuitBreaker} stops calls that would fail.
 *   <li>A {@link dev.recloser.RateLimiter} lets through so many calls in a time.
 *   <li>A {@link dev.recloser.Bulkhead} lets only so many run at once.
 *   <li>A {@link dev.recloser.Timeout} ends calls that take too long.
 * </ul>
 *
 * All have the same shape: {@code create} with settings, {@code config}, {@code metrics}, {@code
 * explain}, {@code on} for their {@linkplain dev.recloser.PolicyEvent events}, {@code reconfigure}
 * while they run, and a registry that makes them by name; {@link dev.recloser.Policies} holds one
 * of each. What a policy turns away ends with a {@link dev.recloser.CallRejectedException}, which
 * says who refused and when to try again. A {@link dev.recloser.Deadline} is known to all policies
 * on the way of a call.
 *
 * <h2>Promises</h2>
 *
 * Records and events of this package are made by the library only, and may gain components with a
 * minor version, as the sealed events may gain kinds: read them by their accessors, and do not
 * construct them, take them apart by pattern, or switch over them without a default.
 *
 * <p>Time comes from a {@link dev.recloser.Ticker} and, where things shall happen without a call, a
 * {@link dev.recloser.Scheduler}; both can be handed in. Parameters and results are not null unless
 * they say so.
 */
@NullMarked
package dev.recloser;

import org.jspecify.annotations.NullMarked;
