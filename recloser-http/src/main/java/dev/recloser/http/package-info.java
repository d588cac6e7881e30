/**
 * HTTP calls under circuit breakers: what an answer means, which breaker a request belongs to, and
 * what a server says when one of its own calls was refused.
 *
 * <pre>{@code
 * HttpGuard guard = HttpGuard.create(calls -> calls
 *     .circuitBreaker(config -> config.slowCallDurationThreshold(Duration.ofMillis(150)))
 *     .retry(config -> config.maxAttempts(3)));
 *
 * HttpClient client = guard.client(HttpClient.newHttpClient());
 * }</pre>
 *
 * <h2>Where to look</h2>
 *
 * <ul>
 *   <li>{@link dev.recloser.http.HttpGuard} holds what belongs together: a {@link
 *       dev.recloser.http.HttpKey} that names the dependency of a request, the breakers, the table,
 *       and {@linkplain dev.recloser.http.CallEnd when a call ends}. It makes a guarded JDK client,
 *       and guards the calls of any other by hand.
 *   <li>{@link dev.recloser.http.HttpOutcomes} is the table: what a status, a header, a body or an
 *       exception says about the dependency.
 *   <li>{@link dev.recloser.http.RetryAfterHeader} finds out how long a server wants to be left
 *       alone.
 *   <li>{@link dev.recloser.http.RefusalResponse} is what a server answers when a call that it
 *       needed was refused, and {@link dev.recloser.http.RefusalFilter} makes a servlet container
 *       do so.
 * </ul>
 *
 * <p>Parameters and results are not null unless they say so.
 */
@NullMarked
package dev.recloser.http;

import org.jspecify.annotations.NullMarked;
