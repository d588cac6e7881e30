package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Reading.Classes;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the circuit breakers of texts and maps, as {@link BreakerConfigs#load} does of files. */
final class Breakers {
  private Breakers() {}

  static BreakerConfigs yaml(String source, String text) {
    return yaml(source, text, builder -> {});
  }

  static BreakerConfigs yaml(
      String source, String text, Consumer<CircuitBreakerConfig.Builder> base) {
    return of(YamlSource.read(source, text, Layout.EXPECTED), base);
  }

  static BreakerConfigs properties(String source, String text) {
    return of(PropertiesSource.read(source, text), builder -> {});
  }

  static BreakerConfigs map(Map<String, ?> settings) {
    return of(List.of(MapSource.read(settings)), builder -> {});
  }

  private static BreakerConfigs of(
      List<Section> roots, Consumer<CircuitBreakerConfig.Builder> base) {
    return BreakerConfigs.of(roots, Classes.LOADED, base);
  }
}
