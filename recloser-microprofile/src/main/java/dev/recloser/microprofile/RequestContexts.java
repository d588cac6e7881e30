package dev.recloser.microprofile;

import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import org.jspecify.annotations.Nullable;

/** Sees to it that a request context is active where a method runs on another thread. */
final class RequestContexts {
  private final Instance<RequestContextController> controllers;

  RequestContexts(BeanManager beans) {
    controllers = beans.createInstance().select(RequestContextController.class);
  }

  /** Something that needs the context. */
  @FunctionalInterface
  interface Body {
    @Nullable Object run() throws Throwable;
  }

  /** Runs a body with the thread's request context, or with one of its own if there is none. */
  @Nullable Object within(Body body) throws Throwable {
    // One each time: a controller deactivates what it has activated, and nothing else.
    try (Instance.Handle<RequestContextController> handle = controllers.getHandle()) {
      RequestContextController controller = handle.get();
      boolean activated = controller.activate();
      try {
        return body.run();
      } finally {
        if (activated) {
          controller.deactivate();
        }
      }
    }
  }
}
