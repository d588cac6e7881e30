package dev.recloser.grpc;

import io.grpc.MethodDescriptor;

/**
 * Names the dependency that a call goes to, and with it the breaker: calls with the same name fail
 * together.
 *
 * <p>Called by many threads at once. A key that throws, or gives null or a blank name, is logged
 * once, and the call is named by its authority.
 */
@FunctionalInterface
public interface GrpcKey {
  /**
   * The name for a call; not blank.
   *
   * @param authority of the channel: host and port, as a rule
   */
  String of(MethodDescriptor<?, ?> method, String authority);

  /** The authority of the channel: one breaker a host and port. */
  static GrpcKey authority() {
    return (method, authority) -> authority;
  }

  /** Authority and service: {@code inventory:8080 shop.Inventory}. */
  static GrpcKey service() {
    return (method, authority) -> authority + " " + method.getServiceName();
  }

  /** Authority and method: {@code inventory:8080 shop.Inventory/Reserve}. */
  static GrpcKey method() {
    return (method, authority) -> authority + " " + method.getFullMethodName();
  }
}
