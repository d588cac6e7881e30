package dev.recloser.microprofile;

import dev.recloser.BulkheadConfig;
import dev.recloser.Pipeline;
import dev.recloser.Policies;
import dev.recloser.microprofile.GuardedMethod.Stated;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.util.TypeLiteral;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.faulttolerance.Asynchronous;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;
import org.jspecify.annotations.Nullable;

/** Makes of a method and its annotations what is done around its calls, and tells what is wrong. */
final class OperationMaker {
  private final BeanManager beans;
  private final Config config;
  private final Switches switches;
  private final Problems problems;
  private final Policies policies;
  private final ApplicationThreads threads;
  private final RequestContexts requests;
  private final LazyMeters meters;
  private final OngoingCalls ongoing;

  private final FallbackMaker fallbacks;

  /** Runs what has no bulkhead of its own; its slots are more than there are threads. */
  private final dev.recloser.Bulkhead offload;

  OperationMaker(
      BeanManager beans,
      Config config,
      Switches switches,
      Problems problems,
      Policies policies,
      ApplicationThreads threads,
      LazyMeters meters,
      OngoingCalls ongoing) {
    this.beans = beans;
    this.config = config;
    this.switches = switches;
    this.problems = problems;
    this.policies = policies;
    this.threads = threads;
    this.meters = meters;
    this.ongoing = ongoing;
    requests = new RequestContexts(beans);
    offload =
        dev.recloser.Bulkhead.create(
            "asynchronous methods",
            settings ->
                settings
                    .maxConcurrentCalls(BulkheadConfig.MOST_CALLS)
                    .callExecutor(threads.executor())
                    .scheduler(threads));
    fallbacks = new FallbackMaker(beans, offload);
  }

  /**
   * Makes it.
   *
   * @param name what its policies are called
   */
  Operation make(GuardedMethod method, String name) {
    Stated<Guarded> named = method.stated(Guarded.class);
    if (named != null) {
      return named(method, named);
    }
    ReturnKind kind = kindOf(method);
    boolean isAsynchronous = kind != ReturnKind.PLAIN;
    PipelineMaker pipeline = new PipelineMaker(name, policies, threads, threads.executor());
    boolean fallsBack = fallback(method, pipeline, kind);
    enabled(method, Retry.class, pipeline::retry);
    enabled(method, CircuitBreaker.class, pipeline::circuitBreaker);
    enabled(method, Timeout.class, pipeline::timeout);
    enabled(method, Bulkhead.class, members -> pipeline.bulkhead(members, isAsynchronous));
    boolean isMeasured = fallsBack || !pipeline.stated().isEmpty();
    if (isAsynchronous) {
      pipeline.offload(offload);
    } else if (!isMeasured) {
      return context -> context.proceed();
    }
    return new SpecifiedOperation(
        kind,
        pipeline.pipeline(),
        requests,
        ongoing,
        isMeasured
            ? meters.of(nameOf(method.method()), fallsBack, isAsynchronous, pipeline.stated())
            : () -> MethodMeters.NONE);
  }

  private ReturnKind kindOf(GuardedMethod method) {
    Members<Asynchronous> members = enabled(method, Asynchronous.class);
    if (members == null) {
      return ReturnKind.PLAIN;
    }
    Class<?> returned = method.method().getReturnType();
    ReturnKind kind = ReturnKind.ofAsynchronous(returned);
    if (kind == null) {
      problems.add(
          method.described() + " @Asynchronous",
          "returns " + returned.getName(),
          "java.util.concurrent.Future or CompletionStage");
      return ReturnKind.PLAIN;
    }
    return kind;
  }

  private boolean fallback(GuardedMethod method, PipelineMaker pipeline, ReturnKind kind) {
    Members<Fallback> members = enabled(method, Fallback.class);
    var made = members == null ? null : fallbacks.make(method.method(), members, kind);
    if (made != null) {
      pipeline.fallback(made);
    }
    return made != null;
  }

  private Operation named(GuardedMethod method, Stated<Guarded> named) {
    String where = method.described() + " @Guarded";
    String name = named.annotation().value();
    for (Class<? extends Annotation> type : GuardedMethod.SPECIFIED) {
      if (method.stated(type) != null) {
        problems.add(
            where,
            "together with @" + type.getSimpleName(),
            "one of the two, for a pipeline has its own policies");
      }
    }
    Instance<Pipeline<?>> found =
        beans.createInstance().select(new TypeLiteral<Pipeline<?>>() {}, NamedLiteral.of(name));
    if (!found.isResolvable()) {
      problems.add(
          where,
          "\"" + name + "\", of which there " + (found.isAmbiguous() ? "are several" : "is none"),
          "the name of a bean that is a dev.recloser.Pipeline");
      return context -> context.proceed();
    }
    return new NamedOperation(found::get, method.method().getReturnType());
  }

  private <A extends Annotation> void enabled(
      GuardedMethod method, Class<A> type, Consumer<Members<A>> use) {
    Members<A> members = enabled(method, type);
    if (members != null) {
      use.accept(members);
    }
  }

  private <A extends Annotation> @Nullable Members<A> enabled(GuardedMethod method, Class<A> type) {
    Stated<A> stated = method.stated(type);
    return stated == null || !switches.isEnabled(method, stated)
        ? null
        : new Members<>(config, stated, problems);
  }

  private static String nameOf(Method method) {
    String type = method.getDeclaringClass().getCanonicalName();
    return (type == null ? method.getDeclaringClass().getName() : type) + "." + method.getName();
  }
}
