package dev.recloser.opentelemetry;

import dev.recloser.CallNotPermittedException;
import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.CallRefused;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.util.List;

/**
 * What a breaker tells spans. Events come on the thread that ends or tries the call, whose current
 * span is the caller's; with stages it is whatever is current where the stage ends.
 */
final class BreakerSpans {
  private final Tracer tracer;

  BreakerSpans(Tracer tracer) {
    this.tracer = tracer;
  }

  Cancellable listen(CircuitBreaker breaker) {
    List<Cancellable> handles =
        List.of(
            breaker.on(CallFinished.class, call -> finished(breaker, call)),
            breaker.on(CallRefused.class, call -> refused(breaker, call)),
            breaker.on(StateTransition.class, BreakerSpans::moved));
    return () -> handles.forEach(Cancellable::cancel);
  }

  private static void finished(CircuitBreaker breaker, CallFinished call) {
    Span span = Span.current();
    if (span.isRecording()) {
      span.setAttribute(Attribute.NAME, call.policy());
      span.setAttribute(Attribute.STATE, Attribute.valueOf(breaker.state()));
      span.setAttribute(Attribute.OUTCOME, Attribute.valueOf(call.outcome()));
      span.setAttribute(Attribute.SLOW, call.slow());
    }
  }

  private void refused(CircuitBreaker breaker, CallRefused call) {
    tracer
        .spanBuilder("circuit_breaker " + call.policy())
        .setAttribute(Attribute.NAME, call.policy())
        .setAttribute(Attribute.STATE, Attribute.valueOf(breaker.state()))
        .setAttribute(Attribute.REASON, Attribute.valueOf(call.reason()))
        .setAttribute(Attribute.ERROR_TYPE, CallNotPermittedException.class.getName())
        .startSpan()
        .setStatus(StatusCode.ERROR, "refused: " + Attribute.valueOf(call.reason()))
        .end();
  }

  private static void moved(StateTransition transition) {
    Span.current()
        .addEvent(
            "recloser.circuit_breaker.transition",
            Attributes.of(
                Attribute.NAME,
                transition.policy(),
                Attribute.FROM,
                Attribute.valueOf(transition.from()),
                Attribute.TO,
                Attribute.valueOf(transition.to()),
                Attribute.CAUSE,
                Attribute.valueOf(transition.cause())));
  }
}
