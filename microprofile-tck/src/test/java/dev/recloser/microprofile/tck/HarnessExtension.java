package dev.recloser.microprofile.tck;

import org.jboss.arquillian.container.spi.client.container.DeploymentExceptionTransformer;
import org.jboss.arquillian.container.test.spi.client.deployment.ApplicationArchiveProcessor;
import org.jboss.arquillian.core.spi.LoadableExtension;

/** Arquillian entry point: everything the Weld embedded container needs to host the suite. */
public final class HarnessExtension implements LoadableExtension {
  @Override
  public void register(ExtensionBuilder builder) {
    builder.service(ApplicationArchiveProcessor.class, BeanArchives.class);
    builder.service(DeploymentExceptionTransformer.class, DefinitionFailures.class);
    builder.observer(TestLifecycle.class);
  }
}
