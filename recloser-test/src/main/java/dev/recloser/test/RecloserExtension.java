package dev.recloser.test;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands a {@link FakeTime} and {@link Breakers} on it to JUnit tests, and fails a test that leaves
 * a permit out.
 *
 * <pre>{@code
 * @ExtendWith(RecloserExtension.class)
 * class InventoryTest {
 *   @Test
 *   void probes_after_the_wait(FakeTime time, Breakers breakers) {
 *     CircuitBreaker inventory = breakers.inState(State.OPEN, "inventory");
 *     time.advance(inventory.config().waitDurationInOpenState());
 *     assertThat(inventory).permitsCalls();
 *   }
 * }
 * }</pre>
 *
 * <p>Each test has its own; all parameters of a test, of its constructor and of its set-up and
 * tear-down methods get the same. What a class gets as a whole, in a {@code @BeforeAll} method or
 * in the constructor of a class with one instance, is shared by its tests.
 *
 * <p>After a test and its tear-down methods, {@link Breakers#assertNoCallsInFlight()} is called.
 */
public final class RecloserExtension implements ParameterResolver, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(RecloserExtension.class);

  /** Creates one; JUnit does that. */
  public RecloserExtension() {}

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == FakeTime.class || type == Breakers.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == FakeTime.class ? time(context) : breakers(context);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Breakers breakers = store(context).get(Breakers.class, Breakers.class);
    if (breakers != null) {
      breakers.assertNoCallsInFlight();
    }
  }

  private static FakeTime time(ExtensionContext context) {
    return made(context, FakeTime.class, FakeTime::create);
  }

  private static Breakers breakers(ExtensionContext context) {
    return made(context, Breakers.class, () -> Breakers.on(time(context)));
  }

  /** By get and put, which JUnit 5 and 6 both have. A context is resolved by one thread. */
  private static <T> T made(ExtensionContext context, Class<T> type, Supplier<T> maker) {
    Store store = store(context);
    T present = store.get(type, type);
    if (present != null) {
      return present;
    }
    T made = maker.get();
    store.put(type, made);
    return made;
  }

  private static Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }
}
