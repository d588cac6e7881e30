package dev.recloser.microprofile;

import dev.recloser.Bulkhead;
import dev.recloser.BulkheadConfig;
import dev.recloser.Fallback;
import dev.recloser.Pipeline;
import dev.recloser.Policies;
import dev.recloser.microprofile.GuardedMethod.Stated;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.util.TypeLiteral;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.faulttolerance.Asynchronous;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
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
  private final Map<Call, CompletableFuture<?>> goingOn;

  /** Runs what has no bulkhead of its own; its slots are more than there are threads. */
  private final Bulkhead offload;

  OperationMaker(
      BeanManager beans,
      Config config,
      Switches switches,
      Problems problems,
      Policies policies,
      ApplicationThreads threads,
      LazyMeters meters,
      Map<Call, CompletableFuture<?>> goingOn) {
    this.beans = beans;
    this.config = config;
    this.switches = switches;
    this.problems = problems;
    this.policies = policies;
    this.threads = threads;
    this.meters = meters;
    this.goingOn = goingOn;
    requests = new RequestContexts(beans);
    offload =
        Bulkhead.create(
            "asynchronous methods",
            settings ->
                settings
                    .maxConcurrentCalls(BulkheadConfig.MOST_CALLS)
                    .callExecutor(threads.executor())
                    .scheduler(threads));
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
    PipelineMaker pipeline = new PipelineMaker(name, policies, threads, threads.executor());
    FallbackPlan plan = plan(method, pipeline, kind);
    enabled(method, Retry.class, pipeline::retry);
    enabled(method, CircuitBreaker.class, pipeline::circuitBreaker);
    enabled(method, Timeout.class, pipeline::timeout);
    enabled(
        method,
        org.eclipse.microprofile.faulttolerance.Bulkhead.class,
        members -> pipeline.bulkhead(members, kind != ReturnKind.PLAIN));
    boolean isMeasured = plan != null || !pipeline.stated().isEmpty();
    if (kind != ReturnKind.PLAIN) {
      pipeline.offload(offload);
    }
    if (kind == ReturnKind.PLAIN && !isMeasured) {
      return context -> context.proceed();
    }
    return new SpecifiedOperation(
        kind,
        pipeline.pipeline(),
        requests,
        goingOn,
        isMeasured
            ? meters.of(
                nameOf(method.method()), plan != null, kind != ReturnKind.PLAIN, pipeline.stated())
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

  private @Nullable FallbackPlan plan(
      GuardedMethod method, PipelineMaker pipeline, ReturnKind kind) {
    Members<org.eclipse.microprofile.faulttolerance.Fallback> members =
        enabled(method, org.eclipse.microprofile.faulttolerance.Fallback.class);
    if (members == null) {
      return null;
    }
    var declared = members.declared();
    ThrownTypes types =
        PipelineMaker.types(members, "applyOn", declared.applyOn(), "skipOn", declared.skipOn());
    FallbackPlan plan = plan(method.method(), members);
    if (plan != null) {
      pipeline.fallback(fallback(plan, types, kind));
    }
    return plan;
  }

  private @Nullable FallbackPlan plan(
      Method method, Members<org.eclipse.microprofile.faulttolerance.Fallback> members) {
    var declared = members.declared();
    String name = members.value("fallbackMethod", String.class, declared.fallbackMethod());
    Class<?> handler = members.value("value", Class.class, declared.value());
    boolean hasHandler = handler != org.eclipse.microprofile.faulttolerance.Fallback.DEFAULT.class;
    if (name.isEmpty() != hasHandler) {
      String value = hasHandler ? handler.getName() + " and " + name : "neither";
      members.wrong("", value, "either a value or a fallbackMethod");
      return null;
    }
    if (!hasHandler) {
      return FallbackMethod.find(
          method,
          members.declaringClass(),
          name,
          (found, expected) -> members.wrong("fallbackMethod", name + ", " + found, expected));
    }
    return handler(method, members, handler);
  }

  @SuppressWarnings("unchecked") // It was looked at.
  private @Nullable FallbackPlan handler(
      Method method,
      Members<org.eclipse.microprofile.faulttolerance.Fallback> members,
      Class<?> handler) {
    if (!FallbackHandler.class.isAssignableFrom(handler)) {
      members.wrong("value", handler.getName(), "a class that is a FallbackHandler");
      return null;
    }
    if (!FallbackBean.fits(handler, method, members.declaringClass())) {
      members.wrong(
          "value",
          handler.getName() + ", which handles " + FallbackBean.answerOf(handler),
          "a handler of "
              + method.getGenericReturnType().getTypeName()
              + ", which "
              + method.getName()
              + " returns");
      return null;
    }
    return new FallbackBean(beans, (Class<? extends FallbackHandler<?>>) handler);
  }

  private Fallback<@Nullable Object> fallback(
      FallbackPlan plan, ThrownTypes types, ReturnKind kind) {
    return Fallback.of(
        rules -> {
          var when = rules.answerGivenUp(true).onException(types::mean);
          switch (kind) {
            case PLAIN -> when.answer((call, thrown) -> answer((Call) call, plan, thrown));
            case STAGE ->
                when.answerAsync(
                    (call, thrown) -> onThread(() -> ((Call) call).fallbackStaged(plan, thrown)));
            case FUTURE ->
                when.answerAsync(
                    (call, thrown) -> onThread(() -> ((Call) call).fallbackFuture(plan, thrown)));
          }
        });
  }

  private static @Nullable Object answer(Call call, FallbackPlan plan, Throwable thrown) {
    try {
      return call.fallback(plan, thrown);
    } catch (Throwable own) {
      throw Operation.<RuntimeException>sneaky(own);
    }
  }

  /** Not on a thread of timers, nor on that of a caller who was refused at once. */
  private CompletionStage<@Nullable Object> onThread(
      Supplier<CompletionStage<@Nullable Object>> answer) {
    return ApplicationThreads.isOwnThread() ? answer.get() : offload.callAsync(answer);
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
