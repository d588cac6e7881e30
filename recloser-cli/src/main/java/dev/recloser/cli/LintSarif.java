package dev.recloser.cli;

import dev.recloser.config.Finding;
import dev.recloser.config.Finding.Severity;
import dev.recloser.config.Lint;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/**
 * Findings as SARIF 2.1.0, which code hosts and editors show at their lines.
 *
 * @see <a href="https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html">SARIF 2.1.0</a>
 */
final class LintSarif {
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  private final JsonGenerator json;

  private LintSarif(JsonGenerator json) {
    this.json = json;
  }

  static void write(PrintWriter out, List<Finding> findings) {
    Json.write(out, json -> new LintSarif(json).log(findings));
  }

  private void log(List<Finding> findings) {
    json.writeStartObject();
    json.writeStringProperty("$schema", SCHEMA);
    json.writeStringProperty("version", "2.1.0");
    json.writeArrayPropertyStart("runs");
    json.writeStartObject();
    tool();
    json.writeArrayPropertyStart("results");
    findings.forEach(this::result);
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
  }

  private void tool() {
    json.writeObjectPropertyStart("tool");
    json.writeObjectPropertyStart("driver");
    json.writeStringProperty("name", "recloser lint");
    json.writeArrayPropertyStart("rules");
    Lint.rules().forEach(this::rule);
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  private void rule(Lint.Rule rule) {
    json.writeStartObject();
    json.writeStringProperty("id", rule.id());
    text("shortDescription", rule.about());
    json.writeObjectPropertyStart("defaultConfiguration");
    json.writeStringProperty("level", level(rule.severity()));
    json.writeEndObject();
    json.writeEndObject();
  }

  private void result(Finding finding) {
    json.writeStartObject();
    json.writeStringProperty("ruleId", finding.rule());
    json.writeStringProperty("level", level(finding.severity()));
    String reason = finding.reason().isEmpty() ? "" : finding.reason() + "; ";
    text("message", finding.effect() + "; " + reason + finding.advice());
    json.writeArrayPropertyStart("locations");
    location(finding);
    json.writeEndArray();
    if (finding.silenced() != null) {
      suppression(finding.silenced());
    }
    json.writeEndObject();
  }

  private void location(Finding finding) {
    json.writeStartObject();
    json.writeObjectPropertyStart("physicalLocation");
    json.writeObjectPropertyStart("artifactLocation");
    json.writeStringProperty("uri", uri(finding.file()));
    json.writeEndObject();
    if (finding.line() > 0) {
      json.writeObjectPropertyStart("region");
      json.writeNumberProperty("startLine", finding.line());
      json.writeEndObject();
    }
    json.writeEndObject();
    if (!finding.key().isEmpty()) {
      json.writeArrayPropertyStart("logicalLocations");
      json.writeStartObject();
      json.writeStringProperty("fullyQualifiedName", finding.key());
      json.writeEndObject();
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private void suppression(String justification) {
    json.writeArrayPropertyStart("suppressions");
    json.writeStartObject();
    json.writeStringProperty("kind", "inSource");
    json.writeStringProperty("justification", justification);
    json.writeEndObject();
    json.writeEndArray();
  }

  private void text(String property, String text) {
    json.writeObjectPropertyStart(property);
    json.writeStringProperty("text", text);
    json.writeEndObject();
  }

  private static String level(Severity severity) {
    return severity.name().toLowerCase(Locale.ROOT);
  }

  /** Relative where the file was named so, for hosts that know only the repository. */
  private static String uri(String file) {
    Path path = Path.of(file);
    if (path.isAbsolute()) {
      return path.toUri().toASCIIString();
    }
    try {
      return new URI(null, null, file.replace('\\', '/'), null).toASCIIString();
    } catch (URISyntaxException e) {
      return path.toUri().toASCIIString();
    }
  }
}
