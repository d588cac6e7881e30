/**
 * Recloser's lab: what a configuration would have done to recorded calls.
 *
 * <p>It runs the real breaker, on simulated time.
 */
module dev.recloser.lab {
  requires transitive dev.recloser;
  requires dev.recloser.http;
  requires static org.jspecify;
  requires tools.jackson.core;

  exports dev.recloser.lab;
}
