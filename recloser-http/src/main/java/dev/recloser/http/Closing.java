package dev.recloser.http;

import java.lang.reflect.InvocationTargetException;
import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls the methods by which a client is closed, which are there from Java 21 on, while this is
 * compiled for 17.
 */
final class Closing {
  private Closing() {}

  /** Calls one that takes nothing. */
  static @Nullable Object call(HttpClient client, String method) {
    try {
      return HttpClient.class.getMethod(method).invoke(client);
    } catch (InvocationTargetException e) {
      throw unchecked(e);
    } catch (ReflectiveOperationException e) {
      throw missing(method, e);
    }
  }

  static boolean awaitTermination(HttpClient client, Duration duration)
      throws InterruptedException {
    String method = "awaitTermination";
    try {
      Object over = HttpClient.class.getMethod(method, Duration.class).invoke(client, duration);
      return Boolean.TRUE.equals(over);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      throw unchecked(e);
    } catch (ReflectiveOperationException e) {
      throw missing(method, e);
    }
  }

  private static RuntimeException unchecked(InvocationTargetException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof RuntimeException thrown
        ? thrown
        : new IllegalStateException(e.getCause()); // None of them says that it throws another.
  }

  private static RuntimeException missing(String method, ReflectiveOperationException e) {
    return new UnsupportedOperationException(method + " needs Java 21", e);
  }
}
