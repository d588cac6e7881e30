/**
 * Claims about the core under concurrency, each with the code of two threads that would break it,
 * run by jcstress.
 *
 * <p>A class states one claim. What is nested in it are tests; those that begin with {@code Wrong}
 * run a few lines of naive code instead of the core, and must fail: they show that the outcome that
 * is forbidden would be seen.
 */
@NullMarked
package dev.recloser.stress;

import org.jspecify.annotations.NullMarked;
