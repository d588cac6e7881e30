package dev.recloser.cli;

import java.io.PrintWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** Writes JSON that ends in a line break. */
final class Json {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // Whatever the encoding of the writer.
          .build();

  private Json() {}

  static void write(PrintWriter out, Consumer<JsonGenerator> content) {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      content.accept(json);
    }
    out.println();
  }
}
