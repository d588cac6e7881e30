package dev.recloser;

import dev.recloser.test.FakeTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** How a call is made: plain or as a stage, by a method of the policy or through an interface. */
enum Way {
  PLAIN,
  STAGE,
  PROXY,
  PROXY_STAGE;

  /** What is called, be it itself or through what guards it. */
  interface Client {
    Object get() throws Throwable;

    CompletableFuture<Object> getAsync();
  }

  /** What is called, whose stages have ended when they are given. */
  static Client client(CheckedSupplier<Object, Throwable> call) {
    return new Client() {
      @Override
      public Object get() throws Throwable {
        return call.get();
      }

      @Override
      public CompletableFuture<Object> getAsync() {
        try {
          return CompletableFuture.completedFuture(call.get());
        } catch (Error thrown) {
          throw thrown;
        } catch (Throwable thrown) {
          return CompletableFuture.failedFuture(thrown);
        }
      }
    };
  }

  boolean isStage() {
    return this == STAGE || this == PROXY_STAGE;
  }

  /** Makes a call, passing the time as far as it takes; returns its result or throws. */
  Object call(Policy policy, Client target, FakeTime time) throws Throwable {
    return call(through(policy, target), time);
  }

  /** Makes a call, passing the time as far as it takes; returns its result or throws. */
  Object call(Pipeline<Object> pipeline, Client target, FakeTime time) throws Throwable {
    return call(through(pipeline, target), time);
  }

  /** The same target, guarded. */
  Client through(Policy policy, Client target) {
    return isProxy()
        ? policy.wrap(Client.class, target)
        : new Direct(() -> policy.call(target::get), () -> policy.callAsync(target::getAsync));
  }

  /** The same target, guarded. */
  Client through(Pipeline<Object> pipeline, Client target) {
    return isProxy()
        ? pipeline.wrap(Client.class, target)
        : new Direct(() -> pipeline.call(target::get), () -> pipeline.callAsync(target::getAsync));
  }

  /** Lets time pass until a stage has ended, and gives what it ended with, without wrappers. */
  static Object awaited(CompletableFuture<Object> stage, FakeTime time) throws Throwable {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    CompletableFuture<Object> end =
        stage.handle(
            (result, thrown) -> {
              failure.set(thrown);
              return result;
            });
    while (!end.isDone()) {
      time.advance(
          time.untilNextTimer().orElseThrow(() -> new AssertionError("no timer ends the stage")));
    }
    if (failure.get() != null) {
      throw ExceptionRules.unwrap(failure.get());
    }
    return end.join();
  }

  private boolean isProxy() {
    return this == PROXY || this == PROXY_STAGE;
  }

  private Object call(Client client, FakeTime time) throws Throwable {
    return isStage() ? awaited(client.getAsync(), time) : client.get();
  }

  /** What is called by the methods of a policy. */
  private record Direct(
      CheckedSupplier<Object, Throwable> plain, Supplier<CompletableFuture<Object>> stage)
      implements Client {
    @Override
    public Object get() throws Throwable {
      return plain.get();
    }

    @Override
    public CompletableFuture<Object> getAsync() {
      return stage.get();
    }
  }
}
