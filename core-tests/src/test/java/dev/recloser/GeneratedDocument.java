package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A document whose figures come out of a test, which fails when the two differ. */
final class GeneratedDocument {
  private static final Path DOCUMENTS = Path.of("..", "docs");
  private static final Path WRITTEN = Path.of("target", "docs");

  private GeneratedDocument() {}

  /** Writes what the document should be to where it can be copied from, if it is not that. */
  static void assertIs(String name, String text) throws IOException {
    Path document = DOCUMENTS.resolve(name);
    String present = Files.exists(document) ? Files.readString(document) : "";
    if (!present.replace("\r\n", "\n").equals(text)) {
      Files.writeString(Files.createDirectories(WRITTEN).resolve(name), text);
    }
    assertThat(present.replace("\r\n", "\n"))
        .as(
            "docs/%s, which the test writes; to bring it up to date, run in the root: "
                + "cp core-tests/target/docs/%s docs/",
            name, name)
        .isEqualTo(text);
  }
}
