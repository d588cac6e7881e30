/**
 * Circuit breakers in the flight recorder, in JMX, and as lines of a log.
 *
 * <p>Parameters and results are not null unless they say so.
 */
@NullMarked
package dev.recloser.jdk;

import org.jspecify.annotations.NullMarked;
