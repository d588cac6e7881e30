package dev.recloser.test;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.test;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.suppressed;

import dev.recloser.CircuitBreaker;
import dev.recloser.Permit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Runs the classes below, which are no tests by themselves: Surefire does not look into them. */
class RecloserExtensionTest {

  @Test
  void passes_tests_that_leave_nothing_behind() {
    run(Tidy.class).assertStatistics(stats -> stats.succeeded(5).failed(0));
  }

  @Test
  void fails_a_test_that_leaves_a_permit_out_and_names_the_breaker() {
    run(Leaking.class)
        .assertStatistics(stats -> stats.succeeded(1).failed(1))
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                test("leaves_permits_out"),
                finishedWithFailure(
                    instanceOf(AssertionError.class),
                    message(
                        "calls in flight of inventory: 2"
                            + " (expected: none; complete or close every permit)"))));
  }

  @Test
  void lets_tear_down_methods_end_the_calls() {
    run(TidyingUp.class).assertStatistics(stats -> stats.succeeded(1).failed(0));
  }

  @Test
  void tells_of_a_permit_left_out_besides_the_failure_of_the_test() {
    run(FailingAndLeaking.class)
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                test("fails_and_leaks"),
                finishedWithFailure(
                    message("the test's own"),
                    suppressed(0, message(m -> m.contains("inventory: 1"))))));
  }

  @Test
  void hands_the_same_to_the_constructor_the_set_up_and_the_test() {
    run(Everywhere.class).assertStatistics(stats -> stats.succeeded(2).failed(0));
  }

  @Test
  void shares_between_tests_only_what_the_class_asked_for() {
    run(Shared.class).assertStatistics(stats -> stats.succeeded(2).failed(0));
    run(OneInstance.class).assertStatistics(stats -> stats.succeeded(2).failed(0));
  }

  @Test
  void leaves_other_parameters_to_other_extensions() {
    run(Asking.class)
        .assertStatistics(stats -> stats.succeeded(0).failed(1))
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                test("asks_for_a_string"),
                finishedWithFailure(message(m -> m.contains("No ParameterResolver")))));
  }

  private static Events run(Class<?> tests) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(tests))
        .execute()
        .testEvents();
  }

  @ExtendWith(RecloserExtension.class)
  static class Tidy {
    @Test
    void needs_no_parameters() {}

    @Test
    void starts_anew_once(FakeTime time) {
      assertThat(time.elapsed()).isZero();
      time.advance(ofSeconds(1));
    }

    @Test
    void starts_anew_twice(FakeTime time) {
      assertThat(time.elapsed()).isZero();
      time.advance(ofSeconds(1));
    }

    @Test
    void makes_breakers_on_the_same_time(FakeTime time, Breakers breakers) {
      assertThat(breakers.create("inventory").config().ticker()).isSameAs(time);
    }

    @ParameterizedTest
    @ValueSource(ints = 1)
    void goes_together_with_other_parameters(int calls, Breakers breakers) {
      CircuitBreaker inventory = breakers.create("inventory");
      inventory.run(() -> {});
      assertThat(inventory.metrics().succeeded()).isEqualTo(calls);
    }
  }

  @ExtendWith(RecloserExtension.class)
  static class Leaking {
    @Test
    void leaves_permits_out(Breakers breakers) {
      CircuitBreaker inventory = breakers.create("inventory");
      inventory.acquire();
      inventory.acquire();
      breakers.create("payments").acquire().close();
    }

    @Test
    void is_not_blamed_for_another(Breakers breakers) {
      breakers.create("inventory").acquire().close();
    }
  }

  @ExtendWith(RecloserExtension.class)
  static class TidyingUp {
    private final List<Permit> permits = new ArrayList<>();

    @AfterEach
    void end() {
      permits.forEach(Permit::close);
    }

    @Test
    void leaves_a_permit_to_the_tear_down(Breakers breakers) {
      permits.add(breakers.create("inventory").acquire());
    }
  }

  @ExtendWith(RecloserExtension.class)
  static class FailingAndLeaking {
    @Test
    void fails_and_leaks(Breakers breakers) {
      breakers.create("inventory").acquire();
      throw new AssertionError("the test's own");
    }
  }

  @ExtendWith(RecloserExtension.class)
  static class Everywhere {
    private final FakeTime time;
    private final Breakers breakers;

    Everywhere(FakeTime time, Breakers breakers) {
      this.time = time;
      this.breakers = breakers;
    }

    @BeforeEach
    void setUp(FakeTime time, Breakers breakers) {
      assertThat(time).isSameAs(this.time);
      assertThat(breakers).isSameAs(this.breakers);
    }

    @Test
    void gets_the_same(FakeTime time, Breakers breakers) {
      assertThat(time).isSameAs(this.time);
      assertThat(breakers).isSameAs(this.breakers);
      assertThat(breakers.all()).isEmpty();
      breakers.create("inventory");
    }

    @Test
    void gets_nothing_of_another_test() {
      assertThat(breakers.all()).isEmpty();
      breakers.create("inventory");
    }
  }

  @ExtendWith(RecloserExtension.class)
  static class Shared {
    private static FakeTime shared;

    @BeforeAll
    static void setUp(FakeTime time) {
      shared = time;
    }

    @Test
    void gets_the_time_of_the_class(FakeTime time) {
      assertThat(time).isSameAs(shared);
    }

    @Test
    void gets_it_again(FakeTime time) {
      assertThat(time).isSameAs(shared);
    }
  }

  @ExtendWith(RecloserExtension.class)
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static class OneInstance {
    private final FakeTime shared;

    OneInstance(FakeTime time) {
      shared = time;
    }

    @Test
    void gets_the_time_of_the_class(FakeTime time) {
      assertThat(time).isSameAs(shared);
    }

    @Test
    void gets_it_again(FakeTime time) {
      assertThat(time).isSameAs(shared);
    }
  }

  @ExtendWith(RecloserExtension.class)
  static class Asking {
    @Test
    void asks_for_a_string(String text) {}
  }
}
