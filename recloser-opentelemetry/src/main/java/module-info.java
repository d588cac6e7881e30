/**
 * Recloser for OpenTelemetry: {@link dev.recloser.opentelemetry.PolicyTelemetry} has metrics of all
 * policies, and spans.
 */
@SuppressWarnings("requires-transitive-automatic")
module dev.recloser.opentelemetry {
  requires transitive dev.recloser;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.context;
  requires static org.jspecify;

  exports dev.recloser.opentelemetry;
}
