/**
 * Recloser's configuration: circuit breakers described in YAML, properties and maps.
 *
 * <p>{@link dev.recloser.config.BreakerConfigs} is where to start.
 */
module dev.recloser.config {
  requires transitive dev.recloser;
  requires org.snakeyaml.engine;
  requires static org.jspecify;

  exports dev.recloser.config;
}
