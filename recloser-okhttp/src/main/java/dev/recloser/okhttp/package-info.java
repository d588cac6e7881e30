/**
 * OkHttp under circuit breakers: {@link dev.recloser.okhttp.GuardInterceptor}, by the table and the
 * keys of an {@link dev.recloser.http.HttpGuard}.
 *
 * <p>Parameters and results are not null unless they say so.
 */
@NullMarked
package dev.recloser.okhttp;

import org.jspecify.annotations.NullMarked;
