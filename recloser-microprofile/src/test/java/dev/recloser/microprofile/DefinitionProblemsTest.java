package dev.recloser.microprofile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.eclipse.microprofile.faulttolerance.Asynchronous;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;
import org.eclipse.microprofile.faulttolerance.exceptions.FaultToleranceDefinitionException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said when an application is deployed that is not right. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class DefinitionProblemsTest {
  private static final String HERE = DefinitionProblemsTest.class.getName() + "$";

  @ApplicationScoped
  static class NoProblem {
    @Asynchronous
    @Retry
    @Timeout
    @CircuitBreaker
    @Bulkhead
    CompletionStage<String> stock() {
      return CompletableFuture.completedFuture("stock");
    }
  }

  @ApplicationScoped
  static class FewerThanNone {
    @Retry(maxRetries = -2)
    void stock() {}
  }

  @ApplicationScoped
  static class LessThanNoTime {
    @Retry(delay = -1)
    void stock() {}
  }

  @ApplicationScoped
  static class LessThanNoJitter {
    @Retry(jitter = -5)
    void stock() {}
  }

  @ApplicationScoped
  static class NoTimeForTheDelay {
    @Retry(delay = 2_000, maxDuration = 1_000)
    void stock() {}
  }

  @ApplicationScoped
  @Timeout(-1)
  static class LateBeforeItBegan {
    public void stock() {}

    public void price() {}
  }

  @ApplicationScoped
  static class RatioInPercent {
    @CircuitBreaker(failureRatio = 50)
    void stock() {}
  }

  @ApplicationScoped
  static class NoCallsAtAll {
    @CircuitBreaker(requestVolumeThreshold = 0, successThreshold = 0)
    void stock() {}
  }

  @ApplicationScoped
  static class NobodyIn {
    @Bulkhead(0)
    void stock() {}
  }

  @ApplicationScoped
  static class NobodyWaits {
    @Asynchronous
    @Bulkhead(waitingTaskQueue = 0)
    CompletionStage<String> stock() {
      return CompletableFuture.completedFuture("stock");
    }
  }

  @ApplicationScoped
  static class PlainButAsynchronous {
    @Asynchronous
    String stock() {
      return "stock";
    }
  }

  @ApplicationScoped
  static class NoFallback {
    @Fallback
    String stock() {
      return "stock";
    }
  }

  @ApplicationScoped
  static class TwoFallbacks {
    @Fallback(value = Strings.class, fallbackMethod = "unknown")
    String stock() {
      return "stock";
    }

    String unknown() {
      return "unknown";
    }
  }

  @ApplicationScoped
  static class MissingFallback {
    @Fallback(fallbackMethod = "unknown")
    String stock() {
      return "stock";
    }
  }

  @ApplicationScoped
  static class OtherParameters {
    @Fallback(fallbackMethod = "unknown")
    String stock(String sku) {
      return sku;
    }

    String unknown(int sku) {
      return "unknown " + sku;
    }
  }

  @ApplicationScoped
  static class OtherResult {
    @Fallback(fallbackMethod = "unknown")
    String stock(String sku) {
      return sku;
    }

    Integer unknown(String sku) {
      return sku.length();
    }
  }

  static class Parent {
    private String unknown() {
      return "unknown";
    }

    String use() {
      return unknown();
    }
  }

  @ApplicationScoped
  static class HiddenFallback extends Parent {
    @Fallback(fallbackMethod = "unknown")
    String stock() {
      return "stock";
    }
  }

  static class Strings implements FallbackHandler<String> {
    @Override
    public String handle(ExecutionContext context) {
      return "unknown";
    }
  }

  @ApplicationScoped
  static class HandlerOfSomethingElse {
    @Fallback(Strings.class)
    Integer stock() {
      return 1;
    }
  }

  @ApplicationScoped
  static class NamedAndSpecified {
    @Guarded("inventory")
    @Retry
    void stock() {}
  }

  @ApplicationScoped
  static class Usual {
    @Retry
    @CircuitBreaker
    void stock() throws IOException {
      throw new IOException("down");
    }
  }

  static Stream<Arguments> each_problem_is_told_with_its_place_value_and_expectation() {
    return Stream.of(
        is(
            FewerThanNone.class,
            "FewerThanNone.stock @Retry(maxRetries): -2 (expected: -1 or more)"),
        is(LessThanNoTime.class, "LessThanNoTime.stock @Retry(delay): -1 (expected: 0 or more)"),
        is(
            LessThanNoJitter.class,
            "LessThanNoJitter.stock @Retry(jitter): -5 (expected: 0 or more)"),
        is(
            NoTimeForTheDelay.class,
            "NoTimeForTheDelay.stock @Retry(maxDuration): PT1S (expected: more than the delay, which"
                + " is PT2S)"),
        is(LateBeforeItBegan.class, "LateBeforeItBegan @Timeout(value): -1 (expected: 0 or more)"),
        is(
            RatioInPercent.class,
            "RatioInPercent.stock @CircuitBreaker(failureRatio): 50.0 (expected: 0 to 1)"),
        is(
            NoCallsAtAll.class,
            "NoCallsAtAll.stock @CircuitBreaker(requestVolumeThreshold): 0 (expected: 1 or more)"),
        is(
            NoCallsAtAll.class,
            "NoCallsAtAll.stock @CircuitBreaker(successThreshold): 0 (expected: 1 or more)"),
        is(NobodyIn.class, "NobodyIn.stock @Bulkhead(value): 0 (expected: 1 or more)"),
        is(
            NobodyWaits.class,
            "NobodyWaits.stock @Bulkhead(waitingTaskQueue): 0 (expected: 1 or more)"),
        is(
            PlainButAsynchronous.class,
            "PlainButAsynchronous.stock @Asynchronous: returns java.lang.String (expected:"
                + " java.util.concurrent.Future or CompletionStage)"),
        is(
            NoFallback.class,
            "NoFallback.stock @Fallback: neither (expected: either a value or a fallbackMethod)"),
        is(
            TwoFallbacks.class,
            "TwoFallbacks.stock @Fallback: "
                + HERE
                + "Strings and unknown (expected: either a value or a fallbackMethod)"),
        is(
            MissingFallback.class,
            "MissingFallback.stock @Fallback(fallbackMethod): unknown, no such method (expected: a"
                + " method of "
                + HERE
                + "MissingFallback, its superclasses or interfaces with the parameters of "
                + HERE
                + "MissingFallback.stock())"),
        is(
            OtherParameters.class,
            "OtherParameters.stock @Fallback(fallbackMethod): unknown, "
                + HERE
                + "OtherParameters.unknown(int) (expected: a method of "),
        is(
            OtherResult.class,
            "OtherResult.stock @Fallback(fallbackMethod): unknown, java.lang.Integer "
                + HERE
                + "OtherResult.unknown(java.lang.String) (expected: the return type"
                + " java.lang.String)"),
        is(
            HiddenFallback.class,
            "HiddenFallback.stock @Fallback(fallbackMethod): unknown, "
                + HERE
                + "Parent.unknown() (expected: a method that can be called from "
                + HERE
                + "HiddenFallback)"),
        is(
            HandlerOfSomethingElse.class,
            "HandlerOfSomethingElse.stock @Fallback(value): "
                + HERE
                + "Strings, which handles class java.lang.String (expected: a handler of"
                + " java.lang.Integer, which stock returns)"),
        is(
            NamedAndSpecified.class,
            "NamedAndSpecified.stock @Guarded: together with @Retry (expected: one of the two, for a"
                + " pipeline has its own policies)"),
        is(
            NamedAndSpecified.class,
            "NamedAndSpecified.stock @Guarded: \"inventory\", of which there is none (expected: the"
                + " name of a bean that is a dev.recloser.Pipeline)"),
        set(
            "Retry/maxRetries",
            "many",
            "Retry/maxRetries: \"many\" (expected: a number, as Integer)"),
        set("Retry/maxRetries", "-7", "Retry/maxRetries: -7 (expected: -1 or more)"),
        set(
            HERE + "Usual/stock/Retry/delay",
            "-1",
            HERE + "Usual/stock/Retry/delay: -1 (expected: 0 or more)"),
        set("Retry/delayUnit", "HOUR", "Retry/delayUnit: \"HOUR\" (expected: one of [Nanos, "),
        set(
            "Retry/retryOn",
            "no.such.Type",
            "Retry/retryOn: \"no.such.Type\" (expected: names of classes that are there, with commas"
                + " between them)"),
        set(
            "CircuitBreaker/failOn",
            "java.lang.String",
            "CircuitBreaker/failOn: java.lang.String (expected: a class that can be thrown)"),
        set(
            "CircuitBreaker/failureRatio",
            "half",
            "CircuitBreaker/failureRatio: \"half\" (expected: a number, as Double)"),
        set(
            "CircuitBreaker/slowCallRateThreshold",
            "120",
            "CircuitBreaker/slowCallRateThreshold: 120.0 (expected: a percentage above 0, at most"
                + " 100, with at most six decimals)"),
        set(
            "CircuitBreaker/slowCallDurationThreshold",
            "150ms",
            "CircuitBreaker/slowCallDurationThreshold: \"150ms\" (expected: a time as PT0.15S)"),
        set(
            "CircuitBreaker/rampUpInitialPercentage",
            "0",
            "CircuitBreaker/rampUpInitialPercentage: 0.0 (expected: a percentage above 0, at most"
                + " 100)"),
        set("Retry/enabled", "perhaps", "Retry/enabled: \"perhaps\" (expected: true or false)"),
        set(
            "MP_Fault_Tolerance_Metrics_Enabled",
            "perhaps",
            "MP_Fault_Tolerance_Metrics_Enabled: \"perhaps\" (expected: true or false)"),
        set(
            "CircuitBreaker/countSlowCallsInFlight",
            "ture",
            "CircuitBreaker/countSlowCallsInFlight: \"ture\" (expected: true or false)"),
        set("Asynchronous/threads", "0", "Asynchronous/threads: 0 (expected: 1 or more)"),
        set(
            "mp.fault.tolerance.interceptor.priority",
            "early",
            "mp.fault.tolerance.interceptor.priority: early (expected: a number, as Integer)"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource
  void each_problem_is_told_with_its_place_value_and_expectation(
      Class<?> bean, String[] settings, String message) {
    FaultToleranceDefinitionException told = deploy(settings, bean);

    assertThat(told)
        .hasMessageStartingWith("The fault tolerance of this application is not right:\n");
    assertThat(told.getMessage().lines()).anySatisfy(line -> assertThat(line).contains(message));
  }

  @Test
  void all_problems_of_an_application_are_told_at_once_and_each_once() {
    FaultToleranceDefinitionException told =
        deploy(
            new String[] {"Retry/jitter", "much"},
            FewerThanNone.class,
            LateBeforeItBegan.class,
            NobodyIn.class);

    assertThat(told)
        .hasMessage(
            """
            The fault tolerance of this application is not right:
              - Retry/jitter: "much" (expected: a number, as Long)
              - HEREFewerThanNone.stock @Retry(maxRetries): -2 (expected: -1 or more)
              - HERELateBeforeItBegan @Timeout(value): -1 (expected: 0 or more)
              - HERENobodyIn.stock @Bulkhead(value): 0 (expected: 1 or more)"""
                .replace("HERE", HERE));
  }

  @Test
  void what_is_right_is_deployed() {
    try (Container container = Container.of(NoProblem.class)) {
      assertThat(container.get(NoProblem.class).stock().toCompletableFuture().join())
          .isEqualTo("stock");
    }
  }

  @Test
  void a_key_that_belongs_to_no_annotation_is_ignored() {
    String[] settings = {
      HERE + "Usual/Retry/maxRetries",
      "none of your business", // It stands on the method.
      HERE + "Usual/price/Retry/maxRetries",
      "none of your business",
      "Timeout/value",
      "none of your business"
    };
    try (Container container = Container.configured(settings, Usual.class)) {
      Usual usual = container.get(Usual.class);
      assertThat(catchThrowable(usual::stock)).isInstanceOf(IOException.class);
    }
  }

  private static Arguments is(Class<?> bean, String message) {
    return arguments(bean, new String[0], message);
  }

  private static Arguments set(String key, String value, String message) {
    return arguments(Usual.class, new String[] {key, value}, message);
  }

  private static FaultToleranceDefinitionException deploy(String[] settings, Class<?>... beans) {
    Throwable failure = catchThrowable(() -> Container.configured(settings, beans).close());
    Deque<Throwable> all = new ArrayDeque<>(failure == null ? List.of() : List.of(failure));
    Set<Throwable> seen = new HashSet<>();
    while (!all.isEmpty()) {
      Throwable next = all.remove();
      if (next instanceof FaultToleranceDefinitionException told) {
        return told;
      }
      if (seen.add(next) && next.getCause() != null) {
        all.add(next.getCause());
      }
    }
    throw new AssertionError("deployed, or failed otherwise", failure);
  }
}
