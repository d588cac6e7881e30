package dev.recloser.microprofile;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Unmanaged;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
import org.jspecify.annotations.Nullable;

/**
 * A handler that is asked for an answer: the bean of its class, in the scope that this has; or,
 * where the class is no bean, an object for one answer, with what it wants injected.
 */
final class FallbackBean implements FallbackPlan {
  private static final Map<Class<?>, Class<?>> BOXES =
      Map.of(
          boolean.class, Boolean.class,
          byte.class, Byte.class,
          char.class, Character.class,
          double.class, Double.class,
          float.class, Float.class,
          int.class, Integer.class,
          long.class, Long.class,
          short.class, Short.class,
          void.class, Void.class);

  private final BeanManager beans;
  private final Class<? extends FallbackHandler<?>> type;
  private final @Nullable Bean<?> bean;

  FallbackBean(BeanManager beans, Class<? extends FallbackHandler<?>> type) {
    this.beans = beans;
    this.type = type;
    Set<Bean<?>> own =
        beans.getBeans(type).stream()
            .filter(candidate -> candidate.getBeanClass() == type)
            .collect(Collectors.toSet());
    bean = own.isEmpty() ? null : beans.resolve(own);
  }

  /** What a handler's answers are, as the method sees it; null where it does not say. */
  static @Nullable Type answerOf(Class<?> handler) {
    TypesSeen types = TypesSeen.from(handler);
    Type answer = types.meaningOf(FallbackHandler.class.getTypeParameters()[0]);
    return answer instanceof Class<?> || answer instanceof ParameterizedType ? answer : null;
  }

  /** Whether a handler's answers are what a method returns. */
  static boolean fits(Class<?> handler, Method method, Class<?> declaring) {
    Type answer = answerOf(handler);
    Type returned = TypesSeen.from(declaring).meaningOf(method.getGenericReturnType());
    Type boxed = returned instanceof Class<?> plain ? BOXES.getOrDefault(plain, plain) : returned;
    return answer == null || TypesSeen.from(declaring).isSame(answer, boxed);
  }

  @Override
  public @Nullable Object answer(Call call, Throwable failure) throws Throwable {
    return bean == null ? ofUnmanaged(call, failure) : ofBean(bean, call, failure);
  }

  private @Nullable Object ofBean(Bean<?> known, Call call, Throwable failure) {
    CreationalContext<?> creation = beans.createCreationalContext(known);
    try {
      FallbackHandler<?> handler = (FallbackHandler<?>) beans.getReference(known, type, creation);
      return handler.handle(call.executionContext(failure));
    } finally {
      if (known.getScope() == Dependent.class) {
        creation.release();
      }
    }
  }

  private @Nullable Object ofUnmanaged(Call call, Throwable failure) {
    Unmanaged.UnmanagedInstance<? extends FallbackHandler<?>> instance =
        new Unmanaged<>(beans, type).newInstance();
    FallbackHandler<?> handler = instance.produce().inject().postConstruct().get();
    try {
      return handler.handle(call.executionContext(failure));
    } finally {
      var unused = instance.preDestroy().dispose();
    }
  }
}
