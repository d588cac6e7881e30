package dev.recloser.config;

import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The name of a class of predicates, of which one is made. */
final class PredicateClass<T> implements Kind<Predicate<T>> {
  @Override
  public Form form() {
    return new Form("class", "full class name", "", Map.of("type", "string"));
  }

  @Override
  public @Nullable Predicate<T> read(String key, Value value, Problems problems) {
    String name = Kind.NAME.read(key, value, problems);
    if (name == null) {
      return null;
    }
    try {
      Object made = load(name).getConstructor().newInstance();
      if (made instanceof Predicate<?> predicate) {
        return unchecked(predicate);
      }
      problems.add(value.place(), key, name, "a class that is a java.util.function.Predicate");
    } catch (ClassNotFoundException e) {
      problems.add(value.place(), key, name, "the full name of a class that can be loaded");
    } catch (InvocationTargetException e) {
      String expected = "a class whose constructor does not throw; this one threw " + e.getCause();
      problems.add(value.place(), key, name, expected);
    } catch (ReflectiveOperationException | LinkageError e) {
      String expected = "a public class with a public constructor without parameters";
      problems.add(value.place(), key, name, expected);
    }
    return null;
  }

  private static Class<?> load(String name) throws ClassNotFoundException {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader own = PredicateClass.class.getClassLoader();
    return Class.forName(name, /* initialize= */ true, context == null ? own : context);
  }

  /** What it is a predicate of shows when it is used; one that throws then counts as a failure. */
  @SuppressWarnings("unchecked")
  private static <T> Predicate<T> unchecked(Predicate<?> predicate) {
    return (Predicate<T>) predicate;
  }
}
