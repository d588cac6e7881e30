package dev.recloser.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the objects that files name: beans of a container, and single instances of classes.
 *
 * <p>One is made of a class however often it is named, and kept when files are read again, so that
 * what has not been changed in a file is the same as before, and an executor does not get a twin.
 *
 * <p>Thread-safe, since watches may read the same files at once. No lock is held while beans and
 * constructors run; of two that were made of a class at once, all get the one that came first.
 */
final class NamedObjects {
  private static final String CLASS = "the full name of a class that can be loaded";
  private static final String BEAN_OR_CLASS = "the name of a bean, or " + CLASS;

  private final Function<? super String, ? extends @Nullable Object> beans;

  /** Whether there are beans at all, for the messages. */
  private final boolean haveBeans;

  private final Map<String, Object> made;

  /** Of this reading only, since a container may make beans without end. */
  private final Map<Object, String> names = Collections.synchronizedMap(new IdentityHashMap<>());

  private NamedObjects(
      @Nullable Function<? super String, ? extends @Nullable Object> beans,
      Map<String, Object> made) {
    this.beans = beans == null ? name -> null : beans;
    haveBeans = beans != null;
    this.made = made;
  }

  /**
   * Those of a container.
   *
   * @param beans null where there is none
   */
  static NamedObjects of(@Nullable Function<? super String, ? extends @Nullable Object> beans) {
    return new NamedObjects(beans, new ConcurrentHashMap<>());
  }

  /** Those of a container, which takes over what was made of classes. */
  NamedObjects with(@Nullable Function<? super String, ? extends @Nullable Object> beans) {
    return new NamedObjects(beans, made);
  }

  /**
   * The object of a name.
   *
   * @throws UnusableNameException if there is none of this type
   */
  Object find(String name, Class<?> type) throws UnusableNameException {
    Object found = bean(name);
    if (found == null) {
      found = ofClass(name, type);
    } else if (!type.isInstance(found)) {
      throw new UnusableNameException(
          "a bean that is a %s; this one is a %s"
              .formatted(type.getName(), found.getClass().getName()));
    }
    names.put(found, name);
    return found;
  }

  /** How an object was named; null if it was not. */
  @Nullable String nameOf(Object object) {
    return names.get(object);
  }

  private Object ofClass(String name, Class<?> type) throws UnusableNameException {
    Object present = made.get(name);
    if (type.isInstance(present)) {
      return present;
    }
    Object one = make(load(name), type);
    Object first = made.putIfAbsent(name, one);
    return first == null ? one : first;
  }

  private @Nullable Object bean(String name) throws UnusableNameException {
    try {
      return beans.apply(name);
    } catch (RuntimeException | LinkageError e) {
      throw new UnusableNameException("a bean that can be had; for this name came " + e);
    }
  }

  private Class<?> load(String name) throws UnusableNameException {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader own = NamedObjects.class.getClassLoader();
    try {
      return Class.forName(name, /* initialize= */ false, context == null ? own : context);
    } catch (ClassNotFoundException e) {
      throw new UnusableNameException(haveBeans ? BEAN_OR_CLASS : CLASS);
    } catch (LinkageError e) {
      throw new UnusableNameException(CLASS + "; this one gave " + e);
    }
  }

  /** Only of a class of the right type, since making one runs its code. */
  private static Object make(Class<?> found, Class<?> type) throws UnusableNameException {
    if (!type.isAssignableFrom(found)) {
      throw new UnusableNameException("a class that is a " + type.getName());
    }
    try {
      Constructor<?> constructor = found.getConstructor();
      return constructor.newInstance();
    } catch (InvocationTargetException e) {
      throw new UnusableNameException(
          "a class whose constructor does not throw; this one threw " + e.getCause());
    } catch (ExceptionInInitializerError e) {
      throw new UnusableNameException(
          "a class whose initialization does not throw; this one threw " + e.getCause());
    } catch (LinkageError e) {
      throw new UnusableNameException(CLASS + "; this one gave " + e);
    } catch (ReflectiveOperationException e) {
      throw new UnusableNameException(
          "a public class with a public constructor without parameters");
    }
  }
}
