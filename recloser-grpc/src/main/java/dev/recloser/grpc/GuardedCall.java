package dev.recloser.grpc;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors.CheckedForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call that asks for admission when it is started, and tells how it ended. */
final class GuardedCall<Q, A> extends CheckedForwardingClientCall<Q, A> {
  /** Whether it is a success as soon as there are headers. */
  private final boolean endsWithHeaders;

  private final Supplier<CircuitBreaker> breaker;
  private final GrpcOutcomes outcomes;

  /** Written when it is started, which gRPC lets no other method overtake but cancelling. */
  private volatile @Nullable Permit permit;

  GuardedCall(
      ClientCall<Q, A> call,
      boolean endsWithHeaders,
      Supplier<CircuitBreaker> breaker,
      GrpcOutcomes outcomes) {
    super(call);
    this.endsWithHeaders = endsWithHeaders;
    this.breaker = breaker;
    this.outcomes = outcomes;
  }

  @Override
  protected void checkedStart(Listener<A> listener, Metadata headers) throws StatusException {
    Permit admitted;
    try {
      admitted = breaker.get().acquire();
    } catch (CallNotPermittedException refused) {
      throw Status.UNAVAILABLE
          .withDescription(refused.getMessage())
          .withCause(refused)
          .asException();
    }
    permit = admitted;
    try {
      delegate().start(new Watching<>(listener, endsWithHeaders, admitted, outcomes), headers);
    } catch (Throwable thrown) {
      admitted.fail(thrown);
      throw thrown;
    }
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    Permit admitted = permit;
    if (admitted != null) {
      admitted.close();
    }
    super.cancel(message, cause);
  }

  /** Tells a permit of the end of a call before the caller's own listener learns of it. */
  private static final class Watching<A> extends SimpleForwardingClientCallListener<A> {
    private final boolean endsWithHeaders;
    private final Permit permit;
    private final GrpcOutcomes outcomes;

    Watching(Listener<A> listener, boolean endsWithHeaders, Permit permit, GrpcOutcomes outcomes) {
      super(listener);
      this.endsWithHeaders = endsWithHeaders;
      this.permit = permit;
      this.outcomes = outcomes;
    }

    @Override
    public void onHeaders(Metadata headers) {
      if (endsWithHeaders) {
        permit.record(Outcome.SUCCESS);
      }
      super.onHeaders(headers);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      permit.complete(new JudgedStatus(outcomes, status, trailers));
      super.onClose(status, trailers);
    }
  }
}
