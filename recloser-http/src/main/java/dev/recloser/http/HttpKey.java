package dev.recloser.http;

import java.util.Objects;
import java.util.function.Function;

/**
 * Names the dependency that a call goes to, and with it the breaker: calls with the same name fail
 * together.
 *
 * <p>Names must be few: a service, a host, an operation; never a whole URL or a customer, for no
 * breaker then sees enough calls to judge anything. The registry of the breakers is bounded.
 *
 * <p>Called by many threads at once. A key that throws, or gives null or a blank name, is logged
 * once, and the call is named by its origin.
 */
@FunctionalInterface
public interface HttpKey {
  /** The name for a call; not blank. */
  String of(HttpCall call);

  /** The {@linkplain HttpCall#origin() origin} of the call: one breaker a host and port. */
  static HttpKey origin() {
    return HttpCall::origin;
  }

  /** Origin and method: one breaker for reading from a host, others for writing to it. */
  static HttpKey originAndMethod() {
    return originAnd(HttpCall::method);
  }

  /**
   * Origin and operation, for operations of one host that fail independently.
   *
   * <pre>{@code
   * HttpKey key = HttpKey.originAnd(call ->
   *     call.uri().getPath().startsWith("/reserve/") ? "reserve" : "stock");
   * }</pre>
   *
   * @param operation names the operation of a call: the template of its path, not the path
   */
  static HttpKey originAnd(Function<? super HttpCall, String> operation) {
    Objects.requireNonNull(operation, "operation");
    return call -> call.origin() + " " + Objects.requireNonNull(operation.apply(call), "operation");
  }
}
