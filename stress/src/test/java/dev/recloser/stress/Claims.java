package dev.recloser.stress;

import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;

/**
 * The two ways to run the tests of the claims.
 *
 * <p>jcstress has a JVM of its own for each test and each configuration of the VM, and most of a
 * second goes into starting it. The quick way runs what such a JVM would run, one test after the
 * other, in this one.
 */
final class Claims {
  private static final int LIMIT_HOURS = 24;

  /** Yielding, because the two processors may be busy with other things. */
  private static final String[] QUICK = {
    "-c", "2", "-iters", "3", "-time", "60", "-spinStyle", "THREAD_YIELD"
  };

  private Claims() {}

  static Collection<String> names() {
    return TestList.tests();
  }

  static boolean isWrong(String name) {
    return name.substring(name.lastIndexOf('.') + 1).startsWith("Wrong");
  }

  /** Runs a test for a fifth of a second. */
  static TestResult runHere(String name) {
    try {
      Options options = new Options(QUICK);
      assertThat(options.parse()).isTrue();
      TestInfo info = TestList.getInfo(name);
      TestConfig config =
          new TestConfig(
              options,
              info,
              /* forkId= */ 0,
              /* jvmArgs= */ List.of(),
              /* compileMode= */ 0,
              new SchedulingClass(AffinityMode.NONE, info.threads(), NodeType.PACKAGE));
      Runner<?> runner =
          Class.forName(info.generatedRunner())
              .asSubclass(Runner.class)
              .getConstructor(ForkedTestConfig.class)
              .newInstance(new ForkedTestConfig(config));
      TestResult result = runner.run();
      result.setConfig(config);
      return result;
    } catch (ReflectiveOperationException | IOException e) {
      throw new AssertionError(name, e);
    }
  }

  /** Runs all tests as jcstress does with these options; {@code target/jcstress} keeps its log. */
  static Map<String, List<TestResult>> runForked(String options) throws Exception {
    Path directory = emptied(Path.of("target", "jcstress").toAbsolutePath());
    Path log = directory.resolve("log.txt");
    Process jcstress =
        new ProcessBuilder(command(options))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(jcstress.waitFor(LIMIT_HOURS, HOURS)).as("it ends; see %s", log).isTrue();
    } finally {
      jcstress.descendants().forEach(ProcessHandle::destroyForcibly);
      jcstress.destroyForcibly();
    }
    return results(directory, log);
  }

  private static List<String> command(String options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("org.openjdk.jcstress.Main");
    command.addAll(Arrays.asList(options.trim().split("\\s+", -1)));
    return command;
  }

  private static Map<String, List<TestResult>> results(Path directory, Path log) throws Exception {
    Path file;
    try (Stream<Path> files = Files.list(directory)) {
      file = files.filter(f -> f.toString().endsWith(".bin.gz")).findAny().orElse(null);
    }
    assertThat(file).as("results; see %s", log).isNotNull();
    InProcessCollector collector = new InProcessCollector();
    DiskReadCollector reader = new DiskReadCollector(file.toString(), collector);
    reader.dump();
    reader.close();
    return collector.getTestResults().stream()
        .collect(Collectors.groupingBy(TestResult::getName, TreeMap::new, Collectors.toList()));
  }

  private static Path emptied(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return Files.createDirectories(directory);
  }
}
