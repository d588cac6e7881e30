package dev.recloser.cli;

import dev.recloser.CircuitBreakerConfig;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a demo shows what it does. Used by one thread. */
interface DemoScreen {
  /** Shows nothing. */
  DemoScreen NONE =
      new DemoScreen() {
        @Override
        public void print(List<String> lines) {}

        @Override
        public void tell(News news) {}

        @Override
        public void begin(String run, DemoPlan plan, @Nullable CircuitBreakerConfig breaker) {}

        @Override
        public void show(Moment moment) {}

        @Override
        public void end() {}

        @Override
        public Duration interval() {
          return Duration.ofSeconds(1);
        }
      };

  /** Prints lines that stay. */
  void print(List<String> lines);

  /** Prints news that stay. */
  void tell(News news);

  /**
   * A run begins.
   *
   * @param run what is special about it
   * @param plan its times
   * @param breaker the settings of its breaker; null if it has none
   */
  void begin(String run, DemoPlan plan, @Nullable CircuitBreakerConfig breaker);

  /** Shows a run at this moment. */
  void show(Moment moment);

  /** The run is over. */
  void end();

  /** How often the present run should be shown. */
  Duration interval();
}
