package dev.recloser.config;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.InvalidConfigurationException.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is wrong with the settings of a policy that is made in several pieces, told together. */
final class FaultList {
  private final List<Fault> faults = new ArrayList<>();

  /**
   * Makes a piece; null if its settings are wrong, which is then added.
   *
   * @param keys what settings are called in a file, where that is not what the piece calls them
   */
  <C> @Nullable C make(Supplier<C> piece, Map<String, String> keys) {
    try {
      return piece.get();
    } catch (InvalidConfigurationException e) {
      e.faults().stream().map(fault -> asWritten(fault, keys)).forEach(faults::add);
      return null;
    }
  }

  void check(boolean right, String setting, Object value, String expected) {
    if (!right) {
      faults.add(new Fault(setting, String.valueOf(value), expected));
    }
  }

  void throwIfAny(String subject) {
    if (!faults.isEmpty()) {
      throw new InvalidConfigurationException(subject, faults);
    }
  }

  private static Fault asWritten(Fault fault, Map<String, String> keys) {
    String key = keys.getOrDefault(fault.setting(), fault.setting());
    return new Fault(key, fault.value(), fault.expected());
  }
}
