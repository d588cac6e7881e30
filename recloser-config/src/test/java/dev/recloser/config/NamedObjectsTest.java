package dev.recloser.config;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.recloser.Answer;
import dev.recloser.CircuitBreaker;
import dev.recloser.Classifier;
import dev.recloser.Fallback;
import dev.recloser.Pipeline;
import dev.recloser.PolicyConfig;
import dev.recloser.PolicyEvent;
import dev.recloser.RetryBudget;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions and executors go by the name of a bean or a class. */
final class NamedObjectsTest {
  private static final String TEAPOT = Predicates.Teapot.class.getName();
  private static final String SECONDS = Functions.Seconds.class.getName();
  private static final String UNDECIDED = Functions.Undecided.class.getName();
  private static final String ASKED_FOR = Functions.AskedFor.class.getName();
  private static final String DIRECT = Functions.Direct.class.getName();

  @ParameterizedTest(name = "{0}.{1}")
  @MethodSource("names")
  void a_class_that_is_named_is_what_the_policy_gets(
      String kind, String key, String setting, String className) {
    PolicyConfigs configs = load(kind, key, className, base -> {});

    assertThat(setting(configs, kind, setting)).hasToString(className);
  }

  @ParameterizedTest(name = "{0}.{1}")
  @MethodSource("names")
  void a_bean_that_is_named_is_what_the_policy_gets(
      String kind, String key, String setting, String className) throws Exception {
    Object bean = Class.forName(className).getConstructor().newInstance();

    PolicyConfigs configs =
        load(kind, key, "ours", base -> base.beans(name -> name.equals("ours") ? bean : null));

    assertThat(value(configs, kind, setting)).isSameAs(bean);
  }

  static Stream<Arguments> names() {
    return Stream.of(
        arguments("circuitbreaker", "recordExceptionPredicate", "recordException", TEAPOT),
        arguments("circuitbreaker", "ignoreExceptionPredicate", "ignoreException", TEAPOT),
        arguments("circuitbreaker", "recordResultPredicate", "recordResult", TEAPOT),
        arguments("circuitbreaker", "classifier", "classifier", UNDECIDED),
        arguments(
            "circuitbreaker",
            "waitIntervalFunctionInOpenState",
            "waitIntervalFunctionInOpenState",
            SECONDS),
        arguments("circuitbreaker", "retryAfter", "retryAfter", ASKED_FOR),
        arguments(
            "circuitbreaker", "healthCheck", "healthCheck", Functions.Healthy.class.getName()),
        arguments("retry", "retryExceptionPredicate", "retryOnException", TEAPOT),
        arguments("retry", "resultPredicate", "retryOnResult", TEAPOT),
        arguments("retry", "classifier", "classifier", UNDECIDED),
        arguments("retry", "intervalFunction", "intervalFunction", SECONDS),
        arguments("retry", "retryAfter", "retryAfter", ASKED_FOR),
        arguments("retry", "executor", "executor", DIRECT),
        arguments("hedge", "executor", "executor", DIRECT),
        arguments("bulkhead", "executor", "executor", DIRECT),
        arguments("bulkhead", "callExecutor", "callExecutor", DIRECT),
        arguments("bulkhead", "adaptiveLimit.classifier", "adaptiveLimit.classifier", UNDECIDED),
        arguments("thread-pool-bulkhead", "executor", "executor", DIRECT),
        arguments("thread-pool-bulkhead", "callExecutor", "callExecutor", DIRECT),
        arguments("ratelimiter", "executor", "executor", DIRECT),
        arguments("timelimiter", "executor", "executor", DIRECT));
  }

  @Test
  void every_key_for_a_name_is_tried_above_but_that_of_a_budget() {
    List<String> keys = new ArrayList<>();
    for (PolicyKind<?, ?> kind : PolicyKind.ALL) {
      for (Key<?> key : kind.keys().all()) {
        if (key instanceof Key.Setting<?, ?> setting && setting.kind() instanceof NamedObject<?>) {
          keys.add(kind + "." + key.name());
        }
      }
    }
    List<String> tried = names().map(Arguments::get).map(each -> each[0] + "." + each[1]).toList();

    assertThat(keys).containsAll(tried).hasSize(tried.size() + 2);
    assertThat(keys).contains("retry.budget", "hedge.budget");
  }

  @Test
  void a_budget_is_shared_by_all_who_name_it() {
    RetryBudget shared = RetryBudget.create(10, 1);
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "shop.yml",
            """
            recloser:
              retry.instances.inventory: {budget: shop}
              hedge.instances.inventory: {idempotent: true, budget: shop}
            """,
            base -> base.beans(Map.of("shop", shared)::get));

    assertThat(value(configs, "retry", "budget")).isSameAs(shared);
    assertThat(value(configs, "hedge", "budget")).isSameAs(shared);
  }

  @Test
  void a_hedge_has_figures_of_its_budget_like_a_retry() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "shop.yml",
            """
            recloser.hedge.instances.inventory:
              {idempotent: true, retryBudgetPercentage: 5, retryBudgetMinimumPerSecond: 2}
            """);

    assertThat(configs.named(PolicyKind.HEDGE).instances().get("inventory"))
        .extracting(Budgeted::figures)
        .isEqualTo(new BudgetFigures(5, 2));
  }

  @Test
  void one_is_made_of_a_class_for_all_who_name_it_and_for_files_that_are_read_again(
      @TempDir Path folder) throws IOException {
    Path file = folder.resolve("shop.yml");
    String text =
        """
        recloser.timelimiter.instances:
          inventory: {timeoutDuration: 1s, executor: %1$s}
          pricing: {timeoutDuration: 2s, executor: %1$s}
        """;
    Files.writeString(file, text.formatted(DIRECT));
    int before = Functions.Direct.MADE.get();

    PolicyConfigs configs = PolicyConfigs.load(file);
    PolicyConfigs again = configs.again(TextFile.readAll(List.of(file)), base -> {});

    assertThat(Functions.Direct.MADE).hasValue(before + 1);
    assertThat(again.timeouts()).isEqualTo(configs.timeouts());
  }

  @Test
  void the_audit_has_the_names_of_a_file() {
    Classifier first = Classifier.defaults();
    Classifier second = (result, thrown) -> null;
    Map<String, Classifier> beans = Map.of("first", first, "second", second);
    String text = "recloser.retry.instances.inventory.classifier: ";
    ConfiguredPolicies policies =
        PolicyConfigs.loadYaml("a.yml", text + "first", base -> base.beans(beans::get)).policies();

    ConfiguredPolicies.Exchange exchange =
        policies.change(
            PolicyConfigs.loadYaml("a.yml", text + "second", base -> base.beans(beans::get)));

    assertThat(exchange.changes())
        .extracting(ConfigurationReload.Change::toString)
        .containsExactly("retry.instances.inventory.classifier: first -> second");
  }

  @Test
  @Timeout(60)
  void a_listener_that_is_another_bean_each_time_does_not_stay() throws Exception {
    List<WeakReference<Ear>> made = new ArrayList<>();
    String text =
        "recloser: {listeners: [ear], circuitbreaker.instances.a: {slidingWindowSize: %d}}";
    ConfiguredPolicies policies =
        PolicyConfigs.loadYaml("a.yml", text.formatted(5), base -> base.beans(name -> ear(made)))
            .policies();
    for (int size = 6; size < 9; size++) {
      policies.change(
          PolicyConfigs.loadYaml(
              "a.yml", text.formatted(size), base -> base.beans(name -> ear(made))));
    }
    assertThat(made).hasSize(4);
    while (made.stream().filter(each -> each.get() != null).count() > 1) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      System.gc();
    }
    trip(policies, "a");
    assertThat(made.get(3).get()).satisfies(last -> assertThat(last.heard).isNotEmpty());
  }

  private static Ear ear(List<WeakReference<Ear>> made) {
    Ear ear = new Ear();
    made.add(new WeakReference<>(ear));
    return ear;
  }

  private static final class Ear implements Consumer<PolicyEvent> {
    private final List<PolicyEvent> heard = new ArrayList<>();

    @Override
    public void accept(PolicyEvent event) {
      heard.add(event);
    }
  }

  @Test
  void listeners_hear_of_all_policies_of_those_that_come_later_too() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    Map<String, Consumer<PolicyEvent>> beans =
        Map.of(
            "first",
            event -> first.add(event.policy()),
            "second",
            event -> second.add(event.policy()));
    String text = "recloser: {%s circuitbreaker.instances: {a: {slidingWindowSize: 5}%s}}";
    ConfiguredPolicies policies =
        PolicyConfigs.loadYaml(
                "a.yml",
                text.formatted("listeners: [first, second],", ""),
                base -> base.beans(beans::get))
            .policies();
    trip(policies, "a");
    assertThat(first).isNotEmpty().containsOnly("a").isEqualTo(second);

    int before = first.size();
    ConfiguredPolicies.Exchange exchange =
        policies.change(
            PolicyConfigs.loadYaml(
                "a.yml",
                text.formatted("listeners: second,", ", b: {slidingWindowSize: 5}"),
                base -> base.beans(beans::get)));
    trip(policies, "b");

    assertThat(first).hasSize(before);
    assertThat(second).hasSizeGreaterThan(before).contains("b");
    assertThat(exchange.changes())
        .extracting(ConfigurationReload.Change::toString)
        .contains("listeners: [first, second] -> [second]");
  }

  private static void trip(ConfiguredPolicies policies, String breaker) {
    policies.circuitBreaker(breaker).transitionTo(CircuitBreaker.State.FORCED_OPEN);
  }

  @Test
  void nobody_hears_where_no_file_names_a_listener() {
    assertThat(PolicyConfigs.loadYaml("a.yml", "recloser.pipelines.x: default").listeners())
        .isEmpty();
  }

  @Test
  void a_pipeline_has_the_fallback_and_the_contexts_that_it_names() throws Exception {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "shop.yml",
            """
            recloser:
              timelimiter.instances.inventory: {timeoutDuration: 5s, executor: threads}
              pipelines:
                inventory:
                  policies: [timelimiter]
                  fallback: %s
                  contexts: [%s]
            """
                .formatted(Functions.NoStock.class.getName(), Functions.Carrier.class.getName()),
            base ->
                base.beans(Map.of("threads", (Executor) task -> new Thread(task).start())::get));
    Pipeline<@Nullable String> stocks = configs.policies().pipeline("inventory");

    Functions.Carrier.VALUE.set("mine");
    try {
      Answer<@Nullable String> live = stocks.answer(Functions.Carrier.VALUE::get);
      Answer<@Nullable String> failed =
          stocks.answer(
              () -> {
                throw new IOException("refused");
              });

      assertThat(live.value()).isEqualTo("mine");
      assertThat(failed.source()).isEqualTo(Answer.Source.FALLBACK);
      assertThat(failed.value()).isEqualTo("none");
    } finally {
      Functions.Carrier.VALUE.remove();
    }
  }

  @Test
  void the_audit_has_what_else_belongs_to_a_pipeline() {
    String text = "recloser.pipelines.x: {policies: [retry], %s}";
    ConfiguredPolicies policies =
        PolicyConfigs.loadYaml(
                "a.yml", text.formatted("fallback: " + Functions.NoStock.class.getName()))
            .policies();

    ConfiguredPolicies.Exchange exchange =
        policies.change(
            PolicyConfigs.loadYaml(
                "a.yml", text.formatted("contexts: " + Functions.Carrier.class.getName())));

    assertThat(exchange.changes())
        .extracting(ConfigurationReload.Change::toString)
        .containsExactly(
            "pipelines.x.fallback: "
                + Functions.NoStock.class.getName()
                + " -> nothing (for pipelines fetched from now on)",
            "pipelines.x.contexts: nothing -> "
                + Functions.Carrier.class.getName()
                + " (for pipelines fetched from now on)");
  }

  @Test
  void what_is_wrong_with_a_fallback_is_found_and_can_be_silenced() {
    Pipeline<String> other = Pipeline.create("other", calls -> calls.retry(retry -> {}));
    Fallback<String> risky =
        Fallback.of(
            rules ->
                rules.onFailure(() -> "none").otherCall(other, () -> "other").stale(ofMinutes(1)));
    String text =
        """
        recloser:
          retry.instances.x.resultPredicate: %s
          pipelines.x: {policies: [retry], fallback: risky}
        """
            .formatted(TEAPOT);

    assertThat(fallbackFindings(text, risky))
        .containsExactly(
            "fallback-without-limit pipelines.x.fallback 3 null",
            "stale-failed-results pipelines.x.fallback 3 null");
    assertThat(
            fallbackFindings(
                text + "  lint.silenced.fallback-without-limit.x: it is in memory", risky))
        .contains("fallback-without-limit pipelines.x.fallback 3 it is in memory");
    assertThat(fallbackFindings(text, Fallback.of(rules -> rules.onFailure(() -> "none"))))
        .isEmpty();
  }

  private static List<String> fallbackFindings(String text, Fallback<String> fallback) {
    return PolicyConfigs.loadYaml("a.yml", text, base -> base.beans(Map.of("risky", fallback)::get))
        .findings()
        .stream()
        .filter(finding -> finding.key().endsWith("fallback"))
        .map(
            finding ->
                "%s %s %d %s"
                    .formatted(finding.rule(), finding.key(), finding.line(), finding.silenced()))
        .sorted()
        .toList();
  }

  @Test
  void a_fallback_may_be_a_bean_itself() throws Exception {
    Fallback<String> fallback = Fallback.of(rules -> rules.onFailure(() -> "unknown"));
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "shop.yml",
            "recloser.pipelines: {inventory: {policies: [timelimiter], fallback: unknown-stock}}",
            base -> base.beans(Map.of("unknown-stock", fallback)::get));

    assertThat(configs.policies().<String>pipeline("inventory").call(NamedObjectsTest::fail))
        .isEqualTo("unknown");
  }

  @Test
  void a_tool_without_the_classes_leaves_out_what_is_named(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("shop.yml");
    Files.writeString(
        file,
        """
        recloser:
          retry.instances.inventory: {intervalFunction: com.shop.Waits}
          pipelines: {inventory: {policies: [retry], fallback: com.shop.NoStock, contexts: mdc}}
        """);

    assertThat(PolicyConfigs.loadWithoutClasses(file, base -> {}).notes())
        .extracting(note -> note.toString().substring(file.toString().length()))
        .containsExactly(
            ":2: retry.instances.inventory.intervalFunction: left out; com.shop.Waits is not loaded"
                + " here, calls are judged without it",
            ":3: pipelines.inventory.fallback: left out; com.shop.NoStock is not loaded here, the"
                + " pipeline is judged without it",
            ":3: pipelines.inventory.contexts[0]: left out; mdc is not loaded here, it says nothing"
                + " of calls");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void what_cannot_be_used_is_told_with_its_line(String setting, String expected) {
    assertThatThrownBy(
            () ->
                PolicyConfigs.loadYaml(
                    "shop.yml",
                    "recloser:\n  " + setting,
                    base -> base.beans(NamedObjectsTest::bean)))
        .isInstanceOf(InvalidConfigurationFileException.class)
        .hasMessage("shop.yml:2: " + expected);
  }

  static Stream<Arguments> what_cannot_be_used_is_told_with_its_line() {
    String function = "retry.instances.x.intervalFunction: ";
    String fallback = "pipelines.x.fallback: ";
    return Stream.of(
        wrong(
            function + "com.shop.NoSuchClass",
            "com.shop.NoSuchClass (expected: the name of a bean, or the full name of a class that"
                + " can be loaded)"),
        wrong(
            function + "java.lang.StringBuilder",
            "java.lang.StringBuilder (expected: a class that is a java.util.function.IntFunction)"),
        wrong(
            function + "text",
            "text (expected: a bean that is a java.util.function.IntFunction; this one is a"
                + " java.lang.String)"),
        wrong(
            function + "broken",
            "broken (expected: a bean that can be had; for this name came"
                + " java.lang.IllegalStateException: circular reference)"),
        wrong(
            function + Functions.Hidden.class.getName(),
            Functions.Hidden.class.getName()
                + " (expected: a public class with a public constructor without parameters)"),
        wrong(
            function + Functions.Uninitialized.class.getName(),
            Functions.Uninitialized.class.getName()
                + " (expected: a class whose initialization does not throw; this one threw"
                + " java.time.format.DateTimeParseException: Text cannot be parsed to a"
                + " Duration)"),
        wrong(function, "nothing (expected: a name)"),
        arguments(
            "retry.instances.x: {budget: shop, retryBudgetPercentage: 10}",
            "retry.instances.x.budget: shop (expected: either this, or retryBudgetPercentage and"
                + " retryBudgetMinimumPerSecond)"),
        arguments(
            "pipelines: {x: {policies: [retry], fallback: text}}",
            fallback
                + "text (expected: a dev.recloser.Fallback, or a java.util.function.Supplier of"
                + " one; this one is a java.lang.String)"),
        arguments(
            "pipelines: {x: {policies: [retry], fallback: %s}}"
                .formatted(Functions.Nothing.class.getName()),
            fallback
                + Functions.Nothing.class.getName()
                + " (expected: a dev.recloser.Fallback, or a java.util.function.Supplier of one;"
                + " this one gave null)"),
        arguments(
            "pipelines: {x: {policies: [retry], fallback: failing}}",
            fallback
                + "failing (expected: a dev.recloser.Fallback, or a java.util.function.Supplier of"
                + " one; this one threw java.lang.IllegalStateException: not ready)"),
        arguments(
            "listeners: [text]",
            "listeners[0]: text (expected: a bean that is a java.util.function.Consumer; this one is"
                + " a java.lang.String)"),
        arguments(
            "pipelines: {x: {policies: [retry], contexts: [text]}}",
            "pipelines.x.contexts[0]: text (expected: a bean that is a dev.recloser.spi.CallContext;"
                + " this one is a java.lang.String)"));
  }

  private static Arguments wrong(String setting, String expected) {
    return arguments(setting, "retry.instances.x.intervalFunction: " + expected);
  }

  private static @Nullable Object bean(String name) {
    return switch (name) {
      case "text" -> "text";
      case "broken" -> throw new IllegalStateException("circular reference");
      case "shop" -> RetryBudget.create(10, 1);
      case "failing" ->
          (java.util.function.Supplier<Object>)
              () -> {
                throw new IllegalStateException("not ready");
              };
      default -> null;
    };
  }

  private static String fail() throws IOException {
    throw new IOException("refused");
  }

  private static PolicyConfigs load(
      String kind, String key, String name, Consumer<PolicyConfigs.Base> base) {
    String more = kind.equals("hedge") ? "recloser.hedge.instances.x.idempotent: true\n" : "";
    String text = "recloser.%s.instances.x.%s: %s%n".formatted(kind, key, name);
    return PolicyConfigs.loadYaml("x.yml", more + text, base);
  }

  private static Object setting(PolicyConfigs configs, String kind, String setting) {
    return value(configs, kind, setting).getClass().getName();
  }

  private static Object value(PolicyConfigs configs, String kindName, String setting) {
    PolicyKind<?, ?> kind =
        PolicyKind.ALL.stream().filter(each -> each.isCalled(kindName)).findFirst().orElseThrow();
    String[] path = setting.split("\\.", -1);
    Map<String, Object> settings = settings(configs, kind);
    for (int i = 0; i < path.length - 1; i++) {
      settings = ((PolicyConfig) settings.get(path[i])).settings();
    }
    return settings.get(path[path.length - 1]);
  }

  private static <C> Map<String, Object> settings(PolicyConfigs configs, PolicyKind<?, C> kind) {
    return kind.maker()
        .settings()
        .apply(configs.named(kind).instances().values().iterator().next());
  }
}
