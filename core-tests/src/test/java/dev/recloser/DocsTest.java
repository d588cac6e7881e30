package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every Java example in the documents and in the Javadoc compiles. */
final class DocsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern MARKDOWN = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern JAVADOC =
      Pattern.compile("<pre>\\{@code\n(.*?)\n *\\* }</pre>", Pattern.DOTALL);

  private static final String BEFORE =
      """
      import dev.recloser.*;
      import java.io.*;
      import java.net.http.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;

      abstract class Example {
        record Stock(int left) {}
        record Response(int status) {}
        interface InventoryClient {
          Stock stock(String sku) throws IOException;
          CompletionStage<Stock> stockAsync(String sku);
          Response send(String sku) throws IOException;
        }
        InventoryClient client;
        String sku;
        CircuitBreaker inventory;
        CircuitBreaker breaker;
        abstract Response send() throws IOException;
        void example() throws Exception {
      """;

  @TempDir private Path classes;

  @TestFactory
  Stream<DynamicTest> examplesCompile() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : sources()) {
      boolean markdown = file.toString().endsWith(".md");
      String text = Files.readString(file).replace("\r\n", "\n");
      Matcher example = (markdown ? MARKDOWN : JAVADOC).matcher(text);
      for (int number = 1; example.find(); number++) {
        String code = markdown ? example.group(1) : example.group(1).replaceAll("(?m)^ *\\*", "");
        String name = ROOT.relativize(file) + " example " + number;
        tests.add(DynamicTest.dynamicTest(name, () -> assertCompiles(code)));
      }
    }
    assertThat(tests).as("examples found").hasSizeGreaterThan(4);
    return tests.stream();
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> core = Files.walk(ROOT.resolve("recloser-core/src/main/java"))) {
      return Stream.of(Stream.of(ROOT.resolve("README.md")), docs, core)
          .flatMap(files -> files)
          .filter(file -> file.toString().endsWith(".md") || file.toString().endsWith(".java"))
          .sorted()
          .toList();
    }
  }

  private void assertCompiles(String code) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return BEFORE + code + "\n}}";
          }
        };
    List<String> options =
        List.of(
            "-proc:none",
            "-implicit:none",
            "-d",
            classes.toString(),
            "-Xlint:none",
            "-classpath",
            System.getProperty("java.class.path"));
    boolean compiled =
        compiler.getTask(messages, null, null, options, null, List.of(source)).call();
    assertThat(compiled).as("%s%n%s", code, messages).isTrue();
  }
}
