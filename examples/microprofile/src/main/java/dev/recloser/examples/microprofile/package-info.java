/** A small service with the annotations of MicroProfile Fault Tolerance. */
@NullMarked
package dev.recloser.examples.microprofile;

import org.jspecify.annotations.NullMarked;
