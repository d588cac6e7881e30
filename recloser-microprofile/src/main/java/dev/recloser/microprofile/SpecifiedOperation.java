package dev.recloser.microprofile;

import dev.recloser.Pipeline;
import jakarta.interceptor.InvocationContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A method with annotations of the specification, whose policies are one pipeline.
 *
 * <p>Asynchronous calls that go on are known, so that the end of the application ends them.
 */
final class SpecifiedOperation implements Operation {
  private final ReturnKind kind;
  private final Pipeline<@Nullable Object> pipeline;
  private final RequestContexts requests;
  private final OngoingCalls ongoing;

  /** Known when the first call comes, when beans can be had. */
  private final Supplier<MethodMeters> meters;

  SpecifiedOperation(
      ReturnKind kind,
      Pipeline<@Nullable Object> pipeline,
      RequestContexts requests,
      OngoingCalls ongoing,
      Supplier<MethodMeters> meters) {
    this.kind = kind;
    this.pipeline = pipeline;
    this.requests = requests;
    this.ongoing = ongoing;
    this.meters = meters;
  }

  @Override
  public @Nullable Object call(InvocationContext context) throws Exception {
    MethodMeters counting = meters.get();
    Call call = new Call(context, requests);
    return switch (kind) {
      case PLAIN -> plain(call, counting);
      case STAGE -> start(call, call::proceedStaged, Failures::specified, counting);
      case FUTURE ->
          new GuardedFuture(
              call, start(call, call::proceedFuture, UnaryOperator.identity(), counting));
    };
  }

  @SuppressWarnings("NullAway") // A result is null where the method says so.
  private @Nullable Object plain(Call call, MethodMeters counting) throws Exception {
    Object result;
    try {
      result = pipeline.keyed(call).call(() -> call.proceed());
    } catch (Throwable thrown) {
      counting.ended(/* hasReturned= */ false, call.hasFallenBack());
      throw Operation.<Exception>sneaky(Failures.specified(thrown));
    }
    counting.ended(/* hasReturned= */ true, call.hasFallenBack());
    return result;
  }

  private CompletableFuture<@Nullable Object> start(
      Call call,
      Supplier<CompletionStage<@Nullable Object>> attempt,
      UnaryOperator<Throwable> failure,
      MethodMeters counting) {
    CompletableFuture<@Nullable Object> running = pipeline.keyed(call).callAsync(attempt);
    ongoing.add(call, running);
    return Relay.of(
        running,
        failure,
        thrown -> {
          ongoing.remove(call);
          counting.ended(/* hasReturned= */ thrown == null, call.hasFallenBack());
        });
  }
}
