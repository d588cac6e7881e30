package dev.recloser.microprofile;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The same meters in each of several libraries, or in none. */
record AllMeters(List<Meters> all) implements Meters {
  @Override
  public Runnable counter(String name, String description, String... tags) {
    List<Runnable> each = all.stream().map(m -> m.counter(name, description, tags)).toList();
    return () -> each.forEach(Runnable::run);
  }

  @Override
  public void growingTime(String name, String description, LongSupplier nanos, String... tags) {
    all.forEach(m -> m.growingTime(name, description, nanos, tags));
  }

  @Override
  public void level(String name, String description, LongSupplier number, String... tags) {
    all.forEach(m -> m.level(name, description, number, tags));
  }

  @Override
  public Consumer<Duration> times(String name, String description, String... tags) {
    List<Consumer<Duration>> each =
        all.stream().map(m -> m.times(name, description, tags)).toList();
    return time -> each.forEach(one -> one.accept(time));
  }

  @Override
  public void close() {
    all.forEach(Meters::close);
  }
}
