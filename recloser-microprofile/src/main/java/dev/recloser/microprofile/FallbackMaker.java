package dev.recloser.microprofile;

import dev.recloser.Bulkhead;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
import org.jspecify.annotations.Nullable;

/** Makes fallbacks of annotations: what they give, for which failures, and on which thread. */
final class FallbackMaker {
  private final BeanManager beans;

  /** Runs those of asynchronous methods. */
  private final Bulkhead offload;

  FallbackMaker(BeanManager beans, Bulkhead offload) {
    this.beans = beans;
    this.offload = offload;
  }

  /** Makes that of a method; null if the annotation is wrong, which is told. */
  dev.recloser.@Nullable Fallback<@Nullable Object> make(
      Method method, Members<Fallback> members, ReturnKind kind) {
    Fallback declared = members.declared();
    ThrownTypes types =
        ThrownTypes.of(members, "applyOn", declared.applyOn(), "skipOn", declared.skipOn());
    FallbackPlan plan = plan(method, members);
    return plan == null ? null : fallback(plan, types, kind);
  }

  private @Nullable FallbackPlan plan(Method method, Members<Fallback> members) {
    Fallback declared = members.declared();
    String name = members.value("fallbackMethod", String.class, declared.fallbackMethod());
    Class<?> handler = members.value("value", Class.class, declared.value());
    boolean hasHandler = handler != Fallback.DEFAULT.class;
    if (name.isEmpty() != hasHandler) {
      String value = hasHandler ? handler.getName() + " and " + name : "neither";
      members.wrong("", value, "either a value or a fallbackMethod");
      return null;
    }
    return hasHandler ? handler(method, members, handler) : method(method, members, name);
  }

  private static @Nullable FallbackPlan method(
      Method method, Members<Fallback> members, String name) {
    return FallbackMethod.find(
        method,
        members.declaringClass(),
        name,
        (found, expected) -> members.wrong("fallbackMethod", name + ", " + found, expected));
  }

  @SuppressWarnings("unchecked") // It was looked at.
  private @Nullable FallbackPlan handler(
      Method method, Members<Fallback> members, Class<?> handler) {
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

  private dev.recloser.Fallback<@Nullable Object> fallback(
      FallbackPlan plan, ThrownTypes types, ReturnKind kind) {
    return dev.recloser.Fallback.of(
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
}
