package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.InvalidConfigurationException.Fault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes configurations of blocks and of what they inherit.
 *
 * <p>What the configuration finds wrong with the settings is led back to the line that gives the
 * setting, or to the block where it is inherited, with the line it is inherited from. A fault that
 * may only be the consequence of another one is not told.
 */
final class Assembler {
  static final String DEFAULT = "default";
  private static final String BASE_CONFIG = Keys.BASE_CONFIG.name();

  private final Map<String, Block> templates;
  private final Consumer<? super CircuitBreakerConfig.Builder> base;
  private final Problems problems;
  private final Set<Block> endless = new HashSet<>();
  private final Map<Block, Assembly> assemblies = new HashMap<>();

  Assembler(
      Map<String, Block> templates,
      Consumer<? super CircuitBreakerConfig.Builder> base,
      Problems problems) {
    this.templates = templates;
    this.base = base;
    this.problems = problems;
    templates.values().forEach(this::findCycle);
  }

  /** The configuration of a block that starts from the template it names; null if it is wrong. */
  @Nullable CircuitBreakerConfig template(Block block) {
    return assembly(block).config();
  }

  /**
   * The configuration of a block that starts from the template it names, else from that of its own
   * name, else from the default template; null if it is wrong.
   */
  @Nullable CircuitBreakerConfig instance(Block block) {
    Block own = templates.getOrDefault(block.name(), templates.get(DEFAULT));
    boolean namesOne = block.baseConfig() != null || block.unread().contains(BASE_CONFIG);
    return own == null || namesOne
        ? assembly(block).config()
        : assemble(block, assembly(own)).config();
  }

  private Assembly assembly(Block block) {
    Assembly present = assemblies.get(block);
    if (present == null) {
      present = assemble(block, inheritedBy(block));
      assemblies.put(block, present);
    }
    return present;
  }

  private Assembly inheritedBy(Block block) {
    String name = block.baseConfig();
    if (name == null || endless.contains(block)) {
      return Assembly.nothing(endless.contains(block) || block.unread().contains(BASE_CONFIG));
    }
    Block template = templates.get(name);
    if (template != null) {
      return assembly(template);
    }
    reportBase(
        block,
        templates.isEmpty()
            ? "a name that is under configs, where there is none"
            : "a name that is under configs; the nearest is "
                + Spelling.nearest(name, List.copyOf(templates.keySet())));
    return Assembly.nothing(/* incomplete= */ true);
  }

  private Assembly assemble(Block block, Assembly inherited) {
    Assembly assembly = inherited.and(block);
    try {
      return assembly.with(
          CircuitBreakerConfig.of(
              builder -> {
                base.accept(builder);
                assembly.applyTo(builder);
              }));
    } catch (InvalidConfigurationException e) {
      e.faults().forEach(fault -> assembly.faulty().add(fault.setting()));
      e.faults().stream()
          .filter(fault -> isNews(fault.setting(), block, inherited, assembly))
          .forEach(fault -> report(block, fault, assembly.given().get(fault.setting())));
      return assembly;
    }
  }

  /** Whether a fault is neither the consequence of another nor told with a template already. */
  private static boolean isNews(
      String setting, Block block, Assembly inherited, Assembly assembly) {
    if (!assembly.canJudge(setting)) {
      return false;
    }
    if (block.gives(setting)) {
      return true;
    }
    return !inherited.faulty().contains(setting)
        && Keys.contextOf(setting).stream().noneMatch(assembly.faulty()::contains);
  }

  /** Reports the template that a block names. */
  private void reportBase(Block block, String expected) {
    Given<?> given = Objects.requireNonNull(block.given().get(BASE_CONFIG), BASE_CONFIG);
    problems.add(given, expected);
  }

  /** Reports at the line that gives the setting, else at the block. */
  private void report(Block block, Fault fault, @Nullable Given<?> given) {
    if (given == null) { // Neither the block nor a template gives it, so it is from the base.
      String key = block.path() + fault.setting();
      problems.add(block.place(), key, fault.value(), fault.expected());
    } else if (block.gives(fault.setting())) {
      problems.add(given, fault.expected());
    } else {
      problems.addInherited(block, given, fault.expected());
    }
  }

  /** Follows the templates from this one on; reports the cycle it is in, if it is not known yet. */
  private void findCycle(Block start) {
    List<Block> chain = new ArrayList<>();
    Block block = start;
    while (block != null && !chain.contains(block)) {
      chain.add(block);
      String name = block.baseConfig();
      block = name == null ? null : templates.get(name);
    }
    if (block == start && endless.addAll(chain)) {
      String names = chain.stream().map(each -> each.name() + " -> ").collect(Collectors.joining());
      String expected = "a chain of templates that ends; this one is " + names + start.name();
      reportBase(start, expected);
    }
  }
}
