package dev.recloser.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A function or another object that cannot be written but named: by the name of a bean, or by that
 * of a class of which one is made.
 *
 * @param <T> what it is
 */
final class NamedObject<T> implements Kind<T> {
  private final Class<?> type;

  private NamedObject(Class<?> type) {
    this.type = type;
  }

  /** An object of a type whose parameters, if it has any, show when it is used. */
  static <T> NamedObject<T> of(Class<?> type) {
    return new NamedObject<>(type);
  }

  @Override
  public Form form() {
    return new Form("named", "name of a bean or class", "", Map.of("type", "string"));
  }

  @Override
  public @Nullable T read(String key, Value value, Reading reading) {
    String name = Kind.NAME.read(key, value, reading);
    if (name == null) {
      return null;
    }
    try {
      return unchecked(reading.objects().find(name, type));
    } catch (UnusableNameException e) {
      reading.problems().add(value.place(), key, name, e.expected());
      return null;
    }
  }

  /**
   * Of which type it is has been checked, but not with which parameters. One that does not fit
   * throws when it is used, as any user's code may.
   */
  @SuppressWarnings("unchecked")
  private T unchecked(Object object) {
    return (T) object;
  }
}
