package dev.recloser.cli;

import dev.recloser.config.Finding;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** Findings as one JSON object, for scripts. */
final class LintJson {
  private LintJson() {}

  static void write(PrintWriter out, List<Finding> findings) {
    Json.write(
        out,
        json -> {
          json.writeStartObject();
          json.writeArrayPropertyStart("findings");
          findings.forEach(finding -> write(json, finding));
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, Finding finding) {
    json.writeStartObject();
    json.writeStringProperty("rule", finding.rule());
    json.writeStringProperty("severity", finding.severity().name().toLowerCase(Locale.ROOT));
    json.writeStringProperty("file", finding.file());
    json.writeNumberProperty("line", finding.line());
    json.writeStringProperty("key", finding.key());
    json.writeStringProperty("effect", finding.effect());
    json.writeStringProperty("reason", finding.reason());
    json.writeStringProperty("advice", finding.advice());
    if (finding.silenced() != null) {
      json.writeStringProperty("silenced", finding.silenced());
    }
    json.writeEndObject();
  }
}
