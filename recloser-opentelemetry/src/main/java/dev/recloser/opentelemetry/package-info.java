/**
 * Metrics and spans of breakers and other policies for OpenTelemetry: {@link
 * dev.recloser.opentelemetry.PolicyTelemetry}.
 *
 * <p>Parameters and results are not null unless they say so.
 */
@NullMarked
package dev.recloser.opentelemetry;

import org.jspecify.annotations.NullMarked;
