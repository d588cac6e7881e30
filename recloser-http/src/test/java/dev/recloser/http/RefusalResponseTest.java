package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Bulkhead;
import dev.recloser.CallRejectedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.Permit;
import dev.recloser.RateLimiter;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** What a server says when one of its own calls was refused. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RefusalResponseTest {
  private final FakeTime time = FakeTime.create();

  /** A refusal that says when to try again, or not. */
  private static final class Rejection extends CallRejectedException {
    private static final long serialVersionUID = 1L;
    private final Duration retryAfter;

    Rejection(Duration retryAfter) {
      super("full", /* writableStackTrace= */ false);
      this.retryAfter = retryAfter;
    }

    @Override
    public String policy() {
      return "pool";
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.ofNullable(retryAfter);
    }
  }

  @Test
  void a_refusal_by_a_breaker_names_the_dependency_and_says_that_it_was_us() {
    CircuitBreaker breaker =
        CircuitBreaker.create(
            "inventory",
            config ->
                config
                    .slidingWindowSize(1)
                    .waitDurationInOpenState(Duration.ofSeconds(30))
                    .ticker(time));
    breaker.acquire().fail(new IOException("secret"));
    time.advance(Duration.ofMillis(17_500));

    RefusalResponse answer = RefusalResponse.of(refusal(breaker::acquire));

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.headers())
        .containsEntry("Content-Type", "application/problem+json")
        .containsEntry("Cache-Control", "no-store")
        .containsEntry("Retry-After", "13")
        .hasSize(3);
    assertThat(members(answer.body()))
        .containsEntry("type", "about:blank")
        .containsEntry("title", "Service Unavailable")
        .containsEntry("status", "503")
        .containsEntry("dependency", "inventory")
        .containsEntry("refusedBy", "circuit breaker")
        .containsEntry("callMade", "false")
        .containsEntry("retryAfterSeconds", "13")
        .containsEntry(
            "detail",
            "We did not call inventory: our own circuit breaker refused, since calls to it are"
                + " held back for now. It may be called again in 13 s.")
        .hasSize(8);
    assertThat(answer.body()).doesNotContain("secret");
  }

  @Test
  void a_breaker_that_an_operator_has_forced_open_does_not_say_when() {
    CircuitBreaker breaker = CircuitBreaker.create("inventory");
    breaker.transitionTo(CircuitBreaker.State.FORCED_OPEN);

    RefusalResponse answer = RefusalResponse.of(refusal(breaker::acquire));

    assertThat(answer.headers()).doesNotContainKey("Retry-After");
    assertThat(members(answer.body())).doesNotContainKey("retryAfterSeconds");
    assertThat(answer)
        .hasToString(
            "503 We did not call inventory: our own circuit breaker refused, since an operator has"
                + " stopped the calls to it.");
  }

  @Test
  void a_breaker_that_lets_traffic_back_says_so() {
    CircuitBreaker breaker =
        CircuitBreaker.create(
            "inventory",
            config ->
                config
                    .permittedNumberOfCallsInHalfOpenState(1)
                    .waitDurationInOpenState(Duration.ofSeconds(1))
                    .rampUpDuration(Duration.ofSeconds(10))
                    .rampUpInitialPercentage(1)
                    .ticker(time));
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    time.advance(Duration.ofSeconds(1));
    Permit probe = breaker.acquire();
    assertThat(RefusalResponse.of(refusal(breaker::acquire)).toString())
        .contains("since it is being tested by a few calls");
    probe.complete("in stock");
    while (breaker.tryAcquire() != null) {
      // A small share of the calls gets through.
    }

    assertThat(RefusalResponse.of(refusal(breaker::acquire)).toString())
        .contains("it has just recovered, and is given a share of the calls for now");
  }

  @Test
  void other_policies_say_what_they_are() {
    Bulkhead bulkhead = Bulkhead.create("pool", config -> config.maxConcurrentCalls(1));
    RateLimiter limiter =
        RateLimiter.create(
            "quota",
            config -> config.limitForPeriod(1).timeoutDuration(Duration.ZERO).ticker(time));
    bulkhead.acquire();
    limiter.call(() -> 1);

    assertThat(members(RefusalResponse.of(refusal(bulkhead::acquire)).body()))
        .containsEntry("refusedBy", "bulkhead");
    assertThat(members(RefusalResponse.of(refusal(() -> limiter.call(() -> 1))).body()))
        .containsEntry("refusedBy", "rate limiter")
        .containsEntry("retryAfterSeconds", "1");
    assertThat(members(RefusalResponse.of(new Rejection(null)).body()))
        .containsEntry("refusedBy", "policy");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "999999999, 1", "1000000000, 1", "1000000001, 2"})
  void seconds_are_rounded_up(long nanos, long seconds) {
    assertThat(RefusalResponse.of(new Rejection(Duration.ofNanos(nanos))).retryAfterSeconds())
        .hasValue(seconds);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"},{\"status\":200", "back\\slash", "line\nbreak\u0000", "Lager für ☃ 🎄"})
  void whatever_a_dependency_is_called_the_document_is_one(String name) {
    RefusalResponse answer = RefusalResponse.of(new Rejection(null), name);

    assertThat(members(answer.body())).containsEntry("dependency", name).hasSize(7);
    assertThat(answer.body()).matches("[ -~]*");
  }

  @Test
  void a_refusal_is_found_inside_other_exceptions() {
    Rejection refused = new Rejection(null);
    Exception nested = new CompletionException(new RuntimeException(refused));
    Exception circle = new IOException();
    circle.initCause(new IOException(circle));

    assertThat(RefusalResponse.refusalIn(refused)).contains(refused);
    assertThat(RefusalResponse.refusalIn(nested)).contains(refused);
    assertThat(RefusalResponse.refusalIn(new IOException())).isEmpty();
    assertThat(RefusalResponse.refusalIn(circle)).isEmpty();
  }

  private static CallRejectedException refusal(Runnable call) {
    try {
      call.run();
    } catch (CallRejectedException refused) {
      return refused;
    }
    throw new AssertionError("not refused");
  }

  private static Map<String, String> members(String json) {
    Map<String, String> members = new LinkedHashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        assertThat(members.put(name, parser.getString())).isNull();
      }
      assertThat(parser.nextToken()).isNull();
    }
    return members;
  }
}
