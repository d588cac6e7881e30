package dev.recloser.config;

import dev.recloser.Classifier;
import dev.recloser.Fallback;
import dev.recloser.Outcome;
import dev.recloser.spi.CallContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Functions and other objects for files to name. */
final class Functions {
  private Functions() {}

  /** Waits as many seconds as it is asked for. */
  public static final class Seconds implements IntFunction<Duration> {
    @Override
    public Duration apply(int number) {
      return Duration.ofSeconds(number);
    }
  }

  /** Knows what to do with nothing. */
  public static final class Undecided implements Classifier {
    @Override
    public @Nullable Outcome classify(@Nullable Object result, @Nullable Throwable thrown) {
      return null;
    }
  }

  /** Finds the time that a failed call asks for. */
  public static final class AskedFor
      implements BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration> {
    @Override
    public @Nullable Duration apply(@Nullable Object result, @Nullable Throwable thrown) {
      return Duration.ofSeconds(7);
    }
  }

  /** Finds everything in order. */
  public static final class Healthy implements Supplier<CompletionStage<?>> {
    @Override
    public CompletionStage<?> get() {
      return CompletableFuture.completedFuture("fine");
    }
  }

  /** Runs at once; counts how many there are of it. */
  public static final class Direct implements Executor {
    static final AtomicInteger MADE = new AtomicInteger();

    /** Counts. */
    public Direct() {
      MADE.incrementAndGet();
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }

  /** Has an answer for refused calls. */
  public static final class NoStock implements Supplier<Fallback<String>> {
    @Override
    public Fallback<String> get() {
      return Fallback.of(rules -> rules.onFailure(() -> "none"));
    }
  }

  /** Has none. */
  public static final class Nothing implements Supplier<@Nullable Object> {
    @Override
    public @Nullable Object get() {
      return null;
    }
  }

  /** Carries a thread-local variable. */
  public static final class Carrier implements CallContext {
    static final ThreadLocal<String> VALUE = new ThreadLocal<>();

    @Override
    public @Nullable Snapshot capture() {
      return CallContext.of(VALUE).capture();
    }
  }

  /** Cannot be initialized. */
  public static final class Uninitialized implements IntFunction<Duration> {
    private static final Duration NEVER = Duration.parse(System.lineSeparator());

    @Override
    public Duration apply(int number) {
      return NEVER;
    }
  }

  /** Nobody may make one. */
  public static final class Hidden implements IntFunction<Duration> {
    private Hidden() {}

    @Override
    public Duration apply(int number) {
      return Duration.ZERO;
    }
  }
}
