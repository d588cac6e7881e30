package dev.recloser.microprofile;

import dev.recloser.Policies;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.BeforeShutdown;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.Interceptor;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.faulttolerance.exceptions.FaultToleranceDefinitionException;
import org.jspecify.annotations.Nullable;

/**
 * Brings MicroProfile Fault Tolerance into a CDI container, which finds it by itself; there is
 * nothing in it to call.
 *
 * <p>It binds one interceptor to the annotations, checks all annotated methods and their
 * configuration when the application has been deployed, and ends what belongs to the application
 * with it. The registries of the policies are a bean: {@link Policies}.
 */
public class FaultToleranceExtension implements Extension {
  private static final String PRIORITY = "mp.fault.tolerance.interceptor.priority";
  private static final int DEFAULT_PRIORITY =
      jakarta.interceptor.Interceptor.Priority.PLATFORM_AFTER + 10;

  private final List<GuardedMethod> methods = new ArrayList<>();
  private final Problems problems = new Problems();

  /** Written when the application has been deployed, before its first call. */
  private volatile @Nullable Application application;

  /** Made by the container. */
  public FaultToleranceExtension() {}

  void bind(@Observes BeforeBeanDiscovery event) {
    GuardedMethod.SPECIFIED.forEach(
        type ->
            event.configureInterceptorBinding(type).add(FaultToleranceBinding.Literal.INSTANCE));
    event
        .addAnnotatedType(
            FaultToleranceInterceptor.class, FaultToleranceInterceptor.class.getName())
        .add(new PriorityLiteral(priority()));
  }

  <T> void collect(@Observes ProcessManagedBean<T> event) {
    if (event.getBean() instanceof Interceptor) {
      return;
    }
    AnnotatedType<T> type = event.getAnnotatedBeanClass();
    for (AnnotatedMethod<? super T> method : type.getMethods()) {
      if (!isBusinessMethod(method) || isOverridden(method, type)) {
        continue;
      }
      GuardedMethod guarded =
          new GuardedMethod(
              event.getBean().getBeanClass(),
              method.getJavaMember(),
              Annotations.of(method),
              Annotations.of(type));
      if (guarded.isGuarded()) {
        methods.add(guarded);
      }
    }
  }

  void addRegistries(@Observes AfterBeanDiscovery event) {
    event
        .<Policies>addBean()
        .beanClass(FaultToleranceExtension.class)
        .types(Policies.class, Object.class)
        .scope(Singleton.class)
        .produceWith(beans -> application().policies());
  }

  void start(@Observes AfterDeploymentValidation event, BeanManager beans) {
    application = new Application(beans, methods, problems);
    methods.clear();
    FaultToleranceDefinitionException wrong = problems.takeException();
    if (wrong != null) {
      event.addDeploymentProblem(wrong);
      stop();
    }
  }

  /** While there are still the beans that the calls use. */
  void stop(@Observes @BeforeDestroyed(ApplicationScoped.class) Object event) {
    stop();
  }

  void stop(@Observes BeforeShutdown event) {
    stop();
  }

  Application application() {
    return Objects.requireNonNull(application, "The application has not been deployed yet");
  }

  private void stop() {
    Application started = application;
    if (started != null) {
      started.close();
    }
  }

  private int priority() {
    try {
      return ConfigProvider.getConfig()
          .getOptionalValue(PRIORITY, Integer.class)
          .orElse(DEFAULT_PRIORITY);
    } catch (IllegalArgumentException e) {
      String value = ConfigProvider.getConfig().getConfigValue(PRIORITY).getRawValue();
      problems.add(PRIORITY, String.valueOf(value), "a number, as Integer");
      return DEFAULT_PRIORITY;
    }
  }

  /** Whether calls of it come by the interceptor. */
  private static boolean isBusinessMethod(AnnotatedMethod<?> method) {
    int modifiers = method.getJavaMember().getModifiers();
    return !Modifier.isStatic(modifiers)
        && !Modifier.isPrivate(modifiers)
        && !method.getJavaMember().isSynthetic()
        && method.getJavaMember().getDeclaringClass() != Object.class
        && !method.isAnnotationPresent(PostConstruct.class)
        && !method.isAnnotationPresent(PreDestroy.class);
  }

  /** Whether a class further down has another one in its place, which is what is called. */
  private static boolean isOverridden(AnnotatedMethod<?> method, AnnotatedType<?> type) {
    Method own = method.getJavaMember();
    return type.getMethods().stream()
        .map(AnnotatedMethod::getJavaMember)
        .anyMatch(
            other ->
                other.getName().equals(own.getName())
                    && other.getDeclaringClass() != own.getDeclaringClass()
                    && own.getDeclaringClass().isAssignableFrom(other.getDeclaringClass())
                    && Arrays.equals(other.getParameterTypes(), own.getParameterTypes()));
  }

  private static final class PriorityLiteral extends AnnotationLiteral<Priority>
      implements Priority {
    private static final long serialVersionUID = 1L;
    private final int value;

    PriorityLiteral(int value) {
      this.value = value;
    }

    @Override
    public int value() {
      return value;
    }
  }
}
