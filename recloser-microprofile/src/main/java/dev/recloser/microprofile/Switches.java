package dev.recloser.microprofile;

import dev.recloser.microprofile.GuardedMethod.Stated;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.faulttolerance.Fallback;

/** What is switched off, read when the application starts. */
final class Switches {
  private static final String NON_FALLBACK = "MP_Fault_Tolerance_NonFallback_Enabled";
  private static final String METRICS = "MP_Fault_Tolerance_Metrics_Enabled";

  private final Config config;
  private final Problems problems;
  private final boolean others;

  Switches(Config config, Problems problems) {
    this.config = config;
    this.problems = problems;
    others = isOn(NON_FALLBACK).orElse(true);
  }

  boolean metrics() {
    return isOn(METRICS).orElse(true);
  }

  /** Whether an annotation is heeded for a method: what is said of the method comes first. */
  boolean isEnabled(GuardedMethod method, Stated<?> stated) {
    String name = stated.annotation().annotationType().getSimpleName();
    String type =
        stated.method() == null
            ? stated.type().getName()
            : method.method().getDeclaringClass().getName();
    String own =
        method.method().getDeclaringClass().getName()
            + "/"
            + method.method().getName()
            + "/"
            + name;
    for (String key : List.of(own, type + "/" + name, name)) {
      Optional<Boolean> said = isOn(key + "/enabled");
      if (said.isPresent()) {
        return said.get();
      }
    }
    return others || stated.annotation() instanceof Fallback;
  }

  private Optional<Boolean> isOn(String key) {
    return Booleans.of(config, key, problems);
  }
}
