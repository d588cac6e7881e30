/**
 * Recloser and Resilience4j 2.4.0 side by side.
 *
 * <p>{@code DifferentialTest} runs the same random traces through both and expects the same
 * admissions, states and windows, after the intended differences listed in {@link
 * dev.recloser.conformance.Translation} are accounted for. The tests named {@code …DifferencesTest}
 * show every intended difference on the smallest scenario that has it; {@code
 * docs/differences-from-resilience4j.md} explains them.
 */
@NullMarked
package dev.recloser.conformance;

import org.jspecify.annotations.NullMarked;
