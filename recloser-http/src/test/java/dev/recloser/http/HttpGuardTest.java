package dev.recloser.http;

import static dev.recloser.http.HttpCallTest.call;
import static dev.recloser.http.HttpOutcomesTest.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.Hedge;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Outcome;
import dev.recloser.Retry;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Calls that are let in by hand, on fake time: what a breaker learns of them, and when. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class HttpGuardTest {
  private static final HttpCall CALL = call("GET", "http://inventory:8080/stock/17");

  private final FakeTime time = FakeTime.create();

  @Test
  void a_good_answer_ends_with_its_body() {
    HttpGuard guard = guard(calls -> {});
    HttpPermit permit = guard.acquire(CALL);

    permit.answered(answer(200));
    assertThat(inFlight(guard)).isEqualTo(1);
    permit.bodyEnded();

    assertThat(inFlight(guard)).isZero();
    assertThat(metrics(guard).succeeded()).isEqualTo(1);
  }

  @Test
  void a_slow_body_makes_the_call_slow_unless_it_ends_with_its_head() {
    for (CallEnd end : CallEnd.values()) {
      HttpGuard guard = guard(calls -> calls.callEnd(end));
      HttpPermit permit = guard.acquire(CALL);
      permit.answered(answer(200));
      time.advance(Duration.ofSeconds(2));
      permit.bodyEnded();

      assertThat(metrics(guard).succeeded()).as(end.name()).isEqualTo(1);
      assertThat(metrics(guard).slow()).as(end.name()).isEqualTo(end == CallEnd.BODY ? 1 : 0);
    }
  }

  @Test
  void a_bad_answer_ends_with_its_head() {
    HttpGuard guard = guard(calls -> {});
    HttpPermit permit = guard.acquire(CALL);

    permit.answered(answer(503));
    assertThat(metrics(guard).failed()).isEqualTo(1);
    permit.fail(new IOException("in the body"));
    permit.bodyEnded();
    permit.close();

    assertThat(metrics(guard).failed()).isEqualTo(1);
    assertThat(metrics(guard).cancelled()).isZero();
  }

  @Test
  void a_body_that_breaks_off_is_a_failure() {
    HttpGuard guard = guard(calls -> {});
    HttpPermit permit = guard.acquire(CALL);

    permit.answered(answer(200));
    permit.fail(new IOException("reset"));

    assertThat(metrics(guard).failed()).isEqualTo(1);
  }

  @Test
  void a_body_that_is_not_wanted_leaves_the_answer_as_good_as_its_head() {
    HttpGuard guard = guard(calls -> {});
    HttpPermit permit = guard.acquire(CALL);
    permit.answered(answer(200));
    permit.bodyClosed();
    assertThat(metrics(guard).succeeded()).isEqualTo(1);

    guard.acquire(CALL).bodyClosed();
    assertThat(metrics(guard).cancelled()).isEqualTo(1);
  }

  @Test
  void giving_up_is_no_evidence() {
    HttpGuard guard = guard(calls -> {});
    guard.acquire(CALL).close();
    guard.acquire(CALL).fail(new CancellationException());
    HttpPermit inTheBody = guard.acquire(CALL);
    inTheBody.answered(answer(200));
    inTheBody.close();
    guard.acquire(CALL).notSent();

    assertThat(metrics(guard).cancelled()).isEqualTo(3);
    assertThat(metrics(guard).ignored()).isEqualTo(1);
  }

  @Test
  void the_beginning_of_a_body_is_asked_however_it_is_cut() {
    HttpGuard guard =
        guard(
            calls ->
                calls.outcomes(
                    rows ->
                        rows.bodyLimit(10)
                            .body(text -> text.equals("{\"error\":1"), Outcome.FAILURE)));
    HttpPermit permit = guard.acquire(CALL);
    permit.answered(answer(200));
    for (String part : new String[] {"{\"err", "", "or\":1", "7}", " and more"}) {
      ByteBuffer buffer = ByteBuffer.wrap(part.getBytes(StandardCharsets.UTF_8));
      permit.body(buffer);
      assertThat(buffer.remaining()).as("left as it is").isEqualTo(part.length());
    }
    permit.bodyEnded();

    assertThat(metrics(guard).failed()).isEqualTo(1);
  }

  @Test
  void no_more_of_a_body_is_wanted_than_is_asked() {
    HttpGuard guard =
        guard(
            calls ->
                calls.outcomes(rows -> rows.bodyLimit(3).body(String::isBlank, Outcome.FAILURE)));
    HttpPermit permit = guard.acquire(CALL);
    assertThat(permit.wantsBody()).isFalse();
    permit.answered(answer(200));
    permit.body(ByteBuffer.wrap(new byte[] {'o', 'k'}));
    assertThat(permit.wantsBody()).isTrue();
    permit.body(ByteBuffer.wrap(new byte[] {'!', '!'}));
    assertThat(permit.wantsBody()).isFalse();
  }

  @Test
  void an_exception_with_a_row_is_what_that_says() {
    HttpGuard guard =
        guard(calls -> calls.outcomes(rows -> rows.exception(IOException.class, Outcome.IGNORED)));

    guard.acquire(CALL).fail(new IOException("down"));
    guard.acquire(CALL).fail(new IllegalStateException("down"));

    assertThat(metrics(guard).ignored()).isEqualTo(1);
    assertThat(metrics(guard).failed()).isEqualTo(1);
  }

  @Test
  void exceptions_without_a_row_are_what_the_breakers_settings_say() {
    CircuitBreakerRegistry registry =
        CircuitBreakerRegistry.create(
            breakers -> breakers.defaultConfig(c -> c.ignoreExceptions(IOException.class)));
    HttpGuard guard = HttpGuard.create(calls -> calls.circuitBreakers(registry::circuitBreaker));

    guard.acquire(CALL).fail(new IOException("down"));

    assertThat(metrics(guard).ignored()).isEqualTo(1);
    assertThat(registry.find("http://inventory:8080")).isPresent();
  }

  @Test
  void a_breaker_says_which_answer_opened_it_and_waits_as_long_as_that_asked() {
    HttpGuard guard =
        HttpGuard.create(
            calls ->
                calls.circuitBreaker(
                    config ->
                        config
                            .slidingWindowSize(1)
                            .waitDurationInOpenState(Duration.ofSeconds(30))
                            .ticker(time)));

    guard.acquire(CALL).answered(answer(503, "Retry-After", "120"));

    CircuitBreaker breaker = guard.circuitBreaker(CALL);
    assertThat(breaker.explain())
        .contains("OPEN for 2 min more")
        .contains("1 of the last 1 call failed (100 % >= 50 %), last with HTTP 503");
    assertThatThrownBy(() -> guard.acquire(CALL))
        .isInstanceOfSatisfying(
            CallNotPermittedException.class,
            refused -> assertThat(refused.retryAfter()).contains(Duration.ofMinutes(2)));
  }

  @Test
  void a_key_that_fails_leaves_calls_to_the_breaker_of_their_origin() {
    for (HttpKey broken :
        new HttpKey[] {
          any -> {
            throw new IllegalStateException("key");
          },
          any -> null,
          any -> " "
        }) {
      HttpGuard guard = HttpGuard.create(calls -> calls.key(broken));
      assertThat(guard.circuitBreaker(CALL).name()).isEqualTo("http://inventory:8080");
    }
  }

  @Test
  void only_calls_that_may_be_repeated_have_a_retry() {
    HttpGuard guard = HttpGuard.create(calls -> calls.retry(config -> config.maxAttempts(2)));
    HttpGuard broken =
        HttpGuard.create(
            calls ->
                calls
                    .retries(name -> Retry.create(name, config -> {}))
                    .idempotent(
                        any -> {
                          throw new IllegalStateException("predicate");
                        }));

    assertThat(guard.retry(CALL)).isPresent();
    assertThat(guard.retry(call("POST", "http://inventory:8080/"))).isEmpty();
    assertThat(broken.retry(CALL)).isEmpty();
    assertThat(HttpGuard.create().retry(CALL)).isEmpty();
  }

  @Test
  void only_calls_that_may_be_repeated_have_a_hedge() {
    HttpGuard guard =
        HttpGuard.create(calls -> calls.hedge(config -> config.delay(Duration.ofMillis(20))));

    assertThat(guard.hedge(CALL)).isPresent();
    assertThat(guard.hedge(CALL).orElseThrow().config().delay()).isEqualTo(Duration.ofMillis(20));
    assertThat(guard.hedge(call("POST", "http://inventory:8080/"))).isEmpty();
    assertThat(HttpGuard.create().hedge(CALL)).isEmpty();
  }

  @Test
  void what_it_made_for_itself_can_be_seen() {
    HttpGuard guard = HttpGuard.create(calls -> calls.retry(r -> {}));
    guard.acquire(CALL).close();

    assertThat(guard.policies().all()).containsExactly(guard.circuitBreaker(CALL));
    Retry retry = guard.retry(CALL).orElseThrow();
    assertThat(guard.policies().all()).containsExactly(guard.circuitBreaker(CALL), retry);
    HttpGuard elsewhere = HttpGuard.create(calls -> calls.circuitBreakers(CircuitBreaker::create));
    elsewhere.acquire(CALL).close();
    assertThat(elsewhere.policies().all()).isEmpty();
  }

  @Test
  void without_room_for_a_breaker_there_is_no_call() {
    CircuitBreakerRegistry full = CircuitBreakerRegistry.create(breakers -> breakers.maxSize(1));
    HttpGuard guard = HttpGuard.create(calls -> calls.circuitBreakers(full::circuitBreaker));
    HttpPermit running = guard.acquire(CALL);

    assertThatThrownBy(() -> guard.acquire(call("GET", "http://elsewhere/")))
        .isInstanceOf(IllegalStateException.class);
    running.close();
  }

  @Test
  void contradictions_are_told_at_once() {
    assertThatThrownBy(
            () ->
                HttpGuard.create(
                    calls ->
                        calls
                            .circuitBreaker(config -> {})
                            .circuitBreakers(CircuitBreaker::create)
                            .retry(config -> {})
                            .retries(name -> Retry.create(name, config -> {}))
                            .hedge(config -> {})
                            .hedges(name -> Hedge.create(name, any -> any.idempotent(true)))
                            .callEnd(CallEnd.HEADERS)
                            .outcomes(rows -> rows.body(text -> true, Outcome.FAILURE))))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            """
            A guard of HTTP calls cannot be configured like this:
              - circuitBreaker: set, and circuitBreakers as well (expected: one of them: those have settings already)
              - retry: set, and retries as well (expected: one of them: those have settings already)
              - hedge: set, and hedges as well (expected: one of them: those have settings already)
              - callEnd: HEADERS with a table that asks bodies (expected: BODY, or no rows for bodies)""");
  }

  private HttpGuard guard(Consumer<HttpGuard.Builder> settings) {
    return HttpGuard.create(
        calls -> {
          calls.circuitBreaker(
              config -> config.ticker(time).slowCallDurationThreshold(Duration.ofSeconds(1)));
          settings.accept(calls);
        });
  }

  private static CircuitBreakerMetrics metrics(HttpGuard guard) {
    return guard.circuitBreaker(CALL).metrics();
  }

  private static long inFlight(HttpGuard guard) {
    return guard.circuitBreaker(CALL).snapshot().callsInFlight();
  }
}
