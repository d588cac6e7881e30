package dev.recloser.microprofile;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The same meters in each of several libraries, or in none.
 *
 * <p>The specification knows a method by the class that declares it and its name. Overloads, and
 * beans that inherit a method, so share their meters, although each has policies of its own: what
 * is counted adds up by itself, and what is read from policies is summed here.
 *
 * <p>Made and closed by one thread at a time; read by any.
 */
final class AllMeters implements Meters {
  private final List<Meters> all;
  private final Map<List<String>, Sum> sums = new HashMap<>();

  AllMeters(List<Meters> all) {
    this.all = List.copyOf(all);
  }

  @Override
  public Runnable counter(String name, String description, String... tags) {
    List<Runnable> each = all.stream().map(m -> m.counter(name, description, tags)).toList();
    return () -> each.forEach(Runnable::run);
  }

  @Override
  public void growingTime(String name, String description, LongSupplier nanos, String... tags) {
    summed(nanos, (m, sum) -> m.growingTime(name, description, sum, tags), name, tags);
  }

  @Override
  public void level(String name, String description, LongSupplier number, String... tags) {
    summed(number, (m, sum) -> m.level(name, description, sum, tags), name, tags);
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

  /** Adds to a meter that is there, or makes it. */
  private void summed(
      LongSupplier part, BiConsumer<Meters, LongSupplier> maker, String name, String... tags) {
    List<String> id = Stream.concat(Stream.of(name), Stream.of(tags)).toList();
    Sum known = sums.get(id);
    if (known != null) {
      known.parts.add(part);
      return;
    }
    Sum sum = new Sum(new CopyOnWriteArrayList<>(List.of(part)));
    sums.put(id, sum);
    all.forEach(m -> maker.accept(m, sum));
  }

  private record Sum(List<LongSupplier> parts) implements LongSupplier {
    @Override
    public long getAsLong() {
      return parts.stream().mapToLong(LongSupplier::getAsLong).sum();
    }
  }
}
