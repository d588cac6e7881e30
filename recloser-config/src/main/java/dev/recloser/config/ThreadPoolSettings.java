package dev.recloser.config;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.InvalidConfigurationException.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a file says about a bulkhead of threads, whose policy is not there yet. The defaults will be
 * those of the policy, so what is not set is null.
 */
record ThreadPoolSettings(
    @Nullable Integer coreThreadPoolSize,
    @Nullable Integer maxThreadPoolSize,
    @Nullable Integer queueCapacity,
    @Nullable Duration keepAliveDuration,
    @Nullable Boolean writableStackTraceEnabled) {

  /**
   * Makes one.
   *
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  static ThreadPoolSettings of(Consumer<? super Builder> settings) {
    Builder builder = new Builder();
    settings.accept(builder);
    return builder.build();
  }

  /** Sets what is given. */
  static final class Builder {
    private @Nullable Integer coreThreadPoolSize;
    private @Nullable Integer maxThreadPoolSize;
    private @Nullable Integer queueCapacity;
    private @Nullable Duration keepAliveDuration;
    private @Nullable Boolean writableStackTraceEnabled;

    private Builder() {}

    void coreThreadPoolSize(int threads) {
      coreThreadPoolSize = threads;
    }

    void maxThreadPoolSize(int threads) {
      maxThreadPoolSize = threads;
    }

    void queueCapacity(int calls) {
      queueCapacity = calls;
    }

    void keepAliveDuration(Duration time) {
      keepAliveDuration = time;
    }

    void writableStackTraceEnabled(boolean enabled) {
      writableStackTraceEnabled = enabled;
    }

    private ThreadPoolSettings build() {
      List<Fault> faults = new ArrayList<>();
      int most = maxThreadPoolSize == null ? Integer.MAX_VALUE : maxThreadPoolSize;
      if (most < 1) {
        faults.add(new Fault("maxThreadPoolSize", "" + most, "at least 1"));
      }
      if (coreThreadPoolSize != null && (coreThreadPoolSize < 1 || coreThreadPoolSize > most)) {
        faults.add(
            new Fault(
                "coreThreadPoolSize",
                "" + coreThreadPoolSize,
                "at least 1, at most maxThreadPoolSize"));
      }
      if (queueCapacity != null && queueCapacity < 0) {
        faults.add(new Fault("queueCapacity", "" + queueCapacity, "at least 0"));
      }
      if (keepAliveDuration != null && keepAliveDuration.isNegative()) {
        faults.add(new Fault("keepAliveDuration", "" + keepAliveDuration, "zero or more"));
      }
      if (!faults.isEmpty()) {
        throw new InvalidConfigurationException("A bulkhead of threads", faults);
      }
      return new ThreadPoolSettings(
          coreThreadPoolSize,
          maxThreadPoolSize,
          queueCapacity,
          keepAliveDuration,
          writableStackTraceEnabled);
    }
  }
}
