package dev.recloser.microprofile;

import dev.recloser.microprofile.GuardedMethod.Stated;
import java.lang.annotation.Annotation;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/**
 * The members of an annotation with the values that hold: those of the configuration, or else as
 * written. The key of a method counts where the annotation stands on the method, that of a class
 * where it stands on the class, and the one without either everywhere.
 */
final class Members<A extends Annotation> {
  /** Longer is of no consequence, and is more than the policies take: 100 years. */
  static final Duration LONGEST = Duration.ofDays(36_500);

  private final Config config;
  private final Stated<A> stated;
  private final Problems problems;

  Members(Config config, Stated<A> stated, Problems problems) {
    this.config = config;
    this.stated = stated;
    this.problems = problems;
  }

  A declared() {
    return stated.annotation();
  }

  Class<?> declaringClass() {
    return stated.type();
  }

  /** The value of a member. */
  <V> V value(String member, Class<V> type, V declared) {
    V configured = configured(member, type);
    return configured == null ? declared : configured;
  }

  /** A whole number that is not less than the least; another one is told. */
  int whole(String member, int declared, int least) {
    return right(member, Integer.class, declared, n -> n >= least, least + " or more", least);
  }

  /** A number from 0 to 1; another one is told. */
  double share(String member, double declared) {
    return right(member, Double.class, declared, r -> r >= 0 && r <= 1, "0 to 1", 1.0);
  }

  /** A number that is at least 1; another one is told. */
  double atLeastOne(String member, double declared) {
    return right(member, Double.class, declared, r -> r >= 1, "1 or more", 1.0);
  }

  /** A time of one member, zero or more and not longer than the longest; another one is told. */
  Duration time(String member, Duration declared) {
    return right(
        member,
        Duration.class,
        declared,
        time -> !time.isNegative() && time.compareTo(LONGEST) <= 0,
        "zero or more, at most 36,500 days",
        Duration.ZERO);
  }

  /** A time of two members, zero or more. */
  Duration time(String member, long declared, String unitMember, ChronoUnit declaredUnit) {
    long amount = right(member, Long.class, declared, n -> n >= 0, "0 or more", 0L);
    ChronoUnit unit = value(unitMember, ChronoUnit.class, declaredUnit);
    try {
      Duration time = unit.getDuration().multipliedBy(amount);
      return time.compareTo(LONGEST) < 0 ? time : LONGEST;
    } catch (ArithmeticException tooLong) {
      return LONGEST;
    }
  }

  /**
   * What the configuration says of a member, or of a setting that is no member; null if nothing.
   */
  <V> @Nullable V configured(String member, Class<V> type) {
    for (String key : keys(member)) {
      try {
        Optional<V> value = config.getOptionalValue(key, type);
        if (value.isPresent()) {
          return value.get();
        }
      } catch (IllegalArgumentException notOfThatType) {
        problems.add(key, quoted(config.getConfigValue(key).getRawValue()), expected(type));
        return null;
      }
    }
    return null;
  }

  /** The same for yes and no. */
  @Nullable Boolean yesOrNo(String member) {
    for (String key : keys(member)) {
      Optional<Boolean> said = Booleans.of(config, key, problems);
      if (said.isPresent()) {
        return said.get();
      }
    }
    return null;
  }

  /** Tells of a value that is not right, wherever it comes from. */
  void wrong(String member, Object value, String expected) {
    problems.add(where(member), shown(value), expected);
  }

  /** The key that a value comes from, or else the annotation where it stands. */
  String where(String member) {
    for (String key : keys(member)) {
      if (config.getConfigValue(key).getValue() != null) {
        return key;
      }
    }
    return place() + " @" + name() + (member.isEmpty() ? "" : "(" + member + ")");
  }

  /** The value of a member, or another one if that is not right, for nobody will use it. */
  private <V> V right(
      String member, Class<V> type, V declared, Predicate<V> right, String expected, V other) {
    V value = value(member, type, declared);
    if (right.test(value)) {
      return value;
    }
    wrong(member, value, expected);
    return other;
  }

  /** Where the annotation stands. */
  private String place() {
    String type = stated.type().getName();
    return stated.method() == null ? type : type + "." + stated.method();
  }

  private List<String> keys(String member) {
    List<String> keys = new ArrayList<>(2);
    String place =
        stated.method() == null
            ? stated.type().getName()
            : stated.type().getName() + "/" + stated.method();
    keys.add(place + "/" + name() + "/" + member);
    keys.add(name() + "/" + member);
    return keys;
  }

  private String name() {
    return stated.annotation().annotationType().getSimpleName();
  }

  private static Object shown(Object value) {
    return value instanceof Object[] array ? Arrays.toString(array) : value;
  }

  private static String quoted(@Nullable String value) {
    return "\"" + value + "\"";
  }

  private static String expected(Class<?> type) {
    if (type.isEnum()) {
      return "one of " + Arrays.toString(type.getEnumConstants());
    }
    if (type == Class[].class) {
      return "names of classes that are there, with commas between them";
    }
    if (type == Class.class) {
      return "the name of a class that is there";
    }
    if (type == Duration.class) {
      return "a time as PT0.15S";
    }
    return "a number, as " + type.getSimpleName();
  }
}
