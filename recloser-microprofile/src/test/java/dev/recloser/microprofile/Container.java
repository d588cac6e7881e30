package dev.recloser.microprofile;

import io.smallrye.config.SmallRyeConfigBuilder;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.lang.annotation.Annotation;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;

/** An application of a few classes, with its configuration; ends when it is closed. */
final class Container implements AutoCloseable {
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private final Config config;
  private final SeContainer container;

  private Container(Map<String, String> settings, Class<?>... classes) {
    // A loader of its own has a configuration of its own.
    Thread.currentThread().setContextClassLoader(new ClassLoader(before) {});
    config =
        new SmallRyeConfigBuilder().addDiscoveredConverters().withDefaultValues(settings).build();
    ConfigProviderResolver.instance()
        .registerConfig(config, Thread.currentThread().getContextClassLoader());
    try {
      container =
          SeContainerInitializer.newInstance()
              .disableDiscovery()
              .addExtensions(new FaultToleranceExtension())
              .addBeanClasses(classes)
              .initialize();
    } catch (Throwable failed) {
      end();
      throw failed;
    }
  }

  /** Starts an application. */
  static Container of(Class<?>... classes) {
    return new Container(Map.of(), classes);
  }

  /**
   * Starts an application with a configuration.
   *
   * @param settings keys and values, in turn
   */
  static Container configured(String[] settings, Class<?>... classes) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return new Container(all, classes);
  }

  <T> T get(Class<T> type, Annotation... qualifiers) {
    return container.select(type, qualifiers).get();
  }

  SeContainer container() {
    return container;
  }

  @Override
  public void close() {
    try {
      if (container.isRunning()) {
        container.close();
      }
    } finally {
      end();
    }
  }

  private void end() {
    ConfigProviderResolver.instance().releaseConfig(config);
    Thread.currentThread().setContextClassLoader(before);
  }
}
