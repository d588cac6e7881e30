package dev.recloser.http;

import static dev.recloser.http.HttpOutcomesTest.answer;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a server wants to be left alone, whatever it writes. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RetryAfterHeaderTest {
  private static final InstantSource HERE =
      InstantSource.fixed(Instant.parse("2026-11-30T12:00:00Z"));

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "120, 120",
    "' 120 ', 120",
    "000000000000000000007, 7",
    "86400, 86400",
    // Absurd ones are bounded.
    "86401, 86400",
    "2147483648, 86400",
    "9223372036854775808, 86400",
    "99999999999999999999999999999999999999999999999999, 86400"
  })
  void seconds(String value, long seconds) {
    assertThat(read("Retry-After", value)).contains(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Mon, 30 Nov 2026 12:02:00 GMT | 120",
        "Monday, 30-Nov-26 12:02:00 GMT | 120",
        "Mon Nov 30 12:02:00 2026 | 120",
        "Tue, 1 Dec 2026 00:00:00 GMT | 43200",
        "Tue Dec  1 00:00:00 2026 | 43200",
        "Mon, 30 Nov 2026 12:00:00 GMT | 0",
        // The past is no wait.
        "Sun, 06 Nov 1994 08:49:37 GMT | 0",
        "Sunday, 06-Nov-94 08:49:37 GMT | 0",
        "Sun Nov  6 08:49:37 1994 | 0",
        // Absurd ones are bounded.
        "Fri, 31 Dec 9999 23:59:59 GMT | 86400",
        "Thursday, 31-Dec-70 23:59:59 GMT | 86400"
      })
  void a_date_in_each_of_the_three_forms(String value, long seconds) {
    assertThat(read("Retry-After", value)).contains(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-1",
        "+1",
        "1.5",
        "1e3",
        "0x10",
        "1 s",
        "soon",
        "١٢٠",
        "NaN",
        "120, 240",
        "Mon, 30 Nov 2026 25:02:00 GMT",
        "Mon, 32 Nov 2026 12:02:00 GMT",
        "Mon, 30 Now 2026 12:02:00 GMT",
        "Sun, 30 Nov 2026 12:02:00 GMT",
        "2026-11-30T12:02:00Z",
        ",",
        ", - ",
        "Monday, 30-Nov-26",
        "Mon Nov"
      })
  void what_is_neither_counts_for_nothing(String value) {
    assertThat(read("Retry-After", value)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "Mon, ", " ", ",", "\"", "t=", "r=0;"})
  void what_is_endless_counts_for_nothing(String piece) {
    String endless = piece.repeat(100_000);
    assertThat(read("Retry-After", endless)).isEmpty();
    assertThat(read("RateLimit", endless)).isEmpty();
    assertThat(read("RateLimit-Reset", endless)).isEmpty();
    assertThat(read("Retry-After", "Mon, 30 Nov 2026 12:02:00 GMT", "Date", endless))
        .contains(Duration.ofMinutes(2));
  }

  @Test
  void a_date_is_compared_with_the_servers_own_clock_where_it_tells() {
    assertThat(
            read(
                "Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT",
                "Date", "Sun, 06 Nov 1994 08:49:37 GMT"))
        .contains(Duration.ofMinutes(1));
    assertThat(read("Retry-After", "Mon, 30 Nov 2026 12:02:00 GMT", "Date", "yesterday"))
        .contains(Duration.ofMinutes(2));
  }

  @Test
  void dates_do_not_depend_on_the_locale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-SA-u-nu-arab-ca-islamic"));
      assertThat(read("Retry-After", "Monday, 30-Nov-26 12:02:00 GMT"))
          .contains(Duration.ofMinutes(2));
      assertThat(read("Retry-After", "Mon Nov 30 12:02:00 2026")).contains(Duration.ofMinutes(2));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void of_several_the_longest_that_can_be_read_counts() {
    assertThat(read("Retry-After", "10", "Retry-After", "soon", "Retry-After", "30"))
        .contains(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"default\";r=0;t=30 | 30",
        "\"a\";r=5;t=60, \"b\";r=0;t=30 | 30",
        "\"a\";r=0;t=60, \"b\";r=0;t=30 | 60",
        "\"a,b;r=9\" ; t=30 ; r=0 | 30",
        "\"default\";r=0;t=999999999999 | 86400"
      })
  void a_used_up_rate_limit(String value, long seconds) {
    assertThat(read("RateLimit", value)).contains(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"default\";r=50;t=30", "\"default\";r=0", "\"default\";r=0;t=-1", "r", "\"x"})
  void a_rate_limit_that_is_not_used_up_or_says_no_time(String value) {
    assertThat(read("RateLimit", value)).isEmpty();
  }

  @Test
  void an_earlier_form_of_a_rate_limit() {
    assertThat(read("RateLimit-Remaining", "0", "RateLimit-Reset", "30"))
        .contains(Duration.ofSeconds(30));
    assertThat(read("RateLimit-Reset", "30")).contains(Duration.ofSeconds(30));
    assertThat(read("RateLimit-Remaining", "4", "RateLimit-Reset", "30")).isEmpty();
    assertThat(read("RateLimit-Remaining", "0")).isEmpty();
    assertThat(read("X-RateLimit-Reset", "1700000000")).isEmpty();
  }

  @Test
  void retry_after_comes_first_if_it_can_be_read() {
    assertThat(read("Retry-After", "7", "RateLimit-Reset", "30")).contains(Duration.ofSeconds(7));
    assertThat(read("Retry-After", "soon", "RateLimit-Reset", "30"))
        .contains(Duration.ofSeconds(30));
  }

  private static Optional<Duration> read(String... headers) {
    return RetryAfterHeader.of(answer(429, headers), HERE);
  }
}
