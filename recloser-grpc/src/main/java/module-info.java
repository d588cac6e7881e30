/**
 * Recloser for gRPC clients.
 *
 * <p>{@link dev.recloser.grpc.GuardClientInterceptor} guards calls, and {@link
 * dev.recloser.grpc.GrpcOutcomes} says what their ends mean.
 */
@SuppressWarnings("requires-transitive-automatic")
module dev.recloser.grpc {
  requires transitive dev.recloser.http;
  requires transitive io.grpc;
  requires static org.jspecify;

  exports dev.recloser.grpc;
}
