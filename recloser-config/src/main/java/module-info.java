/**
 * Recloser's configuration: policies and pipelines described in YAML, properties and maps.
 *
 * <p>{@link dev.recloser.config.PolicyConfigs} is where to start, and {@link
 * dev.recloser.config.BreakerConfigs} where there are only circuit breakers.
 */
module dev.recloser.config {
  requires transitive dev.recloser;
  requires org.snakeyaml.engine;
  requires static org.jspecify;

  exports dev.recloser.config;
}
