/**
 * Recloser for Micrometer: {@link dev.recloser.micrometer.PolicyMetrics} has meters of all
 * policies.
 */
@SuppressWarnings("requires-transitive-automatic")
module dev.recloser.micrometer {
  requires transitive dev.recloser;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports dev.recloser.micrometer;
}
