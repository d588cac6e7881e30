package dev.recloser.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long a server wants to be left alone, by the headers of its answer.
 *
 * <ol>
 *   <li>{@code Retry-After} (RFC 9110, 10.2.3), seconds or one of the three forms of a date. A date
 *       is compared with the {@code Date} of the same answer, so that the clocks of the two
 *       machines need not agree; without one, with the clock that is handed in.
 *   <li>Without one that can be read, {@code RateLimit} with nothing left ({@code r=0}) and a time
 *       ({@code t=30}), as the drafts of the IETF have it
 *       (draft-ietf-httpapi-ratelimit-headers-10), or {@code RateLimit-Reset} in seconds, unless
 *       {@code RateLimit-Remaining} says that something is left, as the earlier ones had it. {@code
 *       X-RateLimit-Reset} is left alone, for nobody knows whether it is a time or a date.
 * </ol>
 *
 * <p>What a header says can be anything. Values that are neither, negative or over-long ones
 * included, count for nothing; of several that can be read the longest counts; a date that has
 * passed is no wait; and none is longer than {@link #LONGEST}. Who waits has a limit besides that.
 */
public final class RetryAfterHeader {
  /** The longest time that is believed: a day. */
  public static final Duration LONGEST = Duration.ofDays(1);

  private static final int MAX_LENGTH = 256;
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");
  private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"");

  private RetryAfterHeader() {}

  /**
   * Reads the headers of an answer.
   *
   * @param clock the time of day here, for a date in an answer that has no {@code Date}
   * @return zero to {@link #LONGEST}; empty where they say nothing
   */
  public static Optional<Duration> of(HttpAnswer answer, InstantSource clock) {
    Objects.requireNonNull(clock, "clock");
    List<String> values = answer.headers("Retry-After");
    if (!values.isEmpty()) {
      Instant now = now(answer, clock);
      Optional<Duration> asked = longest(values.stream().map(value -> parse(value, now)));
      if (asked.isPresent()) {
        return asked;
      }
    }
    return longest(Stream.concat(rateLimit(answer), rateLimitReset(answer)));
  }

  private static Instant now(HttpAnswer answer, InstantSource clock) {
    Instant here = clock.instant();
    Instant there = answer.header("Date").map(date -> HttpDate.parse(date, here)).orElse(null);
    return there == null ? here : there;
  }

  private static @Nullable Duration parse(String value, Instant now) {
    String text = value.strip();
    if (text.length() > MAX_LENGTH) {
      return null;
    }
    Duration seconds = seconds(text);
    if (seconds != null) {
      return seconds;
    }
    Instant until = HttpDate.parse(text, now);
    return until == null ? null : bounded(Duration.between(now, until));
  }

  private static @Nullable Duration seconds(String text) {
    if (text.length() > MAX_LENGTH || !DIGITS.matcher(text).matches()) {
      return null;
    }
    String number = text.replaceFirst("^0+(?=.)", "");
    return number.length() > 9 ? LONGEST : bounded(Duration.ofSeconds(Long.parseLong(number)));
  }

  private static Duration bounded(Duration asked) {
    if (asked.isNegative()) {
      return Duration.ZERO;
    }
    return asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
  }

  /** A list of limits, each with a name, what is left, and when there is more. */
  private static Stream<@Nullable Duration> rateLimit(HttpAnswer answer) {
    return answer.headers("RateLimit").stream()
        .filter(value -> value.length() <= MAX_LENGTH)
        .flatMap(value -> Stream.of(QUOTED.matcher(value).replaceAll("").split(",")))
        .map(limit -> List.of(limit.replace(" ", "").split(";")))
        .filter(parameters -> parameters.contains("r=0"))
        .flatMap(List::stream)
        .filter(parameter -> parameter.startsWith("t="))
        .map(parameter -> seconds(parameter.substring(2)));
  }

  private static Stream<@Nullable Duration> rateLimitReset(HttpAnswer answer) {
    boolean nothingLeft =
        answer.headers("RateLimit-Remaining").stream().allMatch(left -> left.strip().equals("0"));
    return nothingLeft
        ? answer.headers("RateLimit-Reset").stream().map(value -> seconds(value.strip()))
        : Stream.empty();
  }

  private static Optional<Duration> longest(Stream<@Nullable Duration> all) {
    return all.filter(Objects::nonNull).max(Comparator.naturalOrder());
  }
}
