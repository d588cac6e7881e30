package dev.recloser.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The page that is committed: complete, its own, and what its sources build to. */
final class PageTest {
  private static final Path SOURCES = Path.of("src/main/web");

  @Test
  void it_loads_nothing_from_elsewhere() throws IOException {
    for (String name : List.of("index.html", "console.css", "icon.svg", "worker.js")) {
      String text = file(name).replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
      assertThat(text).as(name).doesNotContain("http:", "https:", "//", "@import", "url(");
    }
    for (String name : List.of("console.js", "worker.js")) {
      assertThat(file(name))
          .as(name)
          .doesNotContain("innerHTML", "eval(", "new Function", "import(");
    }
  }

  @Test
  void it_needs_nothing_that_its_policy_forbids() throws IOException {
    assertThat(file("index.html")).doesNotContain("<style", "style=", "onclick=", "<script>");
  }

  /** Only where the tools are: whoever has just Java and Maven builds with what is committed. */
  @Test
  void it_is_what_its_sources_build_to() throws Exception {
    assumeThat(SOURCES.resolve("node_modules/esbuild")).isDirectory();
    Process check =
        new ProcessBuilder("node", "build.mjs", "--check")
            .directory(SOURCES.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(check.exitValue()).as(output).isZero();
  }

  @Test
  void what_it_is_built_with_is_pinned_and_names_no_address() throws IOException {
    String lock = Files.readString(SOURCES.resolve("package-lock.json"));
    assertThat(lock).contains("\"integrity\"").doesNotContain("\"resolved\"");
  }

  private static String file(String name) throws IOException {
    try (InputStream file = Console.class.getResourceAsStream("page/" + name)) {
      assertThat(file).as(name).isNotNull();
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
