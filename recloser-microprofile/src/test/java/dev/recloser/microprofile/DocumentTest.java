package dev.recloser.microprofile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the document compile. */
final class DocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "microprofile.md");
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final String BEFORE =
      """
      import dev.recloser.Pipeline;
      import dev.recloser.Policies;
      import dev.recloser.microprofile.Guarded;
      import jakarta.enterprise.context.ApplicationScoped;
      import jakarta.enterprise.inject.Produces;
      import jakarta.inject.*;
      import java.time.Duration;
      import java.util.concurrent.CompletionStage;
      import org.eclipse.microprofile.faulttolerance.*;

      class Example {
        record Stock(int left) {}
        interface Client {
          Stock stock(String sku);
          CompletionStage<Stock> stockLater(String sku);
        }
        static Client client;
      """;

  @TempDir private Path classes;

  @TestFactory
  Stream<DynamicTest> examples_compile() throws IOException {
    List<String> examples =
        EXAMPLE.matcher(Files.readString(DOCUMENT)).results().map(DocumentTest::code).toList();
    assertThat(examples).hasSizeGreaterThan(2);
    return examples.stream()
        .map(code -> DynamicTest.dynamicTest(code.lines().toList().get(0), () -> check(code)));
  }

  private static String code(MatchResult example) {
    return example.group(1);
  }

  private void check(String code) {
    StringWriter messages = new StringWriter();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return BEFORE + code + "\n}";
          }
        };
    List<String> options =
        List.of(
            "-proc:none",
            "-implicit:none",
            "-Xlint:none",
            "-d",
            classes.toString(),
            "-classpath",
            System.getProperty("java.class.path"));
    boolean compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(messages, null, null, options, null, List.of(source))
            .call();
    assertThat(compiled).as("%s%n%s", code, messages).isTrue();
  }
}
