package dev.recloser.microprofile;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import org.eclipse.microprofile.faulttolerance.Asynchronous;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A method of a bean with the annotations that hold for it: its own, or else those of the class.
 *
 * @param bean the class of the bean, which may be a subclass of the one that has the method
 */
record GuardedMethod(Class<?> bean, Method method, Annotations onMethod, Annotations onClass) {
  /** The annotations of the specification. */
  static final List<Class<? extends Annotation>> SPECIFIED =
      List.of(
          Asynchronous.class,
          Bulkhead.class,
          CircuitBreaker.class,
          Fallback.class,
          Retry.class,
          Timeout.class);

  /** One that no extension has seen. */
  static GuardedMethod reflected(Class<?> bean, Method method) {
    return new GuardedMethod(bean, method, Annotations.of(method), Annotations.of(bean));
  }

  /** Whether anything is to be done around it. */
  boolean isGuarded() {
    return stated(Guarded.class) != null
        || SPECIFIED.stream().anyMatch(type -> stated(type) != null);
  }

  /** The annotation of a type that holds, with where it stands; null if there is none. */
  <A extends Annotation> @Nullable Stated<A> stated(Class<A> type) {
    A own = onMethod.find(type);
    if (own != null) {
      return new Stated<>(own, method.getDeclaringClass(), method.getName());
    }
    A ofClass = onClass.find(type);
    return ofClass == null ? null : new Stated<>(ofClass, declaring(type), /* method= */ null);
  }

  /** What it is called in messages. */
  String described() {
    return bean.getName() + "." + method.getName();
  }

  /** The class of the bean's that has the annotation, which the bean may have inherited. */
  private Class<?> declaring(Class<? extends Annotation> type) {
    for (Class<?> c = bean; c != null; c = c.getSuperclass()) {
      if (c.getDeclaredAnnotation(type) != null) {
        return c;
      }
    }
    return bean; // An extension has put it there.
  }

  /**
   * An annotation where it stands, which is where its configuration refers to.
   *
   * @param type the class that has it, or whose method has it
   * @param method the name of the method; null if the class has it
   */
  record Stated<A extends Annotation>(A annotation, Class<?> type, @Nullable String method) {}
}
