package dev.recloser.microprofile.tck;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.eclipse.microprofile.faulttolerance.exceptions.FaultToleranceDefinitionException;
import org.jboss.arquillian.container.spi.client.container.DeploymentExceptionTransformer;

/**
 * The suite expects deployments with invalid annotations to fail with
 * FaultToleranceDefinitionException. Weld wraps it, so search the cause/suppressed graph for it.
 */
public final class DefinitionFailures implements DeploymentExceptionTransformer {
  @Override
  public Throwable transform(Throwable failure) {
    Deque<Throwable> todo = new ArrayDeque<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    if (failure != null) {
      todo.add(failure);
    }
    while (!todo.isEmpty()) {
      Throwable t = todo.poll();
      if (!seen.add(t)) {
        continue;
      }
      if (t instanceof FaultToleranceDefinitionException) {
        return t;
      }
      if (t.getCause() != null) {
        todo.add(t.getCause());
      }
      Collections.addAll(todo, t.getSuppressed());
    }
    return null;
  }
}
