package dev.recloser.microprofile;

import dev.recloser.BulkheadRegistry;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.Policies;
import dev.recloser.RetryRegistry;
import dev.recloser.TimeoutRegistry;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.faulttolerance.exceptions.FaultToleranceDefinitionException;

/**
 * What one application has: its guarded methods with their policies, the threads and timers that
 * these use, and its meters. All of it ends with the application.
 *
 * <p>Thread-safe.
 */
final class Application implements AutoCloseable {
  private final Map<Method, Operation> none = Map.of();
  private final Policies policies;
  private final ApplicationThreads threads;
  private final LazyMeters meters;
  private final OperationMaker maker;

  /** Guarded by this once the application has been deployed. */
  private final Problems problems;

  /** By the class of the bean, for a method may belong to several, with policies for each. */
  private final Map<Class<?>, Map<Method, Operation>> operations = new ConcurrentHashMap<>();

  private final OngoingCalls ongoing = new OngoingCalls();

  /**
   * Starts one.
   *
   * @param problems told what is wrong with the methods
   */
  Application(BeanManager beans, Collection<GuardedMethod> methods, Problems problems) {
    this.problems = problems;
    Config config = ConfigProvider.getConfig();
    Switches switches = new Switches(config, problems);
    policies = unbounded();
    threads = new ApplicationThreads(threads(config, problems));
    meters = new LazyMeters(beans, switches.metrics());
    maker =
        new OperationMaker(beans, config, switches, problems, policies, threads, meters, ongoing);
    methods.forEach(this::add);
  }

  /** The registries that have the policies of all methods. */
  Policies policies() {
    return policies;
  }

  /** What is done around the calls of a method of a bean. */
  Operation operation(Class<?> bean, Method method) {
    Operation known = operations.getOrDefault(bean, none).get(method);
    return known == null ? addLate(GuardedMethod.reflected(bean, method)) : known;
  }

  /** Ends the calls that go on, and all threads. */
  @Override
  public void close() {
    ongoing.end();
    threads.close();
    meters.close();
  }

  private void add(GuardedMethod method) {
    Operation made = maker.make(method, nameOf(method));
    operations
        .computeIfAbsent(method.bean(), bean -> new ConcurrentHashMap<>())
        .put(method.method(), made);
  }

  /**
   * Adds one that was not seen at deployment, since it is not of a bean.
   *
   * @throws FaultToleranceDefinitionException if it is wrong, each time
   */
  private synchronized Operation addLate(GuardedMethod method) {
    Operation known = operations.getOrDefault(method.bean(), none).get(method.method());
    if (known != null) {
      return known;
    }
    Operation made = maker.make(method, nameOf(method));
    FaultToleranceDefinitionException wrong = problems.takeException();
    if (wrong != null) {
      throw wrong;
    }
    operations
        .computeIfAbsent(method.bean(), bean -> new ConcurrentHashMap<>())
        .put(method.method(), made);
    return made;
  }

  /** The class and the method as in the keys of the configuration; with parameters if need be. */
  private static String nameOf(GuardedMethod guarded) {
    Method method = guarded.method();
    String name = guarded.bean().getName() + "/" + method.getName();
    Set<List<Class<?>>> overloads = new HashSet<>();
    for (Class<?> c = guarded.bean(); c != null; c = c.getSuperclass()) {
      Arrays.stream(c.getDeclaredMethods())
          .filter(other -> other.getName().equals(method.getName()) && !other.isBridge())
          .forEach(other -> overloads.add(List.of(other.getParameterTypes())));
    }
    return overloads.size() > 1
        ? name
            + Arrays.stream(method.getParameterTypes())
                .map(Class::getTypeName)
                .collect(Collectors.joining(", ", "(", ")"))
        : name;
  }

  private static int threads(Config config, Problems problems) {
    String key = "Asynchronous/threads";
    try {
      int threads =
          config.getOptionalValue(key, Integer.class).orElse(ApplicationThreads.DEFAULT_THREADS);
      if (threads >= 1) {
        return threads;
      }
      problems.add(key, threads, "1 or more");
    } catch (IllegalArgumentException e) {
      problems.add(key, config.getConfigValue(key).getRawValue(), "a number, as Integer");
    }
    return ApplicationThreads.DEFAULT_THREADS;
  }

  /** None may make room for another: a method keeps its policies for ever. */
  private static Policies unbounded() {
    return Policies.create(
        registries ->
            registries
                .circuitBreakers(CircuitBreakerRegistry.create(r -> r.maxSize(Integer.MAX_VALUE)))
                .retries(RetryRegistry.create(r -> r.maxSize(Integer.MAX_VALUE)))
                .timeouts(TimeoutRegistry.create(r -> r.maxSize(Integer.MAX_VALUE)))
                .bulkheads(BulkheadRegistry.create(r -> r.maxSize(Integer.MAX_VALUE))));
  }
}
