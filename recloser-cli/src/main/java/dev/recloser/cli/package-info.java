/** The {@code recloser} command. */
@NullMarked
package dev.recloser.cli;

import org.jspecify.annotations.NullMarked;
