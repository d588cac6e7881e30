package dev.recloser.microprofile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.CircuitBreaker;
import dev.recloser.Policies;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Vetoed;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.eclipse.microprofile.faulttolerance.exceptions.FaultToleranceDefinitionException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Classes that are a bean twice or none at all, and beans that the application has of its own. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class UnusualBeansTest {
  @ApplicationScoped
  static class Twice {
    @org.eclipse.microprofile.faulttolerance.CircuitBreaker(requestVolumeThreshold = 1)
    void stock() throws IOException {
      throw new IOException("down");
    }
  }

  static class Again implements Extension {
    void add(@Observes BeforeBeanDiscovery event) {
      event.addAnnotatedType(Twice.class, "again").add(NamedLiteral.of("again"));
    }
  }

  @Vetoed
  static class HalfWrong {
    @Retry
    @org.eclipse.microprofile.faulttolerance.CircuitBreaker(successThreshold = 0)
    void stock() {}
  }

  static class OwnPolicies {
    static final Policies OWN = Policies.create();

    @Produces
    @Singleton
    static Policies own() {
      return OWN;
    }
  }

  @Test
  void beans_of_one_class_share_their_policies() {
    try (Container container = Container.extended(new Again(), Twice.class)) {
      Twice again = container.get(Twice.class, NamedLiteral.of("again"));

      assertThat(catchThrowable(again::stock)).isInstanceOf(IOException.class);
      assertThat(catchThrowable(again::stock)).isInstanceOf(CircuitBreakerOpenException.class);
      assertThat(container.get(Policies.class).circuitBreakers().all())
          .extracting(CircuitBreaker::name)
          .isEqualTo(List.of(Twice.class.getName() + "/stock"));
    }
  }

  @Test
  void what_is_no_bean_and_wrong_is_told_at_each_call_and_leaves_no_policy_behind() {
    try (Container container = Container.of(OwnPolicies.class, Twice.class)) {
      BeanManager beans = container.container().getBeanManager();
      HalfWrong wrong =
          beans
              .createInterceptionFactory(
                  beans.<HalfWrong>createCreationalContext(null), HalfWrong.class)
              .createInterceptedInstance(new HalfWrong());

      for (int call = 0; call < 2; call++) {
        assertThat(catchThrowable(wrong::stock))
            .isInstanceOf(FaultToleranceDefinitionException.class)
            .hasMessageContaining("@CircuitBreaker(successThreshold): 0 (expected: 1 or more)");
      }
      var extension = beans.getExtension(FaultToleranceExtension.class);
      assertThat(extension.application().policies().retries().all()).isEmpty();
    }
  }

  @Test
  void policies_of_the_applications_own_are_its_bean() {
    try (Container container = Container.of(OwnPolicies.class)) {
      assertThat(container.get(Policies.class)).isSameAs(OwnPolicies.OWN);
    }
  }
}
