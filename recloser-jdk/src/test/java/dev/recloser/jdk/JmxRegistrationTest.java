package dev.recloser.jdk;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class JmxRegistrationTest {
  private final FakeTime time = FakeTime.create();
  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final CircuitBreakerRegistry breakers =
      CircuitBreakerRegistry.create(
          registry ->
              registry.defaultConfig(
                  config ->
                      config
                          .slidingWindowSize(2)
                          .waitDurationInOpenState(Duration.ofSeconds(30))
                          .ticker(time)));

  private final CircuitBreaker inventory = breakers.circuitBreaker("inventory");
  private JmxRegistration jmx;
  private ObjectName name;

  @BeforeEach
  void register() {
    jmx = JmxRegistration.of(breakers, "orders", server);
    name = jmx.objectName();
  }

  @Test
  void a_breaker_is_a_row() throws Exception {
    breakers.circuitBreaker("billing");
    inventory.acquire().complete("in stock");
    inventory.acquire().fail(new IOException("reset"));
    assertThat(inventory.tryAcquire()).isNull();
    time.advance(Duration.ofSeconds(10));

    assertThat(server.getAttribute(name, "Size")).isEqualTo(2);
    assertThat((String[]) server.getAttribute(name, "Refusing")).containsExactly("inventory");
    CompositeData[] rows = (CompositeData[]) server.getAttribute(name, "CircuitBreakers");
    assertThat(rows).extracting(row -> row.get("name")).containsExactly("billing", "inventory");
    CompositeData row = rows[1];
    assertThat(row.get("state")).isEqualTo("OPEN");
    assertThat(row.get("inStateFor")).isEqualTo(10_000L);
    assertThat(row.get("remaining")).isEqualTo(20_000L);
    assertThat(row.get("failureRate")).isEqualTo(50.0);
    assertThat(row.get("slowCallRate")).isEqualTo(0.0);
    assertThat(row.get("windowCalls")).isEqualTo(2);
    assertThat(row.get("callsNeeded")).isEqualTo(0);
    assertThat(row.get("callsInFlight")).isEqualTo(0L);
    assertThat(row.get("succeeded")).isEqualTo(1L);
    assertThat(row.get("failed")).isEqualTo(1L);
    assertThat(row.get("slow")).isEqualTo(0L);
    assertThat(row.get("refused")).isEqualTo(1L);
    assertThat(rows[0].get("remaining")).isEqualTo(-1L);
    assertThat(invoke("explain", "inventory")).isEqualTo(inventory.explain());
    assertThat((String[]) invoke("transitions", "inventory"))
        .containsExactly(inventory.transitions().get(0).toString());
  }

  @Test
  void one_that_cannot_be_read_costs_the_others_nothing() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    breakers.circuitBreaker(
        "unreadable", CircuitBreakerConfig.of(config -> config.ticker(() -> nanoTime(broken))));

    broken.set(true);

    CompositeData[] rows = (CompositeData[]) server.getAttribute(name, "CircuitBreakers");
    assertThat(rows).extracting(row -> row.get("name")).containsExactly("inventory");
  }

  private static long nanoTime(AtomicBoolean broken) {
    if (broken.get()) {
      throw new NoClassDefFoundError("no clock");
    }
    return 0;
  }

  @Test
  void an_operator_moves_breakers() throws Exception {
    invoke("transitionTo", "inventory", "forced_open");
    assertThat(inventory.state()).isEqualTo(State.FORCED_OPEN);

    server.invoke(
        name,
        "transitionToFor",
        new Object[] {"inventory", "DISABLED", 5_000L},
        new String[] {"java.lang.String", "java.lang.String", "long"});
    assertThat(inventory.snapshot().remaining()).isEqualTo(Duration.ofSeconds(5));

    invoke("reset", "inventory");
    assertThat(inventory.state()).isEqualTo(State.CLOSED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          stock     | OPEN   | name = "stock" (expected: that of a circuit breaker)
          inventory | BROKEN | state = "BROKEN" (expected: one of [CLOSED, OPEN, HALF_OPEN, FORCED_OPEN, DISABLED, METRICS_ONLY])
          """)
  void a_wrong_argument_is_named(String breaker, String state, String message) {
    assertThatThrownBy(() -> invoke("transitionTo", breaker, state))
        .isInstanceOf(RuntimeMBeanException.class)
        .cause()
        .hasMessage(message);
  }

  @Test
  void a_time_must_be_more_than_none() {
    assertThatThrownBy(
            () ->
                server.invoke(
                    name,
                    "transitionToFor",
                    new Object[] {"inventory", "DISABLED", 0L},
                    new String[] {"java.lang.String", "java.lang.String", "long"}))
        .cause()
        .hasMessage("milliseconds = 0 (expected: more than 0)");
  }

  @Test
  void two_registries_cannot_have_one_name() {
    assertThatThrownBy(() -> JmxRegistration.of(breakers, "orders", server))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name = \"orders\" (expected: one that no others have in JMX)");
  }

  @Test
  void a_name_can_be_anything() {
    assertThat(JmxRegistration.of(breakers, "a,b=c*\"", server).objectName().isPattern()).isFalse();
  }

  @Test
  void a_console_says_what_everything_is_and_takes() throws Exception {
    MBeanInfo bean = server.getMBeanInfo(name);
    assertThat(bean.getDescription()).startsWith("Circuit breakers");
    assertThat(bean.getAttributes())
        .allSatisfy(each -> assertThat(each.getDescription()).contains(" "));
    assertThat(bean.getOperations())
        .allSatisfy(each -> assertThat(each.getDescription()).contains(" "))
        .allSatisfy(each -> assertThat(each.getImpact()).isNotEqualTo(MBeanOperationInfo.UNKNOWN))
        .extracting(
            operation ->
                Arrays.stream(operation.getSignature())
                    .map(MBeanParameterInfo::getName)
                    .collect(joining(", ", operation.getName() + "(", ")")))
        .containsExactlyInAnyOrder(
            "explain(name)",
            "transitions(name)",
            "transitionTo(name, state)",
            "transitionToFor(name, state, milliseconds)",
            "reset(name)");
    assertThat(bean.getOperations())
        .flatExtracting(operation -> Arrays.asList(operation.getSignature()))
        .allSatisfy(each -> assertThat(each.getDescription()).contains(" "))
        .isNotEmpty();
  }

  @Test
  void closing_takes_it_out_once() {
    jmx.close();
    jmx.close();

    assertThatThrownBy(() -> server.getAttribute(name, "Size"))
        .isInstanceOf(InstanceNotFoundException.class);
  }

  @Test
  void the_platforms_server_is_the_default() {
    try (JmxRegistration platform = JmxRegistration.of(breakers, "platform")) {
      assertThat(ManagementFactory.getPlatformMBeanServer().isRegistered(platform.objectName()))
          .isTrue();
    }
  }

  private Object invoke(String operation, String... arguments) throws Exception {
    String[] types = new String[arguments.length];
    Arrays.fill(types, "java.lang.String");
    return server.invoke(name, operation, arguments, types);
  }
}
