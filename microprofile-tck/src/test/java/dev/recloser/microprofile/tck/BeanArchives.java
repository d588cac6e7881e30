package dev.recloser.microprofile.tck;

import org.jboss.arquillian.container.test.spi.client.deployment.ApplicationArchiveProcessor;
import org.jboss.arquillian.test.spi.TestClass;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * Some suite deployments carry classes without a beans.xml marker of their own. A full server would
 * use implicit bean archives; the embedded container only looks at marked ones.
 */
public final class BeanArchives implements ApplicationArchiveProcessor {
  @Override
  public void process(Archive<?> archive, TestClass testClass) {
    if (archive instanceof WebArchive war && !archive.contains("WEB-INF/beans.xml")) {
      war.addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    } else if (archive instanceof JavaArchive jar && !archive.contains("META-INF/beans.xml")) {
      jar.addAsManifestResource(EmptyAsset.INSTANCE, "beans.xml");
    }
  }
}
