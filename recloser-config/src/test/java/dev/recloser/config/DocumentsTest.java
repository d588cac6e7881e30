package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every file in the documents about policies and pipelines can be read. */
final class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
  private static final Pattern JAVADOC =
      Pattern.compile("<pre>\\{@code\n( \\* recloser:.*?)\n \\* }</pre>", Pattern.DOTALL);

  /** Those of one example may name what is in the one before. */
  private static final String INSTANCES_OF_JAVADOC =
      "resilience4j.retry.instances.inventory:\nresilience4j.timelimiter.instances.inventory:\n";

  /** What the examples name. */
  private static final Map<String, Object> BEANS =
      Map.of(
          "com.shop.Waits", new Functions.Seconds(),
          "paymentOutcomes", new Functions.Undecided(),
          "com.shop.PayLater", new Functions.NoStock(),
          "com.shop.TraceContext", new Functions.Carrier(),
          "com.shop.PolicyLog", (Consumer<Object>) event -> {});

  @TestFactory
  Stream<DynamicTest> files_in_documents_load() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String name : List.of("pipeline.md", "how-to.md", "configuration.md")) {
      Matcher example = YAML.matcher(Files.readString(ROOT.resolve("docs").resolve(name)));
      while (example.find()) {
        String text = example.group(1);
        tests.add(DynamicTest.dynamicTest(name, () -> assertLoads(name, text)));
      }
    }
    Path packageInfo = Path.of("src/main/java/dev/recloser/config/package-info.java");
    Matcher example = JAVADOC.matcher(Files.readString(packageInfo));
    while (example.find()) {
      String text = example.group(1).replaceAll("(?m)^ \\* ?", "");
      String named = text.contains("pipelines:") ? INSTANCES_OF_JAVADOC + text : text;
      tests.add(DynamicTest.dynamicTest("package-info", () -> assertLoads("package-info", named)));
    }
    assertThat(tests).hasSize(11);
    return tests.stream();
  }

  private static void assertLoads(String name, String text) {
    PolicyConfigs configs = PolicyConfigs.loadYaml(name, text, base -> base.beans(BEANS::get));

    assertThat(configs.findings())
        .as("a name in an example that no pipeline of it has")
        .noneMatch(finding -> finding.rule().equals("unused-policy"));
    for (String pipeline : configs.pipelines()) {
      assertThat(configs.policies().pipeline(pipeline).describe()).startsWith(pipeline + ":");
    }
  }
}
