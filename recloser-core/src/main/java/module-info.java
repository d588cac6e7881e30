/**
 * Recloser's core: the circuit breaker and the policies around it, the pipeline that orders them,
 * what they count, and what they tell.
 *
 * <p>It needs nothing but the base of the Java platform.
 */
module dev.recloser {
  requires static org.jspecify;

  exports dev.recloser;
  exports dev.recloser.spi;

  uses dev.recloser.spi.CallContext;
}
