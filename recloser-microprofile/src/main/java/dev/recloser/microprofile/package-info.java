/**
 * MicroProfile Fault Tolerance 4.1 by Recloser's policies.
 *
 * <p>A CDI container finds the extension by itself. The annotations, their configuration, their
 * order and their metrics are those of the <a
 * href="https://microprofile.io/specifications/fault-tolerance/">specification</a>; what is done is
 * done by the policies of {@link dev.recloser}, which are found in {@link dev.recloser.Policies}, a
 * bean, under the name of the class and the method, as {@code com.acme.Inventory/stock}. {@link
 * dev.recloser.microprofile.Guarded} takes a pipeline of one's own instead.
 */
@NullMarked
package dev.recloser.microprofile;

import org.jspecify.annotations.NullMarked;
