package dev.recloser.jdk;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.PolicySource;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Circuit breakers in JMX, those made later included, as a {@link CircuitBreakersMXBean} that is
 * called {@code dev.recloser:type=CircuitBreakers,name="NAME"}, with the quotes.
 *
 * <pre>{@code
 * JmxRegistration jmx = JmxRegistration.of(policies, "orders");
 * }</pre>
 *
 * <p>Whoever may call operations of the server may force breakers open, or close them: JMX has its
 * own access control.
 *
 * <p>Thread-safe.
 */
public final class JmxRegistration implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(JmxRegistration.class.getName());

  private final MBeanServer server;
  private final ObjectName objectName;

  private JmxRegistration(MBeanServer server, ObjectName objectName) {
    this.server = server;
    this.objectName = objectName;
  }

  /**
   * Registers breakers with the platform's server.
   *
   * @param policies the breakers, and others that are left alone: a registry, or those of files
   * @param name what they are called together
   * @throws IllegalArgumentException when others are called so
   */
  public static JmxRegistration of(PolicySource<?> policies, String name) {
    return of(policies, name, ManagementFactory.getPlatformMBeanServer());
  }

  /**
   * Registers breakers.
   *
   * @param policies the breakers, and others that are left alone: a registry, or those of files
   * @param name what they are called together
   * @param server with which
   * @throws IllegalArgumentException when others are called so
   */
  public static JmxRegistration of(PolicySource<?> policies, String name, MBeanServer server) {
    PolicySource<CircuitBreaker> breakers = policies.only(CircuitBreaker.class);
    try {
      ObjectName objectName =
          new ObjectName("dev.recloser:type=CircuitBreakers,name=" + ObjectName.quote(name));
      server.registerMBean(new DescribedBean(new Breakers(breakers)), objectName);
      return new JmxRegistration(server, objectName);
    } catch (InstanceAlreadyExistsException e) {
      throw new IllegalArgumentException(
          "name = \"" + name + "\" (expected: one that no others have in JMX)", e);
    } catch (JMException e) {
      throw new IllegalArgumentException("name = \"" + name + "\" cannot be registered", e);
    }
  }

  /** What it is called in JMX. */
  public ObjectName objectName() {
    return objectName;
  }

  /** Takes them out of JMX. */
  @Override
  public void close() {
    try {
      server.unregisterMBean(objectName);
    } catch (InstanceNotFoundException alreadyGone) {
      // Closed before, or by somebody else.
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What JMX calls. */
  private record Breakers(PolicySource<CircuitBreaker> breakers) implements CircuitBreakersMXBean {
    @Override
    public List<BreakerInfo> getCircuitBreakers() {
      return breakers.all().stream()
          .sorted(Comparator.comparing(CircuitBreaker::name))
          .flatMap(Breakers::row)
          .toList();
    }

    /** One that cannot be read, for its ticker throws, costs the others nothing. */
    private static Stream<BreakerInfo> row(CircuitBreaker breaker) {
      try {
        return Stream.of(new BreakerInfo(breaker));
      } catch (RuntimeException | Error e) {
        LOG.log(System.Logger.Level.DEBUG, "A circuit breaker could not be read", e);
        return Stream.empty();
      }
    }

    @Override
    public int getSize() {
      return breakers.all().size();
    }

    @Override
    public List<String> getRefusing() {
      return breakers.all().stream()
          .filter(breaker -> refuses(breaker.state()))
          .map(CircuitBreaker::name)
          .sorted()
          .toList();
    }

    private static boolean refuses(State state) {
      return state == State.OPEN || state == State.HALF_OPEN || state == State.FORCED_OPEN;
    }

    @Override
    public String explain(String name) {
      return breaker(name).explain();
    }

    @Override
    public List<String> transitions(String name) {
      return breaker(name).transitions().stream().map(StateTransition::toString).toList();
    }

    @Override
    public void transitionTo(String name, String state) {
      breaker(name).transitionTo(stateOf(state));
    }

    @Override
    public void transitionToFor(String name, String state, long milliseconds) {
      if (milliseconds <= 0) {
        throw new IllegalArgumentException(
            "milliseconds = " + milliseconds + " (expected: more than 0)");
      }
      breaker(name).transitionTo(stateOf(state), Duration.ofMillis(milliseconds));
    }

    @Override
    public void reset(String name) {
      breaker(name).reset();
    }

    private CircuitBreaker breaker(String name) {
      return breakers.all().stream()
          .filter(breaker -> breaker.name().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "name = \"" + name + "\" (expected: that of a circuit breaker)"));
    }

    private static State stateOf(String name) {
      return Arrays.stream(State.values())
          .filter(state -> state.name().equalsIgnoreCase(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "state = \""
                          + name
                          + "\" (expected: one of "
                          + Arrays.toString(State.values())
                          + ")"));
    }
  }
}
