package dev.recloser;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The configured lists and predicates as a {@link Classifier} that always has an opinion.
 *
 * <p>Types are held and matched by name, along the superclasses and interfaces of what was thrown.
 * So a file may name classes of an application that is not there, and two class loaders' copies of
 * one class are one.
 */
final class ExceptionRules implements Classifier {
  static final ExceptionRules NONE =
      new ExceptionRules(Set.of(), Set.of(), List.of(), List.of(), List.of(), Outcome.IGNORED);

  /** Wrappers nested deeper than this are taken as they are; guards against cycles of causes. */
  private static final int MAX_WRAPPERS = 16;

  /** What a list could mean only by naming it, never through a supertype such as Exception. */
  private static final List<Class<? extends Throwable>> SPECIAL =
      List.of(CancellationException.class, InterruptedException.class, CallRejectedException.class);

  private final Set<String> recorded;
  private final Set<String> ignored;
  private final List<Predicate<? super Throwable>> recordedIf;
  private final List<Predicate<? super Throwable>> ignoredIf;
  private final List<Predicate<@Nullable Object>> failedResults;
  private final Outcome unlisted;

  /** The outcome by class, computed once a class where no predicate has a say. */
  private final ClassValue<Outcome> byClass =
      new ClassValue<>() {
        @Override
        protected Outcome computeValue(Class<?> type) {
          return ofType(type);
        }
      };

  ExceptionRules(
      Set<String> recorded,
      Set<String> ignored,
      List<Predicate<? super Throwable>> recordedIf,
      List<Predicate<? super Throwable>> ignoredIf,
      List<Predicate<@Nullable Object>> failedResults,
      Outcome unlisted) {
    this.recorded = recorded;
    this.ignored = ignored;
    this.recordedIf = recordedIf;
    this.ignoredIf = ignoredIf;
    this.failedResults = failedResults;
    this.unlisted = unlisted;
  }

  @Override
  @SuppressWarnings("NullAway") // The predicates for results take null.
  public Outcome classify(@Nullable Object result, @Nullable Throwable thrown) {
    if (thrown == null) {
      return anyMatch(failedResults, result) ? Outcome.FAILURE : ofResult(result);
    }
    Throwable bare = unwrap(thrown);
    if (anyMatch(ignoredIf, bare)) {
      return Outcome.IGNORED;
    }
    Outcome listed = byClass.get(bare.getClass());
    // A predicate can turn what the lists leave over into a failure, but not what they ignore.
    return listed != Outcome.FAILURE
            && !isIgnored(bare.getClass())
            && !isSpecial(bare.getClass())
            && anyMatch(recordedIf, bare)
        ? Outcome.FAILURE
        : listed;
  }

  private static Outcome ofResult(@Nullable Object result) {
    return result instanceof JudgedResult judged ? judged.outcome() : Outcome.SUCCESS;
  }

  /**
   * Classifies an exception of which only the class name is known. Where the class can be found its
   * hierarchy counts, else its name alone.
   */
  Outcome ofTypeNamed(String className) {
    try {
      return ofType(Class.forName(className, false, ExceptionRules.class.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return outcomeOf(Set.of(className), /* special= */ null);
    }
  }

  /** Takes off what executors and reflection wrap around an exception, if there is one inside. */
  static Throwable unwrap(Throwable thrown) {
    Throwable bare = thrown;
    for (int i = 0; i < MAX_WRAPPERS && isWrapper(bare); i++) {
      Throwable cause = causeOf(bare);
      if (cause == null) {
        return bare;
      }
      bare = cause;
    }
    return bare;
  }

  /** An exception's own methods are user code. */
  static @Nullable Throwable causeOf(Throwable thrown) {
    try {
      return thrown.getCause();
    } catch (Throwable e) {
      return null;
    }
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof CompletionException
        || thrown instanceof ExecutionException
        || thrown instanceof InvocationTargetException
        || thrown instanceof UndeclaredThrowableException
        || thrown instanceof CallRefusedIoException
        || thrown instanceof CancelledWith;
  }

  private Outcome ofType(Class<?> type) {
    for (Class<?> special : SPECIAL) {
      if (special.isAssignableFrom(type)) {
        return outcomeOf(lineage(type), special);
      }
    }
    return outcomeOf(lineage(type), null);
  }

  private Outcome outcomeOf(Set<String> lineage, @Nullable Class<?> special) {
    if (intersects(ignored, lineage)) {
      return Outcome.IGNORED;
    }
    if (special != null) {
      Set<String> narrow = new LinkedHashSet<>(lineage);
      narrow.removeAll(lineage(special));
      narrow.add(special.getName());
      return intersects(recorded, narrow)
          ? Outcome.FAILURE
          : special == CallRejectedException.class ? Outcome.IGNORED : Outcome.CANCELLED;
    }
    boolean everythingRecorded = recorded.isEmpty() && recordedIf.isEmpty();
    return everythingRecorded || intersects(recorded, lineage) ? Outcome.FAILURE : unlisted;
  }

  private boolean isIgnored(Class<?> type) {
    return !ignored.isEmpty() && intersects(ignored, lineage(type));
  }

  private static boolean isSpecial(Class<?> type) {
    return SPECIAL.stream().anyMatch(special -> special.isAssignableFrom(type));
  }

  private static boolean intersects(Set<String> listed, Set<String> lineage) {
    for (String name : lineage) {
      if (listed.contains(name)) {
        return true;
      }
    }
    return false;
  }

  static List<String> namesOf(Class<?>[] types) {
    return Arrays.stream(types).map(Class::getName).toList();
  }

  private static Set<String> lineage(Class<?> type) {
    Set<String> names = new LinkedHashSet<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      names.add(c.getName());
      addInterfaces(c, names);
    }
    return names;
  }

  private static void addInterfaces(Class<?> type, Set<String> names) {
    for (Class<?> parent : type.getInterfaces()) {
      names.add(parent.getName());
      addInterfaces(parent, names);
    }
  }

  private static <T extends @Nullable Object> boolean anyMatch(
      List<? extends Predicate<? super T>> predicates, T value) {
    for (Predicate<? super T> predicate : predicates) {
      if (predicate.test(value)) {
        return true;
      }
    }
    return false;
  }
}
