package dev.recloser.config;

import dev.recloser.Fallback;
import dev.recloser.spi.CallContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads what is named outside of policies, and first of all by pipelines. */
final class PipelineObjects {
  private static final String FALLBACK =
      "a dev.recloser.Fallback, or a java.util.function.Supplier of one";

  private static final Kind<Object> ANY = NamedObject.of(Object.class);
  private static final Kind<CallContext> CONTEXT = NamedObject.of(CallContext.class);

  private final Reading reading;

  PipelineObjects(Reading reading) {
    this.reading = reading;
  }

  /** Null if it is wrong or not to be had here, which is then told. */
  @Nullable Fallback<?> fallback(String key, Value value) {
    Object named = read(ANY, key, value, "the pipeline is judged without it");
    if (named == null) {
      return null;
    }
    Object given = named instanceof Supplier<?> supplier ? get(supplier, key, value) : named;
    if (given instanceof Fallback<?> fallback) {
      return fallback;
    } else if (given != null) {
      String expected = FALLBACK + "; this one is a " + given.getClass().getName();
      reading.problems().add(value.place(), key, value.shown(), expected);
    }
    return null;
  }

  List<CallContext> contexts(String key, Value value) {
    return all(CONTEXT, key, value);
  }

  /** Those of a list that are right; the others are told. */
  <T> List<T> all(Kind<T> kind, String key, Value value) {
    List<Value> items = Lists.items(key, value, reading.problems());
    List<T> all = new ArrayList<>();
    if (items != null) {
      for (int i = 0; i < items.size(); i++) {
        T one = read(kind, key + "[" + i + "]", items.get(i), "it says nothing of calls");
        if (one != null) {
          all.add(one);
        }
      }
    }
    return List.copyOf(all);
  }

  private <T> @Nullable T read(Kind<T> kind, String key, Value value, String consequence) {
    if (value.isUnresolved()) {
      return null; // Has been told.
    } else if (reading.classes() == Reading.Classes.ABSENT) {
      String name = Kind.NAME.read(key, value, reading);
      if (name != null) {
        reading.note(value, key, "left out; " + name + " is not loaded here, " + consequence);
      }
      return null;
    }
    return kind.read(key, value, reading);
  }

  private @Nullable Object get(Supplier<?> supplier, String key, Value value) {
    try {
      Object given = supplier.get();
      if (given != null) {
        return given;
      }
      reading.problems().add(value.place(), key, value.shown(), FALLBACK + "; this one gave null");
    } catch (RuntimeException | LinkageError e) {
      String expected = FALLBACK + "; this one threw " + e;
      reading.problems().add(value.place(), key, value.shown(), expected);
    }
    return null;
  }
}
