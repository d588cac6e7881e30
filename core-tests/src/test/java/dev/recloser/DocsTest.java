package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import org.junit.jupiter.api.Test;
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
      import static dev.recloser.test.RecloserAssertions.*;
      import static org.assertj.core.api.Assertions.*;

      import com.sun.net.httpserver.*;
      import dev.recloser.*;
      import dev.recloser.Timeout;
      import dev.recloser.config.ConfigurationWatch;
      import dev.recloser.config.ConfiguredPolicies;
      import dev.recloser.config.PolicyConfigs;
      import dev.recloser.console.Console;
      import dev.recloser.console.ConsoleAnswer;
      import dev.recloser.console.ConsoleHandler;
      import dev.recloser.console.ConsoleRequest;
      import dev.recloser.grpc.*;
      import dev.recloser.http.*;
      import dev.recloser.httpclient5.*;
      import dev.recloser.jdk.*;
      import dev.recloser.micrometer.*;
      import dev.recloser.okhttp.*;
      import dev.recloser.opentelemetry.*;
      import dev.recloser.spi.*;
      import dev.recloser.test.*;
      import io.grpc.ManagedChannel;
      import io.grpc.ManagedChannelBuilder;
      import io.micrometer.core.instrument.Meter;
      import io.micrometer.core.instrument.MeterRegistry;
      import io.micrometer.core.instrument.Tag;
      import io.micrometer.core.instrument.config.MeterFilter;
      import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
      import io.opentelemetry.api.OpenTelemetry;
      import jakarta.servlet.http.HttpServletRequest;
      import jakarta.servlet.http.HttpServletResponse;
      import java.io.*;
      import java.net.*;
      import java.net.http.*;
      import java.nio.charset.*;
      import java.nio.file.Path;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      import java.util.function.*;
      import okhttp3.OkHttpClient;
      import org.apache.hc.client5.http.impl.async.*;
      import org.apache.hc.client5.http.impl.classic.*;
      import org.junit.jupiter.api.*;
      import org.junit.jupiter.api.extension.*;

      abstract class Example {
        record Stock(int left) {}
        record Response(int status) {}
        interface InventoryClient {
          Stock stock(String sku) throws IOException;
          CompletionStage<Stock> stockAsync(String sku);
          Response send(String sku) throws IOException;
        }
        interface MDC { // SLF4J's
          static Map<String, String> getCopyOfContextMap() { return null; }
          static void setContextMap(Map<String, String> map) {}
        }
        InventoryClient client;
        String sku;
        CircuitBreaker inventory;
        CircuitBreaker breaker;
        Pipeline<Response> pipeline;
        HttpExchange exchange;
        URI uri;
        HttpGuard guard;
        HttpCall call;
        jakarta.servlet.AsyncContext async;
        RefusalFilter filter;
        CircuitBreakerRegistry registry;
        Policies policies;
        Path file;
        HttpServletRequest servletRequest;
        HttpServletResponse servletResponse;
        abstract String userOf(ConsoleRequest request);
        abstract String rawPathOf(HttpServletRequest request);
        abstract Map<String, List<String>> headersOf(HttpServletRequest request);
        MeterRegistry meterRegistry;
        OpenTelemetry openTelemetry;
        abstract Response send() throws IOException;
        abstract void show(Stock stock);
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

  /** The sentence in the README is what the breaker in the README says. */
  @Test
  void theReadmeQuotesTheBreaker() throws IOException {
    FakeTime time = FakeTime.create();
    CircuitBreaker inventory =
        CircuitBreaker.create(
            "inventory",
            config ->
                config
                    .slidingWindowSize(20)
                    .slowCallDurationThreshold(Duration.ofMillis(150))
                    .slowCallRateThreshold(80)
                    .waitDurationInOpenState(Duration.ofSeconds(30))
                    .permittedNumberOfCallsInHalfOpenState(2)
                    .ticker(time));
    for (int call = 0; call < 20; call++) {
      Permit permit = inventory.acquire();
      if (call < 8) {
        permit.complete("in stock");
      } else {
        time.advance(Duration.ofMillis(call == 19 ? 201 : 100));
        permit.fail(new HttpTimeoutException("request timed out"));
      }
    }
    time.advance(Duration.ofSeconds(18));

    String readme = Files.readString(ROOT.resolve("README.md")).replace("\n> ", " ");
    assertThat(readme).contains(inventory.explain());
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    sources.addAll(files("docs", ".md"));
    // Its examples have annotations of another library, and are compiled in recloser-microprofile.
    sources.remove(ROOT.resolve("docs/microprofile.md"));
    for (String module :
        List.of(
            "recloser-core",
            "recloser-http",
            "recloser-okhttp",
            "recloser-httpclient5",
            "recloser-grpc",
            "recloser-micrometer",
            "recloser-opentelemetry",
            "recloser-jdk")) {
      sources.addAll(files(module + "/src/main/java", ".java"));
    }
    return sources;
  }

  private static List<Path> files(String folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
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
