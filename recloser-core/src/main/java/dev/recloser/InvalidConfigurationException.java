package dev.recloser;

import java.util.List;
import java.util.stream.Collectors;

/** Settings that are wrong or contradict each other; lists every fault found, not the first. */
public final class InvalidConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<Fault> faults;

  /**
   * Creates one.
   *
   * @param subject what is configured, for the first line of the message
   * @param faults at least one
   */
  public InvalidConfigurationException(String subject, List<Fault> faults) {
    super(
        faults.stream()
            .map(fault -> "\n  - " + fault)
            .collect(Collectors.joining("", subject + " cannot be configured like this:", "")));
    this.faults = List.copyOf(faults);
  }

  /** The faults, in the order of the settings. Empty after deserialization. */
  public List<Fault> faults() {
    return faults == null ? List.of() : faults;
  }

  /**
   * One wrong setting.
   *
   * @param setting its name
   * @param value the value given, as text
   * @param expected what would have been right
   */
  public record Fault(String setting, String value, String expected) {
    /**
     * Makes the fault of settings that were given together with what makes policies by their names,
     * which have settings already.
     *
     * @param setting the name of the settings, {@code circuitBreaker} for example
     * @param byName the name of the other, {@code circuitBreakers} for example
     */
    public static Fault both(String setting, String byName) {
      return new Fault(
          setting, "set, and " + byName + " as well", "one of them: those have settings already");
    }

    @Override
    public String toString() {
      return setting + ": " + value + " (expected: " + expected + ")";
    }
  }
}
