package dev.recloser.microprofile;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Types as they are seen from a class, whose superclasses and interfaces say what the variables of
 * theirs stand for.
 */
final class TypesSeen {
  private final Map<TypeVariable<?>, Type> meaning = new HashMap<>();

  private TypesSeen() {}

  static TypesSeen from(Class<?> type) {
    TypesSeen seen = new TypesSeen();
    seen.addParents(type);
    return seen;
  }

  /** Whether both are the same here. */
  boolean isSame(Type one, Type other) {
    Type a = meaningOf(one);
    Type b = meaningOf(other);
    if (a.equals(b)) {
      return true;
    }
    if (a instanceof ParameterizedType p && b instanceof ParameterizedType q) {
      return p.getRawType().equals(q.getRawType())
          && areSame(p.getActualTypeArguments(), q.getActualTypeArguments());
    }
    if (a instanceof WildcardType v && b instanceof WildcardType w) {
      return areSame(v.getUpperBounds(), w.getUpperBounds())
          && areSame(v.getLowerBounds(), w.getLowerBounds());
    }
    if (a instanceof TypeVariable<?> v && b instanceof TypeVariable<?> w) {
      return isSameOfMethods(v, w);
    }
    Type c = componentOf(a);
    Type d = componentOf(b);
    return c != null && d != null && isSame(c, d);
  }

  /** Whether all are the same here, in their order. */
  boolean areSame(Type[] some, Type[] others) {
    if (some.length != others.length) {
      return false;
    }
    for (int i = 0; i < some.length; i++) {
      if (!isSame(some[i], others[i])) {
        return false;
      }
    }
    return true;
  }

  /** What a variable stands for; the type itself if it is none, or if that is not known. */
  Type meaningOf(Type type) {
    Type known = type;
    while (known instanceof TypeVariable<?> variable && meaning.containsKey(variable)) {
      known = meaning.get(variable);
    }
    return known;
  }

  private void addParents(@Nullable Class<?> type) {
    if (type == null) {
      return;
    }
    add(type.getGenericSuperclass());
    addParents(type.getSuperclass());
    for (Type parent : type.getGenericInterfaces()) {
      add(parent);
    }
    for (Class<?> parent : type.getInterfaces()) {
      addParents(parent);
    }
  }

  private void add(@Nullable Type parent) {
    if (parent instanceof ParameterizedType known) {
      TypeVariable<?>[] variables = ((Class<?>) known.getRawType()).getTypeParameters();
      for (int i = 0; i < variables.length; i++) {
        meaning.putIfAbsent(variables[i], known.getActualTypeArguments()[i]);
      }
    }
  }

  /** Variables that methods declare themselves are the same by their place. */
  private static boolean isSameOfMethods(TypeVariable<?> one, TypeVariable<?> other) {
    return one.getGenericDeclaration() instanceof Method
        && other.getGenericDeclaration() instanceof Method
        && placeOf(one) == placeOf(other)
        && Arrays.equals(one.getBounds(), other.getBounds());
  }

  private static int placeOf(TypeVariable<?> variable) {
    return Arrays.asList(variable.getGenericDeclaration().getTypeParameters()).indexOf(variable);
  }

  private static @Nullable Type componentOf(Type type) {
    if (type instanceof GenericArrayType array) {
      return array.getGenericComponentType();
    }
    return type instanceof Class<?> array ? array.getComponentType() : null;
  }
}
