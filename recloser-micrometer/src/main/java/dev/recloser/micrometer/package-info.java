/**
 * Meters of breakers and other policies for Micrometer: {@link
 * dev.recloser.micrometer.PolicyMetrics}.
 *
 * <p>Parameters and results are not null unless they say so.
 */
@NullMarked
package dev.recloser.micrometer;

import org.jspecify.annotations.NullMarked;
