package dev.recloser.config;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.InvalidConfigurationException.Fault;
import dev.recloser.Pipeline;
import dev.recloser.Policy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Policies, and how they shall be. Immutable, though the policies live.
 *
 * @param configs what it is made of
 * @param policies by kind and name; unmodifiable
 */
record LivingPolicies(PolicyConfigs configs, Map<PolicyRef<?>, LivingPolicy<?, ?>> policies) {
  /** The policies of these configurations. */
  static LivingPolicies of(PolicyConfigs configs) {
    return new LivingPolicies(configs, Map.of()).with(configs);
  }

  /**
   * These policies and those that other configurations add, as those have them.
   *
   * @throws InvalidConfigurationException when policies read other tickers; lists them all
   */
  LivingPolicies with(PolicyConfigs configs) {
    Map<PolicyRef<?>, LivingPolicy<?, ?>> after = new LinkedHashMap<>();
    policies.forEach((ref, policy) -> after.put(ref, policy.with(configs)));
    PolicyKind.ALL.forEach(kind -> addMissing(kind, configs, after));
    checkTickers(after);
    return new LivingPolicies(configs, Collections.unmodifiableMap(after));
  }

  /** The policies that there were not before. */
  List<Policy> addedSince(LivingPolicies before) {
    return policies.entrySet().stream()
        .filter(entry -> !before.policies.containsKey(entry.getKey()))
        .<Policy>map(entry -> entry.getValue().policy())
        .toList();
  }

  /** The policies that shall be different than before. */
  List<Policy> changedSince(LivingPolicies before) {
    return before.policies.entrySet().stream()
        .filter(entry -> !get(entry.getKey()).config().equals(entry.getValue().config()))
        .<Policy>map(entry -> entry.getValue().policy())
        .toList();
  }

  /** Tells these policies how they shall be. */
  void tell(List<Policy> changed) {
    policies.values().stream()
        .filter(each -> changed.contains(each.policy()))
        .forEach(LivingPolicy::tell);
  }

  List<Policy> all() {
    return policies.values().stream().<Policy>map(LivingPolicy::policy).toList();
  }

  <P extends Policy> P find(Class<P> type, PolicyKind<?, ?> kind, String name) {
    Objects.requireNonNull(name, "name");
    LivingPolicy<?, ?> found = policies.get(new PolicyRef<>(kind, name));
    if (found == null) {
      throw unknown(kind.name(), name, namesOf(kind));
    }
    return type.cast(found.policy());
  }

  <T extends @Nullable Object> Pipeline<T> pipeline(
      String name, Consumer<? super Pipeline.Builder<T>> outermost) {
    PipelinePlan plan = configs.plans().get(Objects.requireNonNull(name, "name"));
    if (plan == null) {
      throw unknown("pipeline", name, List.copyOf(configs.pipelines()));
    }
    return plan.make(outermost, ref -> get(ref).policy());
  }

  private LivingPolicy<?, ?> get(PolicyRef<?> ref) {
    return Objects.requireNonNull(policies.get(ref), "policy");
  }

  private static <C> void addMissing(
      PolicyKind<?, C> kind,
      PolicyConfigs configs,
      Map<PolicyRef<?>, LivingPolicy<?, ?>> policies) {
    configs
        .named(kind)
        .instances()
        .forEach(
            (name, config) -> {
              PolicyRef<C> ref = new PolicyRef<>(kind, name);
              policies.computeIfAbsent(ref, absent -> LivingPolicy.of(ref, kind.maker(), config));
            });
  }

  private void checkTickers(Map<PolicyRef<?>, LivingPolicy<?, ?>> after) {
    List<Fault> faults =
        policies.entrySet().stream()
            .filter(entry -> differ(entry.getValue().ticker(), tickerOf(after, entry.getKey())))
            .map(
                entry ->
                    new Fault(
                        "ticker of " + entry.getKey(), "another one", "the one it was made with"))
            .toList();
    if (!faults.isEmpty()) {
      throw new InvalidConfigurationException("Configured policies", faults);
    }
  }

  /** Whether both read the time, and not from the same. */
  private static boolean differ(@Nullable Object before, @Nullable Object after) {
    return before != null && after != null && before != after;
  }

  private static @Nullable Object tickerOf(
      Map<PolicyRef<?>, LivingPolicy<?, ?>> policies, PolicyRef<?> ref) {
    return Objects.requireNonNull(policies.get(ref), "policy").ticker();
  }

  private List<String> namesOf(PolicyKind<?, ?> kind) {
    return policies.keySet().stream()
        .filter(ref -> ref.kind() == kind)
        .map(PolicyRef::name)
        .toList();
  }

  private static IllegalArgumentException unknown(String what, String name, List<String> names) {
    String expected = Spelling.oneOf(names, name, "there are none");
    return new IllegalArgumentException(what + ": \"" + name + "\" (expected: " + expected + ")");
  }
}
