package dev.recloser.lab;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

/** Traces in memory. */
final class Traces {
  private Traces() {}

  /** A trace with the usual header. */
  static Trace of(String... rows) throws IOException {
    return ofText("at,duration,outcome\n" + String.join("\n", rows));
  }

  static Trace ofText(String text) throws IOException {
    return Trace.csv("calls.csv", new StringReader(text));
  }

  static List<RecordedCall> callsOf(String text) throws IOException {
    List<RecordedCall> calls = new ArrayList<>();
    try (Trace trace = ofText(text)) {
      for (RecordedCall call = trace.next(); call != null; call = trace.next()) {
        calls.add(call);
      }
    }
    return calls;
  }
}
