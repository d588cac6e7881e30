/**
 * Recloser's core: the circuit breaker, what it counts, and what it tells.
 *
 * <p>It needs nothing but the base of the Java platform.
 */
module dev.recloser {
  requires static org.jspecify;

  exports dev.recloser;
  exports dev.recloser.spi;

  uses dev.recloser.spi.CallContext;
}
