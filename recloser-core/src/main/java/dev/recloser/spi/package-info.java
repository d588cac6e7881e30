/** What others plug in: the contexts that go with a call from one thread to another. */
@NullMarked
package dev.recloser.spi;

import org.jspecify.annotations.NullMarked;
