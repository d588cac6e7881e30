package dev.recloser.microprofile;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A method of the bean that is called in place of the one that failed, with the same arguments.
 *
 * <p>It is looked for as the specification says: in the class that has the annotation, in its
 * superclasses and in their interfaces; with the same parameters and the same return type, as that
 * class sees them; and one that the class could call itself. What is called in the end is the
 * method of the object, which may override it.
 */
final class FallbackMethod implements FallbackPlan {
  private final Method method;

  private FallbackMethod(Method method) {
    this.method = method;
  }

  /**
   * Finds it.
   *
   * @param guarded the method that it stands in for
   * @param declaring the class that has the annotation
   * @param wrong told what is there instead, and what was expected
   * @return null if there is none
   */
  static @Nullable FallbackMethod find(
      Method guarded, Class<?> declaring, String name, BiConsumer<String, String> wrong) {
    List<Method> named =
        lineage(declaring).stream()
            .flatMap(type -> List.of(type.getDeclaredMethods()).stream())
            .filter(method -> method.getName().equals(name) && !method.isBridge())
            .toList();
    TypesSeen types = TypesSeen.from(declaring);
    List<Method> fitting =
        named.stream()
            .filter(
                method ->
                    types.areSame(
                        method.getGenericParameterTypes(), guarded.getGenericParameterTypes()))
            .toList();
    if (fitting.isEmpty()) {
      wrong.accept(
          named.isEmpty() ? "no such method" : described(named),
          "a method of "
              + declaring.getName()
              + ", its superclasses or interfaces with the parameters of "
              + described(List.of(guarded)));
      return null;
    }
    return check(guarded, declaring, fitting, types, wrong);
  }

  @Override
  public @Nullable Object answer(Call call, Throwable failure) throws Throwable {
    try {
      return method.invoke(call.target(), call.parameters());
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause() == null ? thrown : thrown.getCause();
    }
  }

  private static @Nullable FallbackMethod check(
      Method guarded,
      Class<?> declaring,
      List<Method> fitting,
      TypesSeen types,
      BiConsumer<String, String> wrong) {
    List<Method> accessible =
        fitting.stream().filter(method -> isAccessible(method, declaring)).toList();
    if (accessible.isEmpty()) {
      wrong.accept(described(fitting), "a method that can be called from " + declaring.getName());
      return null;
    }
    Method found = accessible.get(0);
    if (!types.isSame(found.getGenericReturnType(), guarded.getGenericReturnType())) {
      wrong.accept(
          found.getGenericReturnType().getTypeName() + " " + described(List.of(found)),
          "the return type " + guarded.getGenericReturnType().getTypeName());
      return null;
    }
    if (!found.trySetAccessible()) {
      wrong.accept(described(List.of(found)), "a method of a package that is open to this library");
      return null;
    }
    return new FallbackMethod(found);
  }

  /** The class, its superclasses, and then the interfaces of all of them. */
  private static Set<Class<?>> lineage(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      classes.add(c);
    }
    all.addAll(classes);
    classes.forEach(c -> addInterfaces(c, all));
    return all;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> all) {
    for (Class<?> parent : type.getInterfaces()) {
      all.add(parent);
      addInterfaces(parent, all);
    }
  }

  private static boolean isAccessible(Method method, Class<?> from) {
    int modifiers = method.getModifiers();
    if (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers)) {
      return true;
    }
    Class<?> owner = method.getDeclaringClass();
    return Modifier.isPrivate(modifiers)
        ? owner == from
        : owner.getPackageName().equals(from.getPackageName())
            && owner.getClassLoader() == from.getClassLoader();
  }

  private static String described(List<Method> methods) {
    return methods.stream().map(FallbackMethod::described).collect(Collectors.joining(" and "));
  }

  private static String described(Method method) {
    return method.getDeclaringClass().getName()
        + "."
        + method.getName()
        + List.of(method.getGenericParameterTypes()).stream()
            .map(Type::getTypeName)
            .collect(Collectors.joining(", ", "(", ")"));
  }
}
