package dev.recloser.lab;

import dev.recloser.CircuitBreakerConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Traces made of logs. */
final class GoldenLogs {
  private static final Path FOLDER = Path.of("src", "test", "resources", "logs");

  private GoldenLogs() {}

  static Path file(String name) {
    return FOLDER.resolve(name + ".log");
  }

  static TraceSource golden(String name) {
    return TraceSource.of(file(name));
  }

  static TraceSource text(String... lines) {
    return bytes(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  static TraceSource bytes(byte[] bytes) {
    return TraceSource.of("access.log", new ByteArrayInputStream(bytes));
  }

  static List<RecordedCall> calls(TraceSource source) throws IOException {
    try (Trace trace = source.open()) {
      return calls(trace);
    }
  }

  static List<RecordedCall> calls(Trace trace) throws IOException {
    List<RecordedCall> calls = new ArrayList<>();
    for (RecordedCall call = trace.next(); call != null; call = trace.next()) {
      calls.add(call);
    }
    return calls;
  }

  /** How many calls ended how: {@code 12 SUCCESS, 3 FAILURE}. */
  static String outcomes(List<RecordedCall> calls) {
    return calls.stream()
        .collect(
            Collectors.groupingBy(
                call -> call.outcome().under(CircuitBreakerConfig.defaults()),
                java.util.TreeMap::new,
                Collectors.counting()))
        .entrySet()
        .stream()
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .collect(Collectors.joining(", "));
  }

  /** A call in short: line, milliseconds, outcome, key. */
  static String line(RecordedCall call) {
    String millis = Milliseconds.ofNanos(call.durationNanos()).toPlainString();
    return (call.row() + ": " + millis + " " + call.outcome() + " " + call.key()).strip();
  }
}
