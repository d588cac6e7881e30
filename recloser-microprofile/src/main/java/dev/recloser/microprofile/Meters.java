package dev.recloser.microprofile;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Makes the meters of the specification in one of the libraries that it names. Tags are keys and
 * values in turn. Making a meter that is there gives the same.
 */
interface Meters extends AutoCloseable {
  /** What counts one more each time it is run. */
  Runnable counter(String name, String description, String... tags);

  /** A time in nanoseconds that only grows. */
  void growingTime(String name, String description, LongSupplier nanos, String... tags);

  /** A number that goes up and down. */
  void level(String name, String description, LongSupplier number, String... tags);

  /** What takes times of which the distribution is wanted. */
  Consumer<Duration> times(String name, String description, String... tags);

  /** Removes what was made. */
  @Override
  void close();
}
