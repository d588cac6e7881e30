package dev.recloser.config;

import java.util.function.Predicate;

/** Predicates for files to name. */
final class Predicates {
  private Predicates() {}

  /** True of exceptions with this message, and of this text. */
  public static final class Teapot implements Predicate<Object> {
    @Override
    public boolean test(Object value) {
      return value instanceof Throwable thrown
          ? "teapot".equals(thrown.getMessage())
          : "teapot".equals(value);
    }
  }

  /** Nobody may make one. */
  public static final class Closed implements Predicate<Object> {
    private Closed() {}

    @Override
    public boolean test(Object value) {
      return false;
    }
  }

  /** Cannot be made. */
  public static final class Throwing implements Predicate<Object> {
    /** Throws. */
    public Throwing() {
      throw new IllegalStateException("not ready");
    }

    @Override
    public boolean test(Object value) {
      return false;
    }
  }
}
