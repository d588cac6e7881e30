/**
 * Apache HttpClient 5 under circuit breakers: handlers for the chains of its classic and its
 * asynchronous clients, by the table and the keys of an {@link dev.recloser.http.HttpGuard}.
 *
 * <p>Parameters and results are not null unless they say so.
 */
@NullMarked
package dev.recloser.httpclient5;

import org.jspecify.annotations.NullMarked;
