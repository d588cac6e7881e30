package dev.recloser.console;

import tools.jackson.core.JsonGenerator;

/**
 * What was seen at one moment. Two can be told apart without a history, so that nothing needs to be
 * kept for a reader but what it was told last. Immutable.
 *
 * @param <M> itself
 */
interface Moment<M extends Moment<M>> {
  /** Counts them. */
  long number();

  /** What is another than it was; everything is, if before there was nothing. */
  Difference since(M before);

  /** Of two moments. */
  interface Difference {
    boolean isNothing();

    /** Writes the members of an object. */
    void writeTo(JsonGenerator json);
  }

  /** Looks, for whoever watches. Thread-safe. */
  interface Source<M> {
    /** Before anything was seen. */
    M nothing();

    /** One for who begins to watch. */
    M recent();

    /** One for who goes on to. */
    M present();
  }
}
