package dev.recloser;

import static dev.recloser.Pair.Kind.BULKHEAD;
import static dev.recloser.Pair.Kind.CIRCUIT_BREAKER;
import static dev.recloser.Pair.Kind.FALLBACK;
import static dev.recloser.Pair.Kind.HEDGE;
import static dev.recloser.Pair.Kind.RATE_LIMITER;
import static dev.recloser.Pair.Kind.RETRY;
import static dev.recloser.Pair.Kind.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Any two policies in both orders, in the situation that shows the difference. What each test
 * proves stands in its annotation, from which {@link PolicyPairsDocumentTest} has the document.
 */
final class PolicyPairsTest extends PolicyScenario {
  private static FallbackMetrics fallbackOf(Pipeline<Object> pipeline) {
    return pipeline.fallbackMetrics().get(0);
  }

  @Pair(
      outer = FALLBACK,
      inner = RETRY,
      says = "The fallback answers once, when the last attempt has failed.",
      choose = "the fallback is what is left when retrying has not helped.")
  @ParameterizedTest
  @EnumSource
  void fallback_around_retry(Way way) throws Throwable {
    Retry retry = retry();
    Pipeline<Object> pipeline = pipeline(fallback(), retry);
    Dependency dependency = dependency(down());

    assertThat(call(way, pipeline, dependency)).isEqualTo("instead");

    assertThat(dependency.calls()).isEqualTo(3);
    assertThat(retry.metrics().exhausted()).isEqualTo(1);
    assertThat(fallbackOf(pipeline).fallback()).isEqualTo(1);
  }

  @Pair(
      outer = RETRY,
      inner = FALLBACK,
      says =
          "The fallback answers the first failure. To the retry that is a success: it never retries.")
  @ParameterizedTest
  @EnumSource
  void retry_around_fallback(Way way) throws Throwable {
    Retry retry = retry();
    Pipeline<Object> pipeline = pipeline(retry, fallback());
    Dependency dependency = dependency(down());

    assertThat(call(way, pipeline, dependency)).isEqualTo("instead");

    assertThat(dependency.calls()).isEqualTo(1);
    assertThat(retry.metrics().succeeded()).isEqualTo(1);
  }

  @Pair(
      outer = FALLBACK,
      inner = HEDGE,
      says = "The fallback answers only when no attempt has succeeded.",
      choose = "a good answer that comes late is worth more than a substitute that comes soon.")
  @ParameterizedTest
  @EnumSource
  void fallback_around_hedge(Way way) throws Throwable {
    Hedge hedge = hedge(way);
    Pipeline<Object> pipeline = pipeline(fallback(), hedge);

    assertThat(call(way, pipeline, dependency(hangs(), "stock"))).isEqualTo("stock");
    assertThat(call(way, pipeline, dependency(down()))).isEqualTo("instead");

    assertThat(hedge.metrics().failed()).isEqualTo(1);
    assertThat(fallbackOf(pipeline).live()).isEqualTo(1);
    assertThat(fallbackOf(pipeline).fallback()).isEqualTo(1);
  }

  @Pair(
      outer = HEDGE,
      inner = FALLBACK,
      says =
          "Each attempt has its fallback. The substitute for one that fails wins over another that"
              + " still goes on, which is cancelled.")
  @ParameterizedTest
  @EnumSource
  void hedge_around_fallback(Way way) throws Throwable {
    Hedge hedge = hedge(way);
    Dependency dependency = dependency(hangs(), down());

    assertThat(call(way, pipeline(hedge, fallback()), dependency)).isEqualTo("instead");

    assertThat(hedge.metrics().wonByHedge()).isEqualTo(1);
    assertThat(dependency.calls()).isEqualTo(2);
  }

  @Pair(
      outer = FALLBACK,
      inner = CIRCUIT_BREAKER,
      says = "Failures are counted by the breaker, and refusals of the open breaker are answered.",
      choose = "this is what the fallback is there for.")
  @ParameterizedTest
  @EnumSource
  void fallback_around_breaker(Way way) throws Throwable {
    CircuitBreaker closed = breaker();
    CircuitBreaker open = openBreaker();
    Dependency dependency = dependency(down());

    assertThat(call(way, pipeline(fallback(), closed), dependency)).isEqualTo("instead");
    assertThat(call(way, pipeline(fallback(), open), dependency)).isEqualTo("refused");

    assertThat(closed.metrics().failed()).isEqualTo(1);
    assertThat(open.metrics().totalRefused()).isEqualTo(1);
    assertThat(dependency.calls()).isEqualTo(1);
  }

  @Pair(
      outer = CIRCUIT_BREAKER,
      inner = FALLBACK,
      says =
          "The breaker counts the fallback's answers as successes and never opens. Were it open, its"
              + " refusals would reach the caller.")
  @ParameterizedTest
  @EnumSource
  void breaker_around_fallback(Way way) throws Throwable {
    CircuitBreaker closed = breaker();
    Pipeline<Object> refusing = pipeline(openBreaker(), fallback());

    assertThat(call(way, pipeline(closed, fallback()), dependency(down()))).isEqualTo("instead");
    assertThat(failure(way, refusing, dependency("stock")))
        .isInstanceOf(CallNotPermittedException.class);

    assertThat(closed.metrics().succeeded()).isEqualTo(1);
    assertThat(closed.metrics().failed()).isZero();
  }

  @Pair(
      outer = FALLBACK,
      inner = RATE_LIMITER,
      says = "A call that gets no permit is answered.",
      choose = "callers get an answer however many they are.")
  @ParameterizedTest
  @EnumSource
  void fallback_around_limiter(Way way) throws Throwable {
    RateLimiter limiter = refusingLimiter(1);
    Pipeline<Object> pipeline = pipeline(fallback(), limiter);

    assertThat(call(way, pipeline, dependency("stock"))).isEqualTo("stock");
    assertThat(call(way, pipeline, dependency("stock"))).isEqualTo("refused");

    assertThat(limiter.metrics().refused()).isEqualTo(1);
  }

  @Pair(
      outer = RATE_LIMITER,
      inner = FALLBACK,
      says =
          "A call that gets no permit is refused, and the fallback does not see it. One that fails is"
              + " answered, and has used its permit.")
  @ParameterizedTest
  @EnumSource
  void limiter_around_fallback(Way way) throws Throwable {
    RateLimiter limiter = refusingLimiter(1);
    Pipeline<Object> pipeline = pipeline(limiter, fallback());

    assertThat(call(way, pipeline, dependency(down()))).isEqualTo("instead");
    assertThat(failure(way, pipeline, dependency("stock")))
        .isInstanceOf(RequestNotPermittedException.class);

    assertThat(fallbackOf(pipeline)).isEqualTo(new FallbackMetrics(0, 1, 0, 0, 0, 0));
  }

  @Pair(
      outer = FALLBACK,
      inner = BULKHEAD,
      says = "A call that gets no slot is answered, and the fallback works without one.",
      choose = "the fallback costs no slot that another call could use.")
  @ParameterizedTest
  @EnumSource
  void fallback_around_bulkhead(Way way) throws Throwable {
    Bulkhead bulkhead = bulkhead(1);
    List<Integer> running = new ArrayList<>();
    Pipeline<Object> pipeline = pipeline(noting(bulkhead, running), bulkhead);

    try (BulkheadSlot taken = bulkhead.acquire()) {
      assertThat(taken).isNotNull();
      assertThat(call(way, pipeline(fallback(), bulkhead), dependency("stock")))
          .isEqualTo("refused");
    }
    assertThat(call(way, pipeline, dependency(down()))).isEqualTo("noted");

    assertThat(running).containsExactly(0);
  }

  @Pair(
      outer = BULKHEAD,
      inner = FALLBACK,
      says =
          "A call that gets no slot is refused, and the fallback does not see it. While the fallback"
              + " of another call works it holds the slot.")
  @ParameterizedTest
  @EnumSource
  void bulkhead_around_fallback(Way way) throws Throwable {
    Bulkhead bulkhead = bulkhead(1);
    List<Integer> running = new ArrayList<>();
    Pipeline<Object> pipeline = pipeline(bulkhead, noting(bulkhead, running));

    try (BulkheadSlot taken = bulkhead.acquire()) {
      assertThat(taken).isNotNull();
      assertThat(failure(way, pipeline, dependency("stock")))
          .isInstanceOf(BulkheadFullException.class);
    }
    assertThat(call(way, pipeline, dependency(down()))).isEqualTo("noted");

    assertThat(running).containsExactly(1);
  }

  /** A fallback that notes how many slots are taken while it works. */
  private static Fallback<Object> noting(Bulkhead bulkhead, List<Integer> running) {
    return Fallback.of(
        f ->
            f.onFailure(
                thrown -> {
                  running.add(bulkhead.metrics().running());
                  return "noted";
                }));
  }

  @Pair(
      outer = FALLBACK,
      inner = TIMEOUT,
      says = "A call that timed out is answered. The fallback has no time limit.",
      choose =
          "a call that was too slow is answered; give a fallback that calls somebody else a timeout"
              + " of its own.")
  @ParameterizedTest
  @EnumSource
  void fallback_around_timeout(Way way) throws Throwable {
    Timeout timeout = timeout();
    Dependency dependency = dependency(hangs());
    Fallback<Object> fallback =
        Fallback.of(
            f -> f.onTimeout(() -> Deadline.remainingOfCall().isEmpty() ? "instead" : "limited"));

    assertThat(call(way, pipeline(fallback, timeout), dependency)).isEqualTo("instead");

    assertThat(time.elapsed()).isEqualTo(LIMIT);
    assertThat(dependency.stopped()).isEqualTo(1);
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 0, 1));
  }

  @Pair(
      outer = TIMEOUT,
      inner = FALLBACK,
      says = "A call that timed out is not answered: the timeout ends the fallback with it.")
  @ParameterizedTest
  @EnumSource
  void timeout_around_fallback(Way way) {
    Pipeline<Object> pipeline = pipeline(timeout(), fallback());

    assertThat(failure(way, pipeline, dependency(hangs())))
        .isInstanceOf(TimeoutExceededException.class);

    assertThat(fallbackOf(pipeline)).isEqualTo(new FallbackMetrics(0, 0, 0, 0, 0, 1));
  }

  @Pair(
      outer = RETRY,
      inner = HEDGE,
      says = "Each attempt of the retry is hedged; it fails when all attempts of the hedge have.",
      choose =
          "a failure ends the hedge at once, so that the retry can wait before it tries again.")
  @ParameterizedTest
  @EnumSource
  void retry_around_hedge(Way way) throws Throwable {
    Retry retry = retry();
    Hedge hedge = hedge(way);
    Dependency dependency = dependency(down(), "stock");

    assertThat(call(way, pipeline(retry, hedge), dependency)).isEqualTo("stock");

    assertThat(dependency.begun()).containsExactly(Duration.ZERO, WAIT);
    assertThat(hedge.metrics().failed()).isEqualTo(1);
    assertThat(hedge.metrics().wonByFirst()).isEqualTo(1);
    assertThat(retry.metrics().succeededAfterRetry()).isEqualTo(1);
  }

  @Pair(
      outer = HEDGE,
      inner = RETRY,
      says =
          "Each attempt of the hedge is retried by itself. A retry's wait is slowness to the hedge,"
              + " which begins another attempt meanwhile.")
  @ParameterizedTest
  @EnumSource
  void hedge_around_retry(Way way) throws Throwable {
    Retry retry = retry(s -> s.waitDuration(Duration.ofSeconds(1)));
    Hedge hedge = hedge(way);
    Dependency dependency = dependency(down(), "stock");

    assertThat(call(way, pipeline(hedge, retry), dependency)).isEqualTo("stock");

    assertThat(dependency.begun()).containsExactly(Duration.ZERO, DELAY);
    assertThat(hedge.metrics().wonByHedge()).isEqualTo(1);
    assertThat(hedge.metrics().failed()).isZero();
  }

  @Pair(
      outer = RETRY,
      inner = CIRCUIT_BREAKER,
      says =
          "The breaker counts attempts. When it opens, the next attempt is refused, and the retry ends"
              + " with that.",
      choose = "the breaker has its evidence sooner, and stops the retries of all callers.")
  @ParameterizedTest
  @EnumSource
  void retry_around_breaker(Way way) {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(2));
    Retry retry = retry();
    Dependency dependency = dependency(down());

    assertThat(failure(way, pipeline(retry, breaker), dependency))
        .isInstanceOf(CallNotPermittedException.class);

    assertThat(dependency.calls()).isEqualTo(2);
    assertThat(breaker.metrics().failed()).isEqualTo(2);
    assertThat(retry.metrics().notRetried()).isEqualTo(1);
  }

  @Pair(
      outer = CIRCUIT_BREAKER,
      inner = RETRY,
      says =
          "The breaker counts whole calls, however many attempts they take; while it is closed, every"
              + " call makes all of its attempts.")
  @ParameterizedTest
  @EnumSource
  void breaker_around_retry(Way way) {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(2));
    Dependency dependency = dependency(down());

    assertThat(failure(way, pipeline(breaker, retry()), dependency))
        .isInstanceOf(down().getClass());

    assertThat(dependency.calls()).isEqualTo(3);
    assertThat(breaker.metrics().failed()).isEqualTo(1);
  }

  @Pair(
      outer = RETRY,
      inner = RATE_LIMITER,
      says =
          "Each attempt takes a permit. One that gets none is refused, and the retry ends with that.",
      choose = "the dependency never sees more than the limit.")
  @ParameterizedTest
  @EnumSource
  void retry_around_limiter(Way way) {
    RateLimiter limiter = refusingLimiter(2);
    Dependency dependency = dependency(down());

    assertThat(failure(way, pipeline(retry(), limiter), dependency))
        .isInstanceOf(RequestNotPermittedException.class)
        .satisfies(refused -> assertThat(refused.getSuppressed()[0]).hasMessage("down"));

    assertThat(dependency.calls()).isEqualTo(2);
    assertThat(limiter.metrics().admitted()).isEqualTo(2);
  }

  @Pair(
      outer = RATE_LIMITER,
      inner = RETRY,
      says = "A call takes one permit, and the dependency may see a multiple of the limit.")
  @ParameterizedTest
  @EnumSource
  void limiter_around_retry(Way way) {
    RateLimiter limiter = refusingLimiter(2);
    Dependency dependency = dependency(down());

    assertThat(failure(way, pipeline(limiter, retry()), dependency)).hasMessage("down");

    assertThat(dependency.calls()).isEqualTo(3);
    assertThat(limiter.metrics().admitted()).isEqualTo(1);
  }

  @Pair(
      outer = RETRY,
      inner = BULKHEAD,
      says = "Each attempt takes a slot, and gives it back before the wait.",
      choose = "a call that only waits holds no slot.")
  @ParameterizedTest
  @EnumSource
  void retry_around_bulkhead(Way way) throws Throwable {
    Bulkhead bulkhead = bulkhead(1);

    assertThat(runningDuringWait(way, bulkhead, true)).isZero();

    assertThat(bulkhead.metrics().admitted()).isEqualTo(2);
  }

  @Pair(
      outer = BULKHEAD,
      inner = RETRY,
      says = "A call holds one slot from its first attempt to its last, its waits included.")
  @ParameterizedTest
  @EnumSource
  void bulkhead_around_retry(Way way) throws Throwable {
    Bulkhead bulkhead = bulkhead(1);

    assertThat(runningDuringWait(way, bulkhead, false)).isEqualTo(1);

    assertThat(bulkhead.metrics().admitted()).isEqualTo(1);
  }

  /** How many slots are taken in the middle of a retry's wait. */
  private int runningDuringWait(Way way, Bulkhead bulkhead, boolean retryOutside) throws Throwable {
    Retry retry = retry();
    List<Integer> running = noteRunning(bulkhead, WAIT.dividedBy(2));
    Pipeline<Object> pipeline =
        retryOutside ? pipeline(retry, bulkhead) : pipeline(bulkhead, retry);

    assertThat(call(way, pipeline, dependency(down(), "stock"))).isEqualTo("stock");
    assertThat(running).hasSize(1);
    return running.get(0);
  }

  /** Notes how many slots are taken at a later moment. */
  private List<Integer> noteRunning(Bulkhead bulkhead, Duration later) {
    List<Integer> running = new ArrayList<>();
    var unused = time.schedule(() -> running.add(bulkhead.metrics().running()), later);
    return running;
  }

  @Pair(
      outer = RETRY,
      inner = TIMEOUT,
      says = "Each attempt has its own time; one that timed out is retried.",
      choose =
          "one slow attempt does not cost the whole call. Put a second timeout, or a deadline, around"
              + " both to limit the whole.")
  @ParameterizedTest
  @EnumSource
  void retry_around_timeout(Way way) throws Throwable {
    Timeout timeout = timeout();
    Dependency dependency = dependency(hangs(), "stock");

    assertThat(call(way, pipeline(retry(), timeout), dependency)).isEqualTo("stock");

    assertThat(dependency.begun()).containsExactly(Duration.ZERO, LIMIT.plus(WAIT));
    assertThat(dependency.left()).containsExactly(LIMIT, LIMIT);
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(1, 0, 1));
  }

  @Pair(
      outer = TIMEOUT,
      inner = RETRY,
      says =
          "All attempts and waits share the time. When it is over the attempt is ended, and there is no"
              + " other.")
  @ParameterizedTest
  @EnumSource
  void timeout_around_retry(Way way) {
    Dependency dependency = dependency(after(millis(60), down()));

    assertThat(failure(way, pipeline(timeout(), retry()), dependency))
        .isInstanceOf(TimeoutExceededException.class);

    assertThat(dependency.begun()).containsExactly(Duration.ZERO, millis(70));
    assertThat(time.elapsed()).isEqualTo(LIMIT);
    assertThat(dependency.stopped()).isEqualTo(1);
  }

  @Pair(
      outer = HEDGE,
      inner = CIRCUIT_BREAKER,
      says = "The breaker counts each attempt: the winner as it ended, the losers as cancelled.",
      choose = "an open breaker refuses further attempts, and no attempt goes uncounted.")
  @ParameterizedTest
  @EnumSource
  void hedge_around_breaker(Way way) throws Throwable {
    CircuitBreaker breaker = breaker();

    assertThat(call(way, pipeline(hedge(way), breaker), dependency(hangs(), "stock")))
        .isEqualTo("stock");

    nothing_is_left();
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
  }

  @Pair(
      outer = CIRCUIT_BREAKER,
      inner = HEDGE,
      says = "The breaker counts whole calls, and does not see that attempts were too slow.")
  @ParameterizedTest
  @EnumSource
  void breaker_around_hedge(Way way) throws Throwable {
    CircuitBreaker breaker = breaker();

    assertThat(call(way, pipeline(breaker, hedge(way)), dependency(hangs(), "stock")))
        .isEqualTo("stock");

    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
    assertThat(breaker.metrics().cancelled()).isZero();
  }

  @Pair(
      outer = HEDGE,
      inner = RATE_LIMITER,
      says = "Each attempt takes a permit. One that gets none is refused, and the others go on.",
      choose = "the dependency never sees more than the limit.")
  @ParameterizedTest
  @EnumSource
  void hedge_around_limiter(Way way) throws Throwable {
    RateLimiter limiter = refusingLimiter(2);

    assertThat(call(way, pipeline(hedge(way), limiter), dependency(hangs(), "stock")))
        .isEqualTo("stock");

    assertThat(limiter.metrics().admitted()).isEqualTo(2);
  }

  @Pair(
      outer = RATE_LIMITER,
      inner = HEDGE,
      says = "A call takes one permit, and the dependency may see a multiple of the limit.")
  @ParameterizedTest
  @EnumSource
  void limiter_around_hedge(Way way) throws Throwable {
    RateLimiter limiter = refusingLimiter(2);
    Dependency dependency = dependency(hangs(), "stock");

    assertThat(call(way, pipeline(limiter, hedge(way)), dependency)).isEqualTo("stock");

    assertThat(dependency.calls()).isEqualTo(2);
    assertThat(limiter.metrics().admitted()).isEqualTo(1);
  }

  @Pair(
      outer = HEDGE,
      inner = BULKHEAD,
      says =
          "Each attempt takes a slot, and holds it until it has really ended. One that gets none is"
              + " refused, and the others go on.",
      choose = "no more calls run at once than the limit says.")
  @ParameterizedTest
  @EnumSource
  void hedge_around_bulkhead(Way way) throws Throwable {
    Bulkhead bulkhead = bulkhead(2);

    assertThat(call(way, pipeline(hedge(way), bulkhead), dependency(hangs(), "stock")))
        .isEqualTo("stock");

    assertThat(bulkhead.metrics().admitted()).isEqualTo(2);
    assertThat(bulkhead.metrics().mostRunning()).isEqualTo(2);
  }

  @Pair(
      outer = BULKHEAD,
      inner = HEDGE,
      says =
          "A call holds one slot for all of its attempts, and no longer than until the first answer;"
              + " more attempts than slots may run.")
  @ParameterizedTest
  @EnumSource
  void bulkhead_around_hedge(Way way) throws Throwable {
    Bulkhead bulkhead = bulkhead(1);
    Dependency dependency = dependency(hangs(), "stock");

    assertThat(call(way, pipeline(bulkhead, hedge(way)), dependency)).isEqualTo("stock");

    assertThat(dependency.calls()).isEqualTo(2);
    assertThat(bulkhead.metrics().running()).isZero();
    assertThat(bulkhead.metrics().mostRunning()).isEqualTo(1);
  }

  @Pair(
      outer = HEDGE,
      inner = TIMEOUT,
      says = "Each attempt has its own time, from its own beginning.",
      choose =
          "a second attempt has a fair chance; the whole takes at most the delays and one time.")
  @ParameterizedTest
  @EnumSource
  void hedge_around_timeout(Way way) throws Throwable {
    Timeout timeout = timeout();
    Dependency dependency = dependency(hangs(), "stock");

    assertThat(call(way, pipeline(hedge(way), timeout), dependency)).isEqualTo("stock");

    nothing_is_left();
    assertThat(dependency.left()).containsExactly(LIMIT, LIMIT);
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(1, 1, 0));
  }

  @Pair(
      outer = TIMEOUT,
      inner = HEDGE,
      says = "All attempts share the time: the second has what the first has left.")
  @ParameterizedTest
  @EnumSource
  void timeout_around_hedge(Way way) throws Throwable {
    Timeout timeout = timeout();
    Dependency dependency = dependency(hangs(), "stock");

    assertThat(call(way, pipeline(timeout, hedge(way)), dependency)).isEqualTo("stock");

    assertThat(dependency.left()).containsExactly(LIMIT, LIMIT.minus(DELAY));
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(1, 0, 0));
  }

  @Pair(
      outer = CIRCUIT_BREAKER,
      inner = RATE_LIMITER,
      says =
          "A call that the open breaker refuses takes no permit. One that gets no permit is neither a"
              + " success nor a failure to the breaker; a wait for one is part of the call's duration.",
      choose = "permits are only for calls that are made.")
  @ParameterizedTest
  @EnumSource
  void breaker_around_limiter(Way way) throws Throwable {
    CircuitBreaker breaker = breaker(s -> s.slowCallDurationThreshold(millis(500)));
    RateLimiter limiter = limiter(1);
    Pipeline<Object> pipeline = pipeline(breaker, limiter);

    assertThat(call(way, pipeline, dependency("stock"))).isEqualTo("stock");
    assertThat(call(way, pipeline, dependency("stock"))).isEqualTo("stock");
    assertThat(breaker.metrics().slow()).isEqualTo(1);
    limiter.reconfigure(s -> s.timeoutDuration(Duration.ZERO));
    assertThat(failure(way, pipeline, dependency("stock")))
        .isInstanceOf(RequestNotPermittedException.class);
    assertThat(breaker.metrics().ignored()).isEqualTo(1);
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    assertThat(failure(way, pipeline, dependency("stock")))
        .isInstanceOf(CallNotPermittedException.class);

    assertThat(limiter.metrics().admitted()).isEqualTo(2);
    assertThat(limiter.metrics().refused()).isEqualTo(1);
  }

  @Pair(
      outer = RATE_LIMITER,
      inner = CIRCUIT_BREAKER,
      says =
          "Calls take permits, and wait for them, only to be refused by the open breaker; the breaker's"
              + " durations are those of the dependency alone.")
  @ParameterizedTest
  @EnumSource
  void limiter_around_breaker(Way way) {
    RateLimiter limiter = refusingLimiter(1);
    Pipeline<Object> pipeline = pipeline(limiter, openBreaker());

    assertThat(failure(way, pipeline, dependency("stock")))
        .isInstanceOf(CallNotPermittedException.class);
    assertThat(failure(way, pipeline, dependency("stock")))
        .isInstanceOf(RequestNotPermittedException.class);

    assertThat(limiter.metrics().admitted()).isEqualTo(1);
  }

  @Pair(
      outer = CIRCUIT_BREAKER,
      inner = BULKHEAD,
      says =
          "A call that the open breaker refuses takes no slot. One that gets no slot is neither a"
              + " success nor a failure to the breaker.",
      choose = "slots, and places in the queue, are only for calls that are made.")
  @ParameterizedTest
  @EnumSource
  void breaker_around_bulkhead(Way way) {
    CircuitBreaker breaker = breaker();
    Bulkhead bulkhead = bulkhead(1);
    Pipeline<Object> pipeline = pipeline(breaker, bulkhead);

    try (BulkheadSlot taken = bulkhead.acquire()) {
      assertThat(taken).isNotNull();
      assertThat(failure(way, pipeline, dependency("stock")))
          .isInstanceOf(BulkheadFullException.class);
    }
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    assertThat(failure(way, pipeline, dependency("stock")))
        .isInstanceOf(CallNotPermittedException.class);

    assertThat(breaker.metrics().ignored()).isEqualTo(1);
    assertThat(bulkhead.metrics().admitted()).isEqualTo(1);
    assertThat(bulkhead.metrics().refused()).isEqualTo(1);
  }

  @Pair(
      outer = BULKHEAD,
      inner = CIRCUIT_BREAKER,
      says =
          "Calls take slots, and wait for them, only to be refused by the open breaker; while the"
              + " bulkhead is full the breaker is not asked.")
  @ParameterizedTest
  @EnumSource
  void bulkhead_around_breaker(Way way) {
    CircuitBreaker open = openBreaker();
    Bulkhead bulkhead = bulkhead(1);
    Pipeline<Object> pipeline = pipeline(bulkhead, open);

    try (BulkheadSlot taken = bulkhead.acquire()) {
      assertThat(taken).isNotNull();
      assertThat(failure(way, pipeline, dependency("stock")))
          .isInstanceOf(BulkheadFullException.class);
    }
    assertThat(failure(way, pipeline, dependency("stock")))
        .isInstanceOf(CallNotPermittedException.class);

    assertThat(open.metrics().totalRefused()).isEqualTo(1);
    assertThat(bulkhead.metrics().admitted()).isEqualTo(2);
  }

  @Pair(
      outer = CIRCUIT_BREAKER,
      inner = TIMEOUT,
      says =
          "A call that timed out is a failure to the breaker. A call that the open breaker refuses does"
              + " not come to the timeout.",
      choose = "a refusal costs no timer, and is no failed call of the timeout.")
  @ParameterizedTest
  @EnumSource
  void breaker_around_timeout(Way way) {
    CircuitBreaker breaker = breaker();
    Timeout timeout = timeout();
    Pipeline<Object> pipeline = pipeline(breaker, timeout);

    assertThat(failure(way, pipeline, dependency(hangs())))
        .isInstanceOf(TimeoutExceededException.class);
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    assertThat(failure(way, pipeline, dependency("stock")))
        .isInstanceOf(CallNotPermittedException.class);

    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 0, 1));
  }

  @Pair(
      outer = TIMEOUT,
      inner = CIRCUIT_BREAKER,
      says =
          "A call that timed out is a failure to the breaker in this order too. A refusal counts as a"
              + " failed call of the timeout.")
  @ParameterizedTest
  @EnumSource
  void timeout_around_breaker(Way way) {
    CircuitBreaker breaker = breaker();
    Timeout timeout = timeout();
    Pipeline<Object> pipeline = pipeline(timeout, breaker);

    assertThat(failure(way, pipeline, dependency(hangs())))
        .isInstanceOf(TimeoutExceededException.class);
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    assertThat(failure(way, pipeline, dependency("stock")))
        .isInstanceOf(CallNotPermittedException.class);

    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 1, 1));
  }

  @Pair(
      outer = RATE_LIMITER,
      inner = BULKHEAD,
      says =
          "A call that waits for its permit holds no slot. One that then gets no slot has used its"
              + " permit.",
      choose = "slots are scarcer than permits, and waiting callers should not hold them.")
  @ParameterizedTest
  @EnumSource
  void limiter_around_bulkhead(Way way) throws Throwable {
    RateLimiter limiter = limiter(1);
    Bulkhead bulkhead = bulkhead(1);
    Pipeline<Object> pipeline = pipeline(limiter, bulkhead);
    List<Integer> running = noteRunning(bulkhead, millis(500));

    try (BulkheadSlot taken = bulkhead.acquire()) {
      assertThat(taken).isNotNull();
      assertThat(failure(way, pipeline, dependency("stock")))
          .isInstanceOf(BulkheadFullException.class);
    }
    assertThat(call(way, pipeline, dependency("stock"))).isEqualTo("stock");

    assertThat(running).containsExactly(0);
    assertThat(limiter.metrics().admitted()).isEqualTo(2);
    assertThat(limiter.metrics().waited()).isEqualTo(1);
  }

  @Pair(
      outer = BULKHEAD,
      inner = RATE_LIMITER,
      says =
          "A call holds its slot while it waits for its permit. One that gets no slot uses no permit.")
  @ParameterizedTest
  @EnumSource
  void bulkhead_around_limiter(Way way) throws Throwable {
    RateLimiter limiter = limiter(1);
    Bulkhead bulkhead = bulkhead(1);
    Pipeline<Object> pipeline = pipeline(bulkhead, limiter);
    List<Integer> running = noteRunning(bulkhead, millis(500));

    try (BulkheadSlot taken = bulkhead.acquire()) {
      assertThat(taken).isNotNull();
      assertThat(failure(way, pipeline, dependency("stock")))
          .isInstanceOf(BulkheadFullException.class);
    }
    assertThat(limiter.metrics().admitted()).isZero();
    limiter.acquire();
    assertThat(call(way, pipeline, dependency("stock"))).isEqualTo("stock");

    assertThat(running).containsExactly(1);
  }

  @Pair(
      outer = RATE_LIMITER,
      inner = TIMEOUT,
      says = "The wait for a permit is not part of the time that the call has.",
      choose =
          "the timeout is about the dependency, and the limiter's own timeoutDuration about the wait.")
  @ParameterizedTest
  @EnumSource
  void limiter_around_timeout(Way way) throws Throwable {
    RateLimiter limiter = limiter(1);
    limiter.acquire();

    assertThat(call(way, pipeline(limiter, timeout()), dependency("stock"))).isEqualTo("stock");

    assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(1));
  }

  @Pair(
      outer = TIMEOUT,
      inner = RATE_LIMITER,
      says =
          "The wait for a permit is part of the time. A permit that cannot come within it is refused at"
              + " once.")
  @ParameterizedTest
  @EnumSource
  void timeout_around_limiter(Way way) {
    RateLimiter limiter = limiter(1);
    limiter.acquire();

    assertThat(failure(way, pipeline(timeout(), limiter), dependency("stock")))
        .isInstanceOf(RequestNotPermittedException.class);

    assertThat(time.elapsed()).isZero();
  }

  @Pair(
      outer = BULKHEAD,
      inner = TIMEOUT,
      says =
          "The wait for a slot is not part of the time that the call has. A call that timed out gives"
              + " its slot back when its caller has its answer.",
      choose =
          "the timeout bounds how long a slot can be held, and the bulkhead's own maxWaitDuration the"
              + " wait.")
  @ParameterizedTest
  @EnumSource
  void bulkhead_around_timeout(Way way) {
    Bulkhead bulkhead = bulkhead(1);
    Timeout timeout = timeout();
    Pipeline<Object> pipeline = pipeline(bulkhead, timeout);

    assertThat(failure(way, pipeline, dependency(hangs())))
        .isInstanceOf(TimeoutExceededException.class);
    try (BulkheadSlot taken = bulkhead.acquire()) {
      assertThat(taken).isNotNull();
      assertThat(failure(way, pipeline, dependency("stock")))
          .isInstanceOf(BulkheadFullException.class);
    }

    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 0, 1));
  }

  @Pair(
      outer = TIMEOUT,
      inner = BULKHEAD,
      says =
          "The wait for a slot is part of the time, and nobody waits longer than it. A refusal counts as"
              + " a failed call of the timeout.")
  @ParameterizedTest
  @EnumSource
  void timeout_around_bulkhead(Way way) {
    Bulkhead bulkhead = bulkhead(1);
    Timeout timeout = timeout();
    Pipeline<Object> pipeline = pipeline(timeout, bulkhead);

    assertThat(failure(way, pipeline, dependency(hangs())))
        .isInstanceOf(TimeoutExceededException.class);
    try (BulkheadSlot taken = bulkhead.acquire()) {
      assertThat(taken).isNotNull();
      assertThat(failure(way, pipeline, dependency("stock")))
          .isInstanceOf(BulkheadFullException.class);
    }

    assertThat(bulkhead.metrics().admitted()).isEqualTo(2);
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 1, 1));
  }

  /** What the sentences say of an attempt that a policy inside the hedge refuses. */
  @ParameterizedTest
  @EnumSource(names = {"STAGE", "PROXY_STAGE"})
  void a_hedges_attempt_that_is_refused_leaves_the_others_alone(Way way) throws Throwable {
    for (Policy refusing : List.of(refusingLimiter(1), bulkhead(1), breaker())) {
      Hedge hedge = hedge(way);
      Dependency dependency = dependency(after(millis(80), "stock"));
      if (refusing instanceof CircuitBreaker open) {
        hedge.on(HedgeEvent.Hedged.class, e -> open.transitionTo(CircuitBreaker.State.OPEN));
      }

      assertThat(call(way, pipeline(hedge, refusing), dependency)).isEqualTo("stock");

      assertThat(dependency.calls()).isEqualTo(1);
      assertThat(hedge.metrics().hedges()).isEqualTo(1);
      assertThat(hedge.metrics().wonByFirst()).isEqualTo(1);
    }
  }
}
