package dev.recloser.lab;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.RefusalReason;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** Writes a replay as JSON, one object a line. */
final class JsonReport implements ReplayListener {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // Whatever the encoding of the writer.
          .rootValueSeparator((String) null)
          .build();

  private final Writer out;
  private final JsonGenerator json;
  private final boolean withCalls;
  private final boolean withKeys;

  JsonReport(Writer out, boolean withCalls, boolean withKeys) {
    this.out = out;
    json = FACTORY.createGenerator(ObjectWriteContext.empty(), out);
    this.withCalls = withCalls;
    this.withKeys = withKeys;
  }

  @Override
  public void transition(StateTransition transition) throws IOException {
    write(() -> writeTransition(transition));
    out.flush();
  }

  @Override
  public void call(RecordedCall call, boolean admitted, State decidedBy) throws IOException {
    if (withCalls) {
      write(() -> writeCall(call, admitted, decidedBy));
    }
  }

  @Override
  public void summary(ReplaySummary summary) throws IOException {
    write(() -> writeSummary(summary));
    out.flush();
  }

  /** Writes an object and hands it on whole, so that a report that breaks off has whole lines. */
  private void write(Runnable object) throws IOException {
    try {
      json.writeStartObject();
      object.run();
      json.writeEndObject();
      json.writeRaw('\n');
      json.flush();
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private void writeTransition(StateTransition transition) {
    json.writeStringProperty("type", "transition");
    key(transition.policy());
    json.writeName("at").writeNumber(Milliseconds.ofNanos(transition.at()));
    json.writeStringProperty("from", transition.from().name());
    json.writeStringProperty("to", transition.to().name());
    json.writeStringProperty("cause", transition.cause().name());
    json.writeStringProperty("reason", transition.reason());
    percent("failureRate", transition.window().failureRate());
    percent("slowCallRate", transition.window().slowCallRate());
    json.writeNumberProperty("calls", transition.window().calls());
    millis("waitMs", transition.waitDuration());
  }

  private void writeCall(RecordedCall call, boolean admitted, State decidedBy) {
    json.writeStringProperty("type", "call");
    key(call.key());
    json.writeNumberProperty("row", call.row());
    json.writeName("at").writeNumber(Milliseconds.ofNanos(call.atNanos()));
    json.writeBooleanProperty("admitted", admitted);
    json.writeStringProperty("state", decidedBy.name());
  }

  private void writeSummary(ReplaySummary summary) {
    CircuitBreakerMetrics metrics = summary.metrics();
    json.writeStringProperty("type", "summary");
    key(summary.key());
    json.writeNumberProperty("calls", summary.calls());
    json.writeNumberProperty("admitted", metrics.admitted());
    json.writeName("refused").writeStartObject();
    for (RefusalReason reason : RefusalReason.values()) {
      json.writeNumberProperty(reason.name(), metrics.refused().getOrDefault(reason, 0L));
    }
    json.writeEndObject();
    json.writeNumberProperty("succeeded", metrics.succeeded());
    json.writeNumberProperty("failed", metrics.failed());
    json.writeNumberProperty("ignored", metrics.ignored());
    json.writeNumberProperty("cancelled", metrics.cancelled());
    json.writeNumberProperty("slow", metrics.slow());
    json.writeNumberProperty("late", metrics.late());
    json.writeName("timeInState").writeStartObject();
    for (State state : State.values()) {
      millis(state.name(), metrics.timeInState().getOrDefault(state, Duration.ZERO));
    }
    json.writeEndObject();
    json.writeNumberProperty("refusedThatWouldHaveFailed", summary.refusedThatWouldHaveFailed());
    json.writeNumberProperty(
        "refusedThatWouldHaveSucceeded", summary.refusedThatWouldHaveSucceeded());
    millis("busyMsSpared", summary.busyTimeSpared());
  }

  private void key(String key) {
    if (withKeys) {
      json.writeStringProperty("key", key);
    }
  }

  private void millis(String name, @Nullable Duration duration) {
    if (duration == null) {
      json.writeNullProperty(name);
    } else {
      json.writeName(name).writeNumber(Milliseconds.of(duration));
    }
  }

  private void percent(String name, double percent) {
    if (Double.isNaN(percent)) {
      json.writeNullProperty(name);
    } else {
      json.writeName(name).writeNumber(BigDecimal.valueOf(percent).stripTrailingZeros());
    }
  }
}
