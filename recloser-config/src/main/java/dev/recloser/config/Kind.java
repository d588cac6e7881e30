package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the value of a setting is written.
 *
 * @param <T> what it is
 */
interface Kind<T> {
  /** On or off. */
  Kind<Boolean> SWITCH =
      scalar(
          "true or false",
          Kind::parseSwitch,
          new Form("switch", "true or false", "", Map.of("type", "boolean")));

  /** How many. */
  Kind<Integer> COUNT =
      scalar(
          "a whole number up to 2,147,483,647",
          Kind::parseCount,
          new Form("count", "whole number", "", Map.of("type", "integer", "minimum", 0)));

  /** Any number. */
  Kind<Double> NUMBER =
      scalar(
          "a number",
          Kind::parseNumber,
          new Form("number", "number", "", Map.of("type", "number", "minimum", 0)));

  /** A share of one. */
  Kind<Double> SHARE =
      scalar(
          "a number from 0 to 1",
          Kind::parseShare,
          new Form(
              "share", "number", "0 to 1", Map.of("type", "number", "minimum", 0, "maximum", 1)));

  /** A share in percent. */
  Kind<Double> PERCENT =
      scalar(
          "a percentage, as a bare number such as 50",
          Kind::parseNumber,
          new Form(
              "percent", "number", "%", Map.of("type", "number", "minimum", 0, "maximum", 100)));

  /** How long. */
  Kind<Duration> DURATION =
      scalar(
          "a duration such as 150ms, 30s, 2m, 1h or PT30S; a bare number is milliseconds",
          Durations::parse,
          new Form(
              "duration",
              "duration",
              "ms",
              Map.of("type", List.of("string", "integer"), "pattern", Durations.PATTERN)));

  /** A name as it is written. */
  Kind<String> NAME =
      scalar("a name", text -> text, new Form("name", "name", "", Map.of("type", "string")));

  /** The size of a window, as what it sets: what a bare number means is for the builder to say. */
  Kind<Consumer<CircuitBreakerConfig.Builder>> WINDOW_SIZE =
      scalar(
          "a number of calls such as 100, or a duration such as 30s",
          Kind::parseWindowSize,
          new Form(
              "windowSize",
              "whole number, or duration",
              "calls, or s",
              Map.of("type", List.of("string", "integer"), "pattern", Durations.PATTERN)));

  /** Reads a value; null if it is wrong, which is then reported. */
  @Nullable T read(String key, Value value, Reading reading);

  /** How the values look. */
  Form form();

  static <E extends Enum<E>> Kind<E> oneOf(Class<E> type) {
    return oneOf(Arrays.asList(type.getEnumConstants()));
  }

  static <E extends Enum<E>> Kind<E> oneOf(List<E> constants) {
    String names = constants.stream().map(Enum::name).collect(Collectors.joining(", "));
    int last = names.lastIndexOf(", ");
    return scalar(
        names.substring(0, last) + " or " + names.substring(last + 2),
        text ->
            constants.stream()
                .filter(each -> KeyPath.canonical(each.name()).equals(KeyPath.canonical(text)))
                .findFirst()
                .orElse(null),
        Form.choice(constants.stream().map(Enum::name).toList()));
  }

  private static <T> Kind<T> scalar(String expected, Parser<T> parser, Form form) {
    return new Single<>(expected, parser, form);
  }

  private static @Nullable Boolean parseSwitch(String text) {
    return switch (KeyPath.canonical(text)) {
      case "true" -> true;
      case "false" -> false;
      default -> null;
    };
  }

  private static @Nullable Integer parseCount(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Unlike {@code Double.parseDouble}, without NaN, infinity and the suffixes of Java. */
  private static @Nullable Double parseNumber(String text) {
    return text.matches("[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?") ? Double.valueOf(text) : null;
  }

  private static @Nullable Double parseShare(String text) {
    Double number = parseNumber(text);
    return number != null && number >= 0 && number <= 1 ? number : null;
  }

  private static @Nullable Consumer<CircuitBreakerConfig.Builder> parseWindowSize(String text) {
    Integer number = parseCount(text);
    if (number != null) {
      return builder -> builder.slidingWindowSize(number);
    }
    Duration duration = Durations.parseWithUnit(text);
    return duration == null ? null : builder -> builder.slidingWindowSize(duration);
  }

  /**
   * A single value.
   *
   * @param expected what to expect in place of a wrong one
   */
  record Single<T>(String expected, Parser<T> parser, Form form) implements Kind<T> {
    @Override
    public @Nullable T read(String key, Value value, Reading reading) {
      String text = value instanceof Value.Scalar scalar ? scalar.text() : null;
      T parsed = text == null || text.isBlank() ? null : parser.parse(text.strip());
      if (parsed == null) {
        reading.problems().add(value.place(), key, value.shown(), expected);
      }
      return parsed;
    }
  }

  /** Reads the text of a single value; null if it is none. */
  @FunctionalInterface
  interface Parser<T> {
    @Nullable T parse(String text);
  }
}
